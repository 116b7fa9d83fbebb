/** How far the permission that a command got reaches, for a sandbox that it may run in. */
export type CommandGrant = {
  /** A person, a rule or the mode allowed more than reading. False: it runs unasked because it can do no harm. */
  isGranted: boolean;
  /** It is of no use without what a sandbox hides (keys, agents, sockets), and was allowed knowing that. */
  needsOutside: boolean;
  /** It runs unasked although it may change files, because a sandbox holds it. */
  mayChangeFiles?: true;
};

/** The same as `Confinement` of `lib/spawn`, which knows no protocol. */
type Confinement = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  ownsProcesses: boolean;
  filter?: Uint8Array | undefined;
};

export type CommandPlace =
  | { kind: 'outside' }
  | {
      kind: 'inside';
      confinement: Confinement;
      /** The line of a failed command's output that shows that the sandbox stood in its way. */
      obstacle(output: string): string | undefined;
      /** A command that failed because of it may run outside once the person said so. */
      mayLeave: boolean;
    }
  /** It must not run at all; `text` says what to do. */
  | { kind: 'refused'; text: string };

/** Decides where a command of the model runs. */
export interface CommandSandbox {
  /** Never rejects. */
  placeFor(command: { cwd: string; filesDir: string; grant: CommandGrant }): Promise<CommandPlace>;
}

/** `code` of the result of a command that failed because of the sandbox and may be run again outside. */
export const sandboxedCode = 'sandbox';

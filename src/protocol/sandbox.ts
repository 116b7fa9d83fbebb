/** How far the permission that a command got reaches, for a sandbox that it may run in. */
export type CommandGrant = {
  /** A person, a rule or the mode allowed more than reading. False: it runs unasked because it can do no harm. */
  isGranted: boolean;
  /** It is of no use without what a sandbox hides (keys, agents, sockets), and was allowed knowing that. */
  needsOutside: boolean;
  /** It runs unasked although it may change files, because a sandbox holds it. */
  mayChangeFiles?: true;
  /** Files with secrets, or guarded ones to be written, that it names, by their real paths. */
  files?: readonly string[];
  /** Hosts that it names. */
  hosts?: readonly string[];
};

/** The same as `Confinement` of `lib/confinement`, which knows no protocol. */
type Confinement = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  ownsProcesses: boolean;
  filterFile?: string | undefined;
  helper?: readonly string[] | undefined;
};

export type CommandPlace =
  | { kind: 'outside' }
  | ({
      kind: 'inside';
      confinement: Confinement;
      /** The line of a failed command's output that shows that the sandbox stood in its way. */
      obstacle(output: string): string | undefined;
      /** A command that failed because of it may run outside once the person said so. */
      mayLeave: boolean;
    } & Partial<PlaceEnd>)
  /** It must not run at all; `text` says what to do. */
  | { kind: 'refused'; text: string };

export type PlaceEnd = {
  /**
   * To be called once, when the command has ended with all its processes. Takes away what it made and must not, unless
   * it ran in the background, where others may have made it. Returns what has to be said. Never rejects.
   */
  settle(how: { isBackground: boolean }): Promise<readonly string[]>;
  /** What was taken away, until it is brought back. */
  taken(): TakenAway | undefined;
};

/** `places` are absolute. `bringBack` rejects when it cannot. */
export type TakenAway = { places: readonly string[]; folder: string; bringBack(): Promise<void> };

/** A command that wants a place to run in. */
export type CommandToPlace = {
  cwd: string;
  filesDir: string;
  grant: CommandGrant;
  /** It runs in a terminal of its own. */
  isTerminal?: boolean;
  /** A folder of the thread for temporary files. */
  scratch?: string | undefined;
};

/** Decides where a command of the model runs. */
export interface CommandSandbox {
  /** Never rejects. */
  placeFor(command: CommandToPlace): Promise<CommandPlace>;
}

/** `code` of the result of a command that failed because of the sandbox and may be run again outside. */
export const sandboxedCode = 'sandbox';

import type { CommandOutcome } from '#protocol/command.ts';

export type ConsultQuestion = {
  who:
    | { kind: 'open'; peer: string; name?: string | undefined }
    | { kind: 'reply'; thread: string }
    | { kind: 'all' };
  text: string;
  /** The changes of the working folder, and the newest output of a tool, go with it. */
  hasDiff: boolean;
  hasOutput: boolean;
};

/** What `/consult` asks of the session. Everything rejects with an `LlmcodeError` that says what to do. */
export interface ConsultCommands {
  /** Sends nothing: the outcome shows what would be sent. */
  ask(question: ConsultQuestion): Promise<CommandOutcome>;
  /** Sends what was shown. `refuse` sends nothing that holds secrets. */
  send(id: string, secrets: 'refuse' | 'blank' | 'send'): void;
  /** By thread or peer, or all; returns the threads whose round was stopped. */
  stop(what: string | undefined): string[];
  list(): Promise<
    readonly { name: string; peer: string; rounds: number; updatedAt: number; damage?: string }[]
  >;
  /** All rounds, as markdown. */
  show(thread: string): Promise<string>;
  lastAnswer(thread: string): Promise<string | undefined>;
}

import type { Command } from 'commander';
import type { Host } from '../../host.ts';

/** One subcommand: how it is called, and what it does. What it needs is loaded when it runs. */
export type Subcommand = {
  name: string;
  register(program: Command, context: SubcommandContext): void;
};

export type SubcommandContext = {
  host: Host;
  /** Turns work that returns an exit code into an action of commander. */
  act<Args extends unknown[]>(work: (...args: Args) => Promise<number>): (...args: Args) => Promise<void>;
};

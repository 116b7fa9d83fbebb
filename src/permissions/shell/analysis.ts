import type { PathUse } from '../paths/path-policy.ts';
import type { Refusal } from './argv.ts';
import type { ShellWord } from './words.ts';

/** A path as a command names it, and the folders it may be relative to. */
export type ShellPathUse = { word: ShellWord; dirs: readonly string[]; use: PathUse };

/** One simple command with everything that a decision needs. */
export type CommandPart = {
  source: string;
  /** The words of the command and of what each wrapper in it runs, outermost first; rules match these. */
  layers: readonly (readonly ShellWord[])[];
  /** So many of the first layers may be matched by an allow rule. */
  grantable: number;
  /** Why it is not plainly read-only; empty when it is. */
  refusals: readonly Refusal[];
  /** Why even a mode that allows commands must ask. */
  leaves: readonly Refusal[];
  paths: readonly ShellPathUse[];
  /** Folders whose repository must name no program in its settings for this to only read. */
  repositories: readonly string[];
  /** Shell text that it runs (`bash -c`, `eval`). */
  nested: ShellAnalysis | undefined;
};

/** What a command text would do, as far as its grammar and the tables of programs tell. */
export type ShellAnalysis = {
  text: string;
  /** One for each simple command at any depth. An allow rule must cover each that does more than read. */
  parts: readonly CommandPart[];
  /** What no rule for a single command covers: structure, redirects of unknown target, hidden characters. */
  flags: readonly Refusal[];
  /** Files of redirects; a rule for a command does not cover them. */
  paths: readonly ShellPathUse[];
  /** What makes it hard to take in; said beside other reasons, never one by itself. */
  remarks: readonly Refusal[];
  /** Refused in every mode. */
  denials: readonly Refusal[];
  /** Why even a mode that allows commands must ask, beside what the parts say. */
  leaves: readonly Refusal[];
};

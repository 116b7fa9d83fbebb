import type { StarPattern } from './star-pattern.ts';
import type { RuleEntry } from './written-rule.ts';

/** Where rules come from. From files that a repository brings only `ask` and `deny` count. */
export type RuleOrigin = 'user' | 'project' | 'local' | 'flag' | 'claude-user' | 'claude-project' | 'session';

export type RuleSource = {
  /** The file, or a word such as `--allowed-tools` for what came without one. */
  file: string;
  origin: RuleOrigin;
  allow: readonly RuleEntry[];
  ask: readonly RuleEntry[];
  deny: readonly RuleEntry[];
};

export type RuleAction = 'allow' | 'ask' | 'deny';

export type RuleSpec =
  | { kind: 'any' }
  /** One simple command: over its words as `commandText` spells them. */
  | { kind: 'command'; patterns: readonly StarPattern[] }
  /** A whole command text with all its structure; with a pattern only to ask or deny. */
  | { kind: 'text'; text: string; pattern: StarPattern | undefined }
  /** Patterns as in .gitignore, below the folder that `base` means. */
  | { kind: 'path'; pattern: string; base: 'root' | 'home' | 'settings' | 'cwd' }
  | { kind: 'domain'; domain: string }
  /** A field of the input; without a name any field. */
  | { kind: 'field'; name: string | undefined; value: string };

export type Rule = {
  /** As it was written. */
  text: string;
  /** Our name of the tool; may hold `*`. */
  tool: string;
  spec: RuleSpec;
};

/** Tools whose rules are about the files they read or write, whichever of them does it. */
export const readTools: readonly string[] = [
  'read_file',
  'list_directory',
  'glob_search',
  'grep_search',
  'notebook_read',
];
export const writeTools: readonly string[] = [
  'edit_file',
  'write_file',
  'append_file',
  'multi_edit',
  'apply_patch',
  'notebook_edit',
];

/** A rule with where it stands. */
export type PlacedRule = Rule & { source: RulePlace };

/** `line` from 1, where the file has lines. */
export type RulePlace = Pick<RuleSource, 'file' | 'origin'> & { line?: number | undefined };

import type { JsonValue } from '#protocol/json.ts';
import type { PermissionMode, ToolEffect } from '#protocol/permission.ts';
import type { CheckId } from './checks.ts';
import type { PathFact } from './paths/path-fact.ts';
import type { PathUse, PathVerdict } from './paths/path-policy.ts';
import type { CommandPart } from './shell/analysis.ts';
import type { Refusal } from './shell/argv.ts';

/** One thing that a call touches, with all that was found out about it. */
export type CallPart =
  /** `owner`: the command that names the path as an argument; a rule for the command covers it as well. */
  | { kind: 'path'; fact: PathFact; use: PathUse; verdict: PathVerdict; owner: CommandPart | undefined }
  /** `outer`: the command that runs this one as text; a rule for that covers it as well. */
  | {
      kind: 'command';
      command: CommandPart;
      outer: CommandPart | undefined;
      /** It changes nothing but files in the folder for temporary files. */
      isInScratch?: boolean;
    }
  /** Something about a whole command text that no rule for a single command covers. */
  | { kind: 'flag'; check: CheckId; subject: string; outer: CommandPart | undefined; leaves: boolean }
  | { kind: 'host'; host: string }
  | { kind: 'peer'; peer: string }
  /** The tool itself, where its effect is more than its resources say. */
  | { kind: 'effect'; effect: ToolEffect };

/** A call with everything looked up: deciding it needs neither disk nor parser. */
export type ResolvedCall = {
  /** Our name of the tool. */
  tool: string;
  input: JsonValue;
  mode: PermissionMode;
  /** The command texts, trimmed. */
  commands: readonly string[];
  parts: readonly CallPart[];
  /** Refused in every mode. */
  denials: readonly Refusal[];
  /** Said beside the reasons why it is asked for. */
  remarks: readonly Refusal[];
};

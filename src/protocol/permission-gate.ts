import type { JsonValue } from './json.ts';
import type {
  DecisionReason,
  PermissionAnswer,
  PermissionDecision,
  PermissionMode,
  Resource,
  RuleExamples,
  ToolEffect,
} from './permission.ts';

/** A tool call as a decision sees it; `resources` come from the tool's `touches`. */
export type PermissionCall = {
  tool: string;
  effect: ToolEffect;
  input: JsonValue;
  resources: readonly Resource[];
  mode: PermissionMode;
};

/** How the question of a call ended. `decision`: what rules, hooks and repetition said before anybody answered. */
export type DecisionEnd = {
  decision: PermissionDecision['decision'];
  reasons: readonly DecisionReason[];
  /** `edited`: it is decided again with another input. */
  outcome: 'allowed' | 'refused' | 'edited' | 'aborted';
  /** `nobody`: it had to be asked, and nobody could be. */
  by: 'rules' | 'hook' | 'person' | 'nobody' | 'interrupt';
  /** Of a person. */
  answer?: PermissionAnswer['kind'] | undefined;
};

/**
 * Decides calls for one thread, with the rules of settings, project and session. The engine, `permissions check`
 * and `tool run` share this one door.
 */
export interface PermissionGate {
  decide(call: PermissionCall): PermissionDecision;
  /** What an allow rule would let run that is like this call, and what not. */
  examples?(rule: string, call: PermissionCall): RuleExamples;
  /** Adds an allow rule, e.g. `Bash(npm test)`. Rejects with an `LlmcodeError` when the rule cannot be read or saved. */
  allow(rule: string, scope: 'session' | 'project'): Promise<void>;
  /** From now on the folder is read as if it lay in the workspace: the thread stores its whole outputs there. */
  allowReading(folder: string): void;
  /** Writes a decision down, where decisions are kept. */
  note?(call: PermissionCall, end: DecisionEnd): void;
}

import type { JsonValue } from './json.ts';
import type { PermissionDecision, PermissionMode, Resource, ToolEffect } from './permission.ts';

/** A tool call as a decision sees it; `resources` come from the tool's `touches`. */
export type PermissionCall = {
  tool: string;
  effect: ToolEffect;
  input: JsonValue;
  resources: readonly Resource[];
  mode: PermissionMode;
};

/**
 * Decides calls for one thread, with the rules of settings, project and session. The engine, `permissions check`
 * and `tool run` share this one door.
 */
export interface PermissionGate {
  decide(call: PermissionCall): PermissionDecision;
  /** Adds an allow rule, e.g. `Bash(npm test)`. Rejects with an `LlmcodeError` when the rule cannot be read or saved. */
  allow(rule: string, scope: 'session' | 'project'): Promise<void>;
  /** From now on the folder is read as if it lay in the workspace: the thread stores its whole outputs there. */
  allowReading(folder: string): void;
}

import type { JsonValue } from './json.ts';
import type { ToolResult } from './message.ts';

/** What a hook is told. Field names are the protocol's; the runner makes each dialect's payload from them. */
export type HookEvent =
  | { event: 'session-start'; source: 'startup' | 'resume' | 'clear' | 'fork' }
  | { event: 'session-end'; reason: string }
  | { event: 'prompt-submit'; prompt: string }
  | { event: 'tool-before'; callId: string; tool: string; input: JsonValue }
  | { event: 'tool-after'; callId: string; tool: string; input: JsonValue; result: ToolResult }
  | { event: 'turn-end'; reason: string; lastText: string };

/** What all hooks of one event said together; the strictest wins. An `allow` skips only the question. */
export type HookOutcome = {
  decision: 'continue' | 'allow' | 'ask' | 'deny' | 'halt';
  /** Why, when the decision is not `continue`; reaches the model with `deny`, the person with `halt`. */
  reason?: string;
  /** Another input for `tool-before`; decided and run in place of the first. */
  input?: JsonValue;
  /** Text that the model gets with the prompt or the tool result. */
  context?: string;
  /** For the person. */
  notices: string[];
};

export interface HookRunner {
  /** Never throws. Ends soon after `signal` aborts. */
  fire(event: HookEvent, options: { signal: AbortSignal }): Promise<HookOutcome>;
}

import type { JsonValue } from './json.ts';
import type { ToolResult } from './message.ts';
import type { ModelRef } from './model-ref.ts';
import type { PermissionMode } from './permission.ts';

/** What a hook is told. Field names are the protocol's; the runner makes each dialect's payload from them. */
export type HookEvent =
  | { event: 'session-start'; source: 'startup' | 'resume' | 'clear' | 'fork' | 'compact' }
  | { event: 'session-end'; reason: string }
  /** The log of the thread is safe on disk. */
  | { event: 'session-save'; file: string; messages: number }
  | { event: 'instructions-loaded'; file: string; scope: 'user' | 'project' }
  | { event: 'config-change'; keys: readonly string[] }
  | { event: 'prompt-submit'; prompt: string }
  /** A request to a model is put together and goes out next. `systemChars` counts the system prompt. */
  | { event: 'prompt-compile'; model: string; messages: number; tools: number; systemChars: number }
  /** `tokens`: read from the provider's cache, or read at the full price although it was there. */
  | { event: 'prompt-cache'; isHit: boolean; model: string; tokens: number; reason?: string }
  | { event: 'tool-before'; callId: string; tool: string; input: JsonValue }
  | { event: 'tool-after'; callId: string; tool: string; input: JsonValue; result: ToolResult }
  | { event: 'tool-denied'; callId: string; tool: string; input: JsonValue; reason: string }
  /** All calls of one answer have their results. */
  | {
      event: 'tool-batch';
      calls: readonly { callId: string; tool: string; input: JsonValue; status: string }[];
    }
  /** A person is about to be asked, or would be if one were there. */
  | {
      event: 'permission-request';
      callId: string;
      tool: string;
      input: JsonValue;
      reasons: readonly string[];
      suggestedRule?: string;
    }
  | { event: 'notification'; type: 'permission_prompt' | 'agent_needs_input'; message: string }
  /** `name` without the slash; a `!` command has no name. */
  | { event: 'command-before'; kind: 'slash' | 'shell'; name: string; argument: string }
  | {
      event: 'command-after';
      kind: 'slash' | 'shell';
      name: string;
      argument: string;
      isOk: boolean;
      output: string;
    }
  | { event: 'compact-before'; trigger: 'manual' | 'auto'; focus: string }
  | {
      event: 'compact-after';
      trigger: 'manual' | 'auto';
      summary: string;
      tokensBefore: number;
      tokensAfter: number;
    }
  /** Calls of models, not of tools. `delayMs` comes with `retry`, `to` with `fallback`. */
  | {
      event: 'http';
      phase: 'request' | 'response' | 'error' | 'retry' | 'fallback';
      model: string;
      url: string;
      attempt: number;
      status?: number;
      durationMs?: number;
      delayMs?: number;
      error?: string;
      to?: string;
    }
  /** Another model at work for this one. */
  | {
      event: 'agent';
      phase: 'spawn' | 'message' | 'complete' | 'error';
      agentId: string;
      agentType: string;
      name: string;
      model: string;
      text: string;
    }
  | { event: 'turn-end'; reason: string; lastText: string };

/** Where an event happens, as far as its place knows. */
export type HookScene = {
  mode?: PermissionMode;
  /** Of the turn. */
  promptId?: string;
  /** The log of the thread. */
  transcript?: string;
  model?: ModelRef;
  agent?: { id: string; type: string };
};

/** `hook`: what it runs, in one short line. */
export type HookPlace = { hook: string; file: string };

/** What all hooks of one event said together; the strictest wins. An `allow` skips only the question. */
export type HookOutcome = {
  decision: 'continue' | 'allow' | 'ask' | 'deny' | 'halt';
  /** Why, when the decision is not `continue`; reaches the model with `deny`, the person with `halt`. */
  reason?: string;
  /** The hooks whose decision this is, with the files that they are written in. */
  deciders?: readonly HookPlace[];
  /** Another input for `tool-before` or `permission-request`; decided and run in place of the first. */
  input?: JsonValue;
  /** Text that the model gets with the prompt or the tool result. */
  context?: string;
  /** What the model gets in place of the result, after `tool-after`. */
  output?: string;
  /** For the person. */
  notices: string[];
};

export interface HookRunner {
  /** Never throws. Ends soon after `signal` aborts. */
  fire(event: HookEvent, options: { signal: AbortSignal; scene?: HookScene }): Promise<HookOutcome>;
}

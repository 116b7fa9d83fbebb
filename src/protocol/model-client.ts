import type { JsonValue } from './json.ts';
import type { FinishReason, Message, PrivateData } from './message.ts';
import type { ModelError } from './model-error.ts';
import type { ModelInfo, ModelRef } from './model-ref.ts';
import type { ToolSchema } from './tool.ts';
import type { Usage } from './usage.ts';

/**
 * One model call. `messages` obeys: every call has its result; the last message is the person's or holds results;
 * no notices; images are inline. User messages may follow one another.
 */
export type StepRequest = {
  /** Blocks of the system prompt, most stable first. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  /** undefined = the model's own limit. */
  maxOutputTokens?: number;
  /** Stable for a thread; for vendors with cache keys. */
  threadId: string;
};

/**
 * What one model call streams. `*-end` parts carry the whole; a `tool-call` comes when its arguments are complete.
 * Exactly one `finish` or `error` comes last. After `retry` everything since the last `attempt` is void.
 */
export type StepPart =
  | { kind: 'text-start'; partId: string }
  | { kind: 'text-delta'; partId: string; text: string }
  | { kind: 'text-end'; partId: string; text: string; private?: PrivateData }
  | { kind: 'reasoning-start'; partId: string }
  | { kind: 'reasoning-delta'; partId: string; text: string }
  | { kind: 'reasoning-end'; partId: string; text: string; private?: PrivateData }
  | { kind: 'tool-call-start'; partId: string; tool: string }
  | { kind: 'tool-call-delta'; partId: string; text: string }
  | {
      kind: 'tool-call';
      partId: string;
      vendorCallId: string;
      tool: string;
      input: JsonValue;
      /** Set when the arguments were no JSON object; `input` is {} then. */
      rawInput?: string;
      private?: PrivateData;
    }
  | { kind: 'retry'; attempt: number; maxAttempts: number; until: number; error: ModelError }
  /** `url`: the server that is asked, without anything secret. */
  | { kind: 'attempt'; url?: string }
  /** What the person should know of how the model is spoken to, e.g. that tools go by text from now on. */
  | { kind: 'notice'; level: 'info' | 'warning'; text: string }
  | {
      kind: 'finish';
      reason: FinishReason;
      usage: Usage | null;
      costUsd: number | null;
      /** The answer holds a call that could not be read: what the model should be told, with an exact example. */
      correction?: string;
    }
  | { kind: 'error'; error: ModelError };

/** A connection to one model. */
export interface ModelClient {
  readonly info: ModelInfo;
  /**
   * Makes one call, retries included. Never throws: failure is the last part. When `signal` aborts, the stream
   * ends without `finish` or `error`.
   */
  stream(request: StepRequest, options: StreamOptions): AsyncIterable<StepPart>;
}

export type StreamOptions = {
  signal: AbortSignal;
  /** Fewer tries than the settings allow: another model stands by. */
  maxAttempts?: number | undefined;
};

/** Opens models by reference; the engine's only door to providers. */
export interface ModelDirectory {
  /** Rejects with an `LlmcodeError` that names the nearest known model when the reference is unknown. */
  open(ref: ModelRef): Promise<ModelClient>;
  /** The models that the settings (`model_routing`) name for a purpose, best first; [] or no such door = none. Never rejects. */
  route?(purpose: RoutePurpose): Promise<readonly ModelRef[]>;
  /** How other models take over when one fails; asked anew each time, since settings change. */
  fallback?(): FallbackPlan;
}

/** `model_routing.fallback` and what belongs to it. */
export type FallbackPlan = {
  /** In the order in which they take over. `resolve` rejects with an `LlmcodeError` when there is no such model. */
  models: readonly { name: string; resolve(): Promise<ModelRef> }[];
  /** Failed tries of one call after which the next model takes over. */
  afterFailures: number;
  /** Milliseconds for which a model that failed is let alone. */
  restMs: number;
  /** Whether the chosen model is tried again after that; else the one that took over stays. */
  returns: boolean;
};

/** Work that can be given to another model than the one the person talks to. */
export type RoutePurpose = 'sub_agent' | 'compaction' | 'title' | 'memory';

import type { HookPlace } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';

/** What one hook said, whatever its dialect. */
export type HookReply = {
  /** Whose it is. */
  from?: HookPlace;
  decision?: 'allow' | 'ask' | 'deny' | 'halt';
  reason?: string;
  /** Another input, in our names. */
  input?: JsonValue;
  context?: string;
  /** In place of a tool's result. */
  output?: string;
  /** For the person. */
  notices: readonly string[];
};

/** A hook that gave no usable answer. `none`: no verdict at all; `error`: it ran and said that it failed. */
export type HookFailure = { failure: 'none' | 'error'; text: string };

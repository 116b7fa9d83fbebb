import type { Message } from '#protocol/message.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { messageEstimate } from './token-estimate.ts';

/**
 * How full the window of one model will be with the next request. What the provider counted is the truth: it sets
 * the scale for the estimate of everything since.
 */
export class TokenMeter {
  #scale: number | null = null;
  #limit = Number.POSITIVE_INFINITY;

  /** Real tokens for one estimated. */
  get scale(): number {
    return this.#scale ?? 1;
  }

  /** The same, or null while nothing was counted. */
  get knownScale(): number | null {
    return this.#scale;
  }

  /** Tokens of a request with these messages; `fixed` is the plain estimate of system prompt and tools. */
  estimate(messages: readonly Message[], fixed: number): number {
    return Math.ceil(plainSum(messages, fixed) * this.scale);
  }

  /** After a call: what the provider counted for the request that was estimated from the same values. */
  learn({
    messages,
    fixed,
    counted,
  }: {
    messages: readonly Message[];
    fixed: number;
    counted: number;
  }): void {
    const plain = plainSum(messages, fixed);
    if (plain < 200 || counted <= 0) return;
    // A server that counts only what it did not have cached must not make the window look empty.
    this.#scale = Math.min(3, Math.max(0.5, counted / plain));
    if (counted > this.#limit) this.#limit = Number.POSITIVE_INFINITY;
  }

  /** What is known of the scale before anything was counted. */
  assume(scale: number): void {
    this.#scale ??= scale;
  }

  /** The server refused a request of this estimate as too long, whatever its window is said to be. */
  overflowed(estimate: number): void {
    this.#limit = Math.min(this.#limit, Math.floor(estimate * 0.9));
  }

  /** Tokens that a request may take. */
  usable(info: Pick<ModelInfo, 'contextWindow' | 'outputLimit'>): number {
    return Math.max(256, Math.min(usableWindow(info), this.#limit));
  }
}

/** The window without room for an answer. */
export function usableWindow({
  contextWindow,
  outputLimit,
}: Pick<ModelInfo, 'contextWindow' | 'outputLimit'>): number {
  const window = contextWindow.value;
  const answer = Math.min(outputLimit.value, Math.max(1_024, Math.floor(window * 0.15)), 32_000);
  return Math.max(512, window - answer);
}

function plainSum(messages: readonly Message[], fixed: number): number {
  return messages.reduce((sum, message) => sum + messageEstimate(message), fixed);
}

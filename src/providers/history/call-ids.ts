import { createHash } from 'node:crypto';
import type { ToolCallPart } from '#protocol/message.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Nine letters and digits: what the strictest vendor (Mistral) wants is fine with all of them. */
const length = 9;
const maxVendorLength = 64;

/**
 * Ids of calls for one request. A vendor gets its own ids back; calls of others get an id made from ours, the same
 * in every request, so that the beginning of the conversation stays the same text.
 */
export class CallIds {
  readonly #used = new Set<string>();

  idFor(part: ToolCallPart, { isOwn }: { isOwn: boolean }): string {
    const own = isOwn ? part.vendorCallId : undefined;
    if (own && own.length <= maxVendorLength && !this.#used.has(own)) return this.#take(own);
    for (let attempt = 0; ; attempt += 1) {
      const made = shortCallId(attempt === 0 ? part.callId : `${part.callId}#${attempt}`);
      if (!this.#used.has(made)) return this.#take(made);
    }
  }

  #take(id: string): string {
    this.#used.add(id);
    return id;
  }
}

/** What a call is named to vendors that did not make it. */
export function shortCallId(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  let id = '';
  for (let index = 0; index < length; index += 1) id += alphabet[(digest[index] ?? 0) % alphabet.length];
  return id;
}

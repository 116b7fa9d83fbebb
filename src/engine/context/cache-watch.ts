import { createHash } from 'node:crypto';
import type { Message, MessagePart } from '#protocol/message.ts';
import type { StepRequest } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { CacheMiss, CacheMissReason, Usage } from '#protocol/usage.ts';
import { isSummary } from './history.ts';

/** What went out at one time, as hashes, and what the provider counted of it. */
type Sent = {
  system: string;
  tools: string;
  messages: readonly { id: string; hash: string }[];
  /** Whether the history begins with a summary, and with which. */
  summary: string | undefined;
  at: number;
  /** null until the answer has been counted. */
  input: number | null;
};

/** How long providers keep what nobody asks for, in milliseconds. */
const keptMs = 5 * 60_000;
/** Less than this no provider keeps. */
const leastTokens = 1_024;
/** Providers count in blocks and leave out the last one; that is no miss. */
const expectedShare = 0.8;

/**
 * Explains why a provider did not find in its cache what it should have: compares each request with the one before it
 * to the same model. Knows only what was sent since the thread was opened.
 */
export class CacheWatch {
  readonly #sent = new Map<string, Sent>();
  /** Models that have shown that they cache at all. */
  readonly #caching = new Set<string>();

  /** Call it before a request; the function that it returns says, once the answer is counted, what was missed. */
  sending(
    { system, tools, messages }: Pick<StepRequest, 'system' | 'tools' | 'messages'>,
    { model: ref, at }: { model: ModelRef; at: number },
  ): (usage: Usage | null) => CacheMiss | undefined {
    const model = formatModelRef(ref);
    const before = this.#sent.get(model);
    const isFirst = this.#sent.size === 0;
    const now: Sent = {
      system: hashOf(system.join('\n')),
      tools: hashOf(JSON.stringify(tools)),
      messages: messages.map((message) => ({ id: message.id, hash: messageHash(message) })),
      summary: messages[0] && isSummary(messages[0]) ? messages[0].id : undefined,
      at,
      input: null,
    };
    const isResumed = isFirst && messages.some(({ role }) => role === 'assistant');
    return (usage) => {
      now.input = usage?.input ?? before?.input ?? null;
      this.#sent.set(model, now);
      if (!usage || usage.input === null || usage.cacheRead === null) return undefined;
      if (usage.cacheRead > 0 || (usage.cacheWrite ?? 0) > 0) this.#caching.add(model);
      const expected = before ? Math.min(before.input ?? 0, usage.input) : usage.input;
      const tokens = expected - usage.cacheRead;
      if (tokens < leastTokens || usage.cacheRead >= expected * expectedShare) return undefined;
      const reason = before ? difference(before, now) : missOfNew({ isFirst, isResumed });
      if (!reason) return undefined;
      // Nothing that we did: then it is one only where this model has ever found anything.
      const isNoFault = reason === 'unknown' || reason === 'expired';
      return isNoFault && !this.#caching.has(model) ? undefined : { reason, tokens };
    };
  }
}

function missOfNew({ isFirst, isResumed }: { isFirst: boolean; isResumed: boolean }) {
  if (!isFirst) return 'model-switched' as const;
  return isResumed ? ('resumed' as const) : undefined;
}

/** In the order in which providers read a request. */
function difference(before: Sent, now: Sent): CacheMissReason {
  if (before.tools !== now.tools) return 'tools-changed';
  if (before.system !== now.system) return 'system-changed';
  if (before.summary !== now.summary) return 'compacted';
  // The newest message may grow while nobody has answered it.
  const settled = before.messages.slice(0, -1);
  const changed = settled.findIndex(({ hash }, index) => hash !== now.messages[index]?.hash);
  if (changed !== -1)
    return settled[changed]?.id === now.messages[changed]?.id ? 'trimmed' : 'history-changed';
  return now.at - before.at > keptMs ? 'expired' : 'unknown';
}

/** Messages never change, so each is hashed once. */
const hashes = new WeakMap<Message, string>();

function messageHash(message: Message): string {
  const known = hashes.get(message);
  if (known !== undefined) return known;
  const hash = hashOf(JSON.stringify([message.role, message.parts.map(sentOf)]));
  hashes.set(message, hash);
  return hash;
}

/** What of a part reaches the provider. */
function sentOf(part: MessagePart): unknown {
  if (part.kind !== 'tool-call') return { ...part, id: '' };
  const { tool, input, rawInput, private: own, result } = part;
  return [tool, input, rawInput, own, result?.status, result?.forModel];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

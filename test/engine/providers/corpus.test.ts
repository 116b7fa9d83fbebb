import { describe, expect, test } from 'vitest';
import { type Exchange, loadExchanges } from '../../unit/providers/support/exchanges.ts';
import { differences, halfCalls, replay } from '../../unit/providers/support/replay.ts';

const exchanges = loadExchanges();
const small = exchanges.filter((exchange) => sizeOf(exchange) < 2_500);
const large = exchanges.filter((exchange) => !small.includes(exchange));
/** Recorded answers that are whole, as streams. */
const streams = exchanges.filter(
  (exchange) =>
    exchange.response.status === 200 &&
    !exchange.expect.error &&
    exchange.response.headers['content-type']?.includes('event-stream') &&
    endOf(exchange) > 0,
);

describe.skipIf(exchanges.length === 0)('recorded provider streams (skipped without the corpus)', () => {
  test('are all there', () => expect(exchanges).toHaveLength(146));

  test.each(exchanges.map((exchange) => [exchange.id, exchange] as const))(
    '%s is read right',
    async (_id, exchange) => {
      expect(differences(exchange, await replay(exchange))).toEqual([]);
    },
  );

  test.each(small.map((exchange) => [exchange.id, exchange] as const))(
    '%s is read the same in single bytes',
    async (_id, exchange) => {
      expect(differences(exchange, await replay(exchange, { cutting: 'bytes' }))).toEqual([]);
    },
  );

  test.each(large.map((exchange) => [exchange.id, exchange] as const))(
    '%s is read the same in odd pieces',
    async (_id, exchange) => {
      expect(differences(exchange, await replay(exchange, { cutting: 'oddly' }))).toEqual([]);
    },
  );

  test.each(exchanges.map((exchange) => [exchange.id, exchange] as const))(
    '%s is read the same all at once',
    async (_id, exchange) => {
      expect(differences(exchange, await replay(exchange, { cutting: 'whole' }))).toEqual([]);
    },
  );

  test.each(streams.map((exchange) => [exchange.id, exchange] as const))(
    '%s is never taken for finished when it breaks off, and no half of a call is given out',
    async (_id, exchange) => {
      const end = endOf(exchange);
      for (const share of [0.1, 0.35, 0.6, 0.85, 1]) {
        const outcome = await replay(exchange, { cutting: 'whole', dropAt: Math.floor(end * share) });
        const { finish, error } = outcome;
        expect({ finish, retryable: error?.retryable, half: halfCalls(exchange, outcome) }).toEqual({
          finish: null,
          retryable: true,
          half: [],
        });
      }
    },
  );
});

function sizeOf(exchange: Exchange): number {
  return Buffer.byteLength(exchange.response.chunks.join(''));
}

/** Bytes before the first event that says that the answer is whole; 0 when none does. */
function endOf(exchange: Exchange): number {
  const marks: Readonly<Record<Exchange['api'], RegExp>> = {
    'openai-chat': /data: \[DONE\]|data: \{[^\n]*"finish_reason": ?"[^\n]*/,
    'openai-responses':
      /(event: response\.(completed|incomplete)\n)?data: \{[^\n]*"type": ?"response\.(completed|incomplete)"/,
    'anthropic-messages': /(event: message_stop\n)?data: \{"type": ?"message_stop"/,
    gemini: /data: \{[^\n]*"finishReason"/,
    'ollama-native': /\{[^\n]*"done": ?true/,
  };
  const body = exchange.response.chunks.join('');
  const at = body.search(marks[exchange.api]);
  return at <= 0 ? 0 : Buffer.byteLength(body.slice(0, at));
}

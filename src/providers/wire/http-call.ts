import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { unpacked } from '#lib/unpacked.ts';
import type { Answer, Network } from '../transport.ts';

/**
 * A model call over Node's own client. Loading `fetch` would take as long as the rest of the start, and it gives up
 * after 300 seconds without a byte: a local model may read a long prompt for longer, and our own timeouts are the ones
 * that count. Redirects are not followed; proxies are obeyed as Node's agents do.
 */
export const httpCall: Network = (input, init) =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input));
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, {
      method: init?.method ?? 'GET',
      // Text that arrives bit by bit is not to wait for a packer; what comes packed all the same is unpacked.
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...plainHeaders(init?.headers) },
      ...(init?.signal ? { signal: init.signal } : {}),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => resolve(answerOf(incoming)));
    outgoing.end(typeof init?.body === 'string' ? init.body : undefined);
  });

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (!headers) return {};
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

function answerOf(incoming: IncomingMessage): Answer {
  const body = bodyOf(incoming);
  return {
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    headers: headersOf(incoming),
    body,
    text: async () => {
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
      return text + decoder.decode();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Answer['headers'] {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  const known = new Map(entries);
  return {
    get: (name) => known.get(name.toLowerCase()) ?? null,
    [Symbol.iterator]: () => known[Symbol.iterator](),
  };
}

/** Read only as fast as it is taken. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const readable = unpacked(incoming);
  const chunks = readable[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array);
      },
      cancel: () => {
        incoming.destroy();
        readable.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

import type { Answer, Network } from '../transport.ts';
import type { WireDialect } from './dialect.ts';
import { EventScanner } from './event-scanner.ts';
import { emptyFacts, type WireFacts } from './facts.ts';
import { asObject, parseJson } from './json.ts';
import { PieceMerger } from './piece-merger.ts';
import { PortionReader } from './portions.ts';
import { WireRefusal } from './refusal.ts';

const maxErrorBytes = 64_000;

/** A request as the SDK made it, or as it really goes out. */
export type WireRequest = { url: string; body: string };

export type Wire = {
  /** Given to the SDK as its `fetch`. */
  fetch: typeof fetch;
  /** Begins to watch the call whose request carries this signal. `onActivity` hears of every byte. */
  watch(signal: AbortSignal, onActivity: () => void): WireFacts;
};

type WireOptions = {
  dialect: WireDialect;
  /** The way to the network. */
  network: Network;
  /** Changes the request on its way, e.g. to another endpoint of the same server. */
  rewrite?: (request: WireRequest) => WireRequest;
};

/** Stands between the SDK and the network: notes what really happens and mends what the SDK would misread. */
export function createWire({ dialect, network, rewrite }: WireOptions): Wire {
  const calls = new WeakMap<AbortSignal, { facts: WireFacts; onActivity: () => void }>();

  const wireFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const call = init?.signal ? calls.get(init.signal) : undefined;
    const { facts, onActivity } = call ?? { facts: emptyFacts(), onActivity: () => undefined };
    const asked = { url: String(input), body: String(init?.body ?? '') };
    const request = rewrite?.(asked) ?? asked;
    facts.url = request.url;
    const response = await network(request.url, { ...init, body: request.body });
    onActivity();
    facts.status = response.status;
    facts.headers = response.headers;
    if (response.status !== 200 || !response.body) throw await refusalOf(response);
    return readAnswer(response, { facts, onActivity, dialect });
  };

  return {
    fetch: wireFetch,
    watch(signal, onActivity) {
      const facts = emptyFacts();
      calls.set(signal, { facts, onActivity });
      return facts;
    },
  };
}

type Reading = { facts: WireFacts; onActivity: () => void; dialect: WireDialect };

async function refusalOf(response: Answer): Promise<WireRefusal> {
  let body = '';
  try {
    body = (await response.text()).slice(0, maxErrorBytes);
  } catch {
    body = ''; // The status says enough.
  }
  return new WireRefusal({ status: response.status, headers: response.headers, body });
}

/** Looks at the first bytes, since content types lie: a stream, one JSON document, a web page, or mere words. */
async function readAnswer(response: Answer, reading: Reading): Promise<Response> {
  const body = response.body as ReadableStream<Uint8Array>;
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream')) return streamOf(body.getReader(), undefined, reading);
  const reader = body.getReader();
  let first: Uint8Array | undefined;
  let begin = '';
  while (begin === '') {
    const { done, value } = await reader.read();
    if (done) throw new WireRefusal({ status: response.status, headers: response.headers, body: '' });
    reading.onActivity();
    first = first ? concat(first, value) : value;
    begin = new TextDecoder().decode(first).trimStart();
  }
  const isLine = reading.dialect.isLineDelimited === true;
  if (begin.startsWith('{') && !(isLine && type.includes('ndjson'))) {
    return documentOf(await readAll(reader, first), { response, reading });
  }
  if (begin.startsWith('<')) {
    const text = await readAll(reader, first);
    throw new WireRefusal({ status: response.status, headers: response.headers, body: text });
  }
  if (isPlainText(begin)) {
    const text = await readAll(reader, first);
    throw new WireRefusal({ status: response.status, headers: response.headers, body: text });
  }
  return streamOf(reader, first, reading);
}

const eventFields = ['data:', 'event:', 'id:', 'retry:'];

/** Words where events should be, judged by the first bytes, which may end within a field's name. */
function isPlainText(begin: string): boolean {
  return (
    /^[a-z]/i.test(begin) && !eventFields.some((field) => begin.startsWith(field) || field.startsWith(begin))
  );
}

function streamOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array | undefined,
  { facts, onActivity, dialect }: Reading,
): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const scanner = new EventScanner({ isLineDelimited: dialect.isLineDelimited === true });
  const body = new PortionReader(() => readOrBreak(reader, facts), { first });
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (true) {
          const { chunks, isEnd } = await body.next();
          const events = chunks.flatMap((chunk) => scanner.push(decoder.decode(chunk, { stream: true })));
          if (isEnd) events.push(...scanner.push(decoder.decode()), ...scanner.end());
          const { text, isRunningText } = mended(events, facts, dialect);
          if (chunks.length > 0) onActivity();
          if (isRunningText) body.gather();
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (isEnd) controller.close();
          if (isEnd || text !== '') return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return answer(stream);
}

/** A broken connection ends the stream in order, so that what came before it is not thrown away. */
async function readOrBreak(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  facts: WireFacts,
): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  try {
    return await reader.read();
  } catch (error) {
    facts.broken = error;
    return { done: true };
  }
}

/** What the SDK reads in place of the events that came. */
function mended(
  events: readonly string[],
  facts: WireFacts,
  dialect: WireDialect,
): { text: string; isRunningText: boolean } {
  const merger = new PieceMerger(dialect);
  for (const data of events) {
    if (data === '[DONE]') {
      facts.isClosed = true;
      for (const extra of dialect.atDone?.(facts) ?? []) merger.add(extra);
      continue;
    }
    const event = asObject(parseJson(data));
    // A keep-alive (Anthropic) is no more than a comment.
    if (event?.['type'] === 'ping') continue;
    facts.events += 1;
    if (!event) {
      facts.unreadable += 1;
      continue;
    }
    const changed = dialect.read(event, facts);
    if (changed.length === 1 && changed[0] === event) merger.add(event, data);
    else for (const other of changed) merger.add(other);
  }
  return { text: merger.text(), isRunningText: merger.isRunningText };
}

function documentOf(text: string, { response, reading }: { response: Answer; reading: Reading }): Response {
  const document = asObject(parseJson(text));
  if (!document) {
    // Several JSON documents in a row, or half of one.
    if (reading.dialect.isLineDelimited) return streamOf(bytesOf(text).getReader(), undefined, reading);
    throw new WireRefusal({ status: response.status, headers: response.headers, body: text });
  }
  if ('error' in document && document['error'] !== null) {
    throw new WireRefusal({ status: response.status, headers: response.headers, body: text });
  }
  const events = reading.dialect.fromDocument(document);
  const lines = events.map((event) => JSON.stringify(event));
  const { text: body } = mended(lines, reading.facts, reading.dialect);
  reading.facts.isClosed = true;
  return answer(bytesOf(body));
}

function bytesOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

/** What the SDK reads of a `Response`: a real one would load Node's whole `fetch`. */
function answer(body: ReadableStream<Uint8Array>): Response {
  const headers = new Map([['content-type', 'text/event-stream']]);
  return { ok: true, status: 200, statusText: 'OK', headers, body } as unknown as Response;
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Uint8Array | undefined,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = first ? decoder.decode(first, { stream: true }) : '';
  while (true) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

function concat(one: Uint8Array, two: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + two.length);
  both.set(one);
  both.set(two, one.length);
  return both;
}

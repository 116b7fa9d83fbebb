import { AsyncLocalStorage } from 'node:async_hooks';
import { errorText } from '#lib/errors.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { Answer, Network, Transport } from '../transport.ts';
import { parseJson } from '../wire/json.ts';
import type { LineOf } from './cassette.ts';
import type { Recorder } from './recorder.ts';
import { scrubChunks, type TextChunk } from './scrub-chunks.ts';

type Door = LineOf<'request'>['door'];

const toolRuns = new AsyncLocalStorage<true>();

/** Model calls within this work are those of a tool. */
export function asToolRun<Result>(work: () => Result): Result {
  return toolRuns.run(true, work);
}

/** The network, with everything that goes over it written down. Nothing of an answer is held back for that. */
export function recordingTransport(network: Transport, recorder: Recorder): Transport {
  return {
    call: (input, init) =>
      recorded(network.call, recorder, { door: toolRuns.getStore() ? 'tool' : 'call', input, init }),
    lookUp: (input, init) => recorded(network.lookUp, recorder, { door: 'look-up', input, init }),
  };
}

type Asked = { door: Door; input: string | URL | Request; init: RequestInit | undefined };

async function recorded(
  network: Network,
  recorder: Recorder,
  { door, input, init }: Asked,
): Promise<Response> {
  const id = recorder.nextRequest();
  const { scrubber } = recorder;
  recorder.write({
    kind: 'request',
    id,
    door,
    method: init?.method ?? 'GET',
    url: scrubber.url(String(input)),
    headers: scrubber.headers(new Headers(init?.headers)),
    body: bodyValue(init?.body),
  });
  let response: Answer;
  try {
    response = await network(input, init);
  } catch (error) {
    const headAt = recorder.now;
    const failure = { code: codeIn(error), message: errorText(error) };
    const end = init?.signal?.aborted ? ('cancelled' as const) : ('broken' as const);
    recorder.write({ kind: 'response', id, status: 0, headers: {}, headAt, chunks: [], end, error: failure });
    throw error;
  }
  const tape = new AnswerTape(recorder, { id, response, signal: init?.signal ?? undefined });
  return tape.response();
}

/** A request's body as a value where it is JSON, which lets a replay name what differs. */
export function bodyValue(body: RequestInit['body']): JsonValue {
  if (typeof body !== 'string' || body === '') return null;
  return parseJson(body) ?? body;
}

/** One answer on its way through: keeps a copy of each piece and writes all of them when it has ended, however. */
class AnswerTape {
  readonly #recorder: Recorder;
  readonly #id: number;
  readonly #answer: Answer;
  readonly #headAt: number;
  readonly #chunks: TextChunk[] = [];
  readonly #decoder = new TextDecoder();
  readonly #untrack: () => void;
  #hasEnded = false;

  constructor(
    recorder: Recorder,
    { id, response, signal }: { id: number; response: Answer; signal: AbortSignal | undefined },
  ) {
    this.#recorder = recorder;
    this.#id = id;
    this.#answer = response;
    this.#headAt = recorder.now;
    this.#untrack = recorder.track(() => this.#end('cancelled'));
    // A reader that was stopped may never read again, so that no end would come.
    signal?.addEventListener('abort', () => this.#end('cancelled'), { once: true });
  }

  response(): Response {
    const { status, statusText, headers, body } = this.#answer;
    const head = { status, statusText, headers: [...headers] };
    if (!body) {
      this.#end('done');
      return new Response(null, head);
    }
    const reader = body.getReader();
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (done) {
              this.#end('done');
              controller.close();
            } else {
              this.#add(value);
              controller.enqueue(value);
            }
          } catch (error) {
            this.#end('broken', error);
            controller.error(error);
          }
        },
        cancel: (reason) => {
          this.#end('cancelled');
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, head);
  }

  #add(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text !== '') this.#chunks.push({ at: this.#recorder.now, text });
  }

  #end(end: LineOf<'response'>['end'], error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#untrack();
    const rest = this.#decoder.decode();
    if (rest !== '') this.#chunks.push({ at: this.#recorder.now, text: rest });
    const { scrubber } = this.#recorder;
    this.#recorder.write({
      kind: 'response',
      id: this.#id,
      status: this.#answer.status,
      headers: scrubber.headers([...this.#answer.headers].filter(([name]) => !transferHeaders.test(name))),
      headAt: this.#headAt,
      chunks: scrubChunks(this.#chunks, scrubber),
      end,
      ...(error === undefined ? {} : { error: { code: codeIn(error), message: errorText(error) } }),
    });
  }
}

/** They describe the bytes on the line, which are unpacked and cut otherwise here. */
const transferHeaders = /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive)$/i;

/** The system's code in an error of fetch, which wraps it; empty when there is none. */
function codeIn(error: unknown): string {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    current = cause;
  }
  return '';
}

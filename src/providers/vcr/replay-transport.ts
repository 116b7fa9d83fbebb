import { LlmcodeError } from '#lib/errors.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { Transport } from '../transport.ts';
import type { Cassette, LineOf } from './cassette.ts';
import type { Pace } from './pace.ts';
import { bodyValue } from './record-fetch.ts';
import { requestDifference } from './request-difference.ts';
import { Scrubber } from './scrubber.ts';

type Exchange = {
  request: LineOf<'request'>;
  /** undefined: the recording ends before the answer did. */
  response: LineOf<'response'> | undefined;
  isUsed: boolean;
};

type ReplayOptions = {
  cassette: Cassette;
  pace: Pace;
  /** Folders for whole outputs, then and now. */
  folders: () => { recordedFiles: string | undefined; files: string | undefined };
  onMismatch: (error: LlmcodeError) => void;
};

/** Answers of a recording in place of the network. Model calls must come as they came then, and in that order. */
export class ReplayTransport implements Transport {
  readonly #options: ReplayOptions;
  readonly #scrubber = new Scrubber();
  readonly #calls: Exchange[];
  readonly #lookUps: Exchange[];
  /** The place of each line in the file: what overlapped then may come in another order now. */
  readonly #order: ReadonlyMap<object, number>;

  constructor(options: ReplayOptions) {
    this.#options = options;
    const { lines } = options.cassette;
    this.#order = new Map(lines.map((line, index) => [line, index]));
    const responses = new Map(
      lines.flatMap((line) => (line.kind === 'response' ? [[line.id, line] as const] : [])),
    );
    const exchanges = lines.flatMap((line): Exchange[] =>
      line.kind === 'request' ? [{ request: line, response: responses.get(line.id), isUsed: false }] : [],
    );
    this.#calls = exchanges.filter(({ request }) => request.door === 'call');
    this.#lookUps = exchanges.filter(({ request }) => request.door === 'look-up');
  }

  get calls(): { used: number; all: number } {
    return { used: this.#calls.filter(({ isUsed }) => isUsed).length, all: this.#calls.length };
  }

  readonly call: typeof fetch = async (input, init) => {
    const exchange = this.#nextCall(String(input), init);
    exchange.isUsed = true;
    if (!exchange.response) throw this.#atEnd(`in the middle of answer ${this.#numberOf(exchange)}`);
    return this.#play(exchange.request, exchange.response, init?.signal ?? undefined);
  };

  /** The answer to the same question, the first that was not given yet, else the last one. */
  readonly lookUp: typeof fetch = async (input, init) => {
    const asked = this.#question(String(input), init);
    const known = this.#lookUps.filter(
      ({ request, response }) =>
        response &&
        request.method === asked.method &&
        request.url === asked.url &&
        JSON.stringify(request.body) === JSON.stringify(asked.body),
    );
    const found = known.find(({ isUsed }) => !isUsed) ?? known.at(-1);
    if (!found?.response) throw failure('ECONNREFUSED', `${asked.url} is not in the recording`);
    found.isUsed = true;
    return this.#play(found.request, found.response, init?.signal ?? undefined);
  };

  #nextCall(url: string, init: RequestInit | undefined): Exchange {
    const waiting = this.#calls.filter(({ isUsed }) => !isUsed);
    const [first] = waiting;
    if (!first) throw this.#atEnd(`after ${this.#calls.length} model calls`);
    const asked = this.#question(url, init);
    const fitting = waiting
      .filter((exchange) => exchange === first || this.#overlaps(first, exchange))
      .find((exchange) => this.#whatDiffers(exchange.request, asked) === undefined);
    if (fitting) return fitting;
    throw this.#mismatch(`request ${this.#numberOf(first)}: ${this.#whatDiffers(first.request, asked)}`);
  }

  #overlaps(first: Exchange, later: Exchange): boolean {
    const end = first.response && this.#order.get(first.response);
    return end === undefined || (this.#order.get(later.request) ?? 0) < end;
  }

  #whatDiffers(
    recorded: LineOf<'request'>,
    asked: Pick<LineOf<'request'>, 'method' | 'url' | 'body'>,
  ): string | undefined {
    if (recorded.method !== asked.method || recorded.url !== asked.url)
      return `it went to ${recorded.method} ${recorded.url}, now it goes to ${asked.method} ${asked.url}`;
    const difference = requestDifference(recorded.body, asked.body, this.#options.folders());
    if (!difference) return undefined;
    const { path, recorded: then, now } = difference;
    return `${path === '' ? 'the body' : path} differs: recorded ${then}, now ${now}`;
  }

  #question(url: string, init: RequestInit | undefined): { method: string; url: string; body: JsonValue } {
    return {
      method: init?.method ?? 'GET',
      url: this.#scrubber.url(url),
      body: this.#scrubber.value(bodyValue(init?.body)),
    };
  }

  #numberOf(exchange: Exchange): string {
    return `${this.#calls.indexOf(exchange) + 1} of ${this.#calls.length}`;
  }

  #mismatch(what: string): LlmcodeError {
    return this.#refuse(`The replay of ${this.#options.cassette.file} does not fit: ${what}.`);
  }

  #atEnd(where: string): LlmcodeError {
    return this.#refuse(
      `The recording ${this.#options.cassette.file} ends ${where}: there is no more to replay.`,
    );
  }

  #refuse(message: string): LlmcodeError {
    const error = new LlmcodeError('replay-mismatch', message);
    this.#options.onMismatch(error);
    return error;
  }

  async #play(
    request: LineOf<'request'>,
    response: LineOf<'response'>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    await this.#until({ at: response.headAt, since: request.at }, signal);
    if (signal?.aborted) throw signal.reason;
    const { status, headers, chunks, end, error } = response;
    const broken = failure(error?.code ?? '', error?.message ?? 'the connection broke');
    if (status === 0) throw end === 'cancelled' ? await stopped(signal) : broken;
    const pieces = chunks.entries();
    let since = response.headAt;
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = pieces.next();
          if (!done) {
            const [, { at, text }] = value;
            await this.#until({ at, since }, signal);
            since = at;
            if (signal?.aborted) controller.error(signal.reason);
            else controller.enqueue(encoder.encode(text));
          } else if (end === 'cancelled') controller.error(await stopped(signal));
          else if (end === 'broken') controller.error(broken);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const hasBody = ![101, 103, 204, 205, 304].includes(status);
    return new Response(hasBody ? stream : null, { status, headers });
  }

  async #until({ at, since }: { at: number; since: number }, signal: AbortSignal | undefined): Promise<void> {
    const { pace } = this.#options;
    await pace.wait(at - since, signal ? { signal } : {});
    await pace.passed(at, signal);
  }
}

/** What a reader gets that stopped reading then: nothing more, until it stops now. */
function stopped(signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => {
    const end = () => resolve(signal?.reason ?? failure('', 'stopped'));
    if (!signal || signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** As fetch reports it. */
function failure(code: string, message: string): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error(message), code === '' ? {} : { code }),
  });
}

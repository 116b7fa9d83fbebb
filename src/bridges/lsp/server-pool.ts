import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { createIdSource } from '#lib/ids.ts';
import type { FoundServer } from './find-servers.ts';
import type { LanguageServer } from './language-server.ts';
import { lspError } from './lsp-error.ts';
import type { ProcessBook } from './start-process.ts';

type Seat = {
  server: LanguageServer | undefined;
  starting: Promise<LanguageServer> | undefined;
  /** Why it ended unasked, each time. */
  failures: string[];
  cancelIdle: () => void;
};

/** A server that fails this often is not started again: something is wrong that a further start does not mend. */
const maxFailures = 3;

/** The running servers, one for each workspace and program; started with the first question, ended when idle. */
export class ServerPool {
  readonly #options: PoolOptions;
  readonly #seats = new Map<string, Seat>();
  readonly #newId = createIdSource();
  readonly #closing = new AbortController();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  isRunning(found: FoundServer, root: string): boolean {
    const seat = this.#seats.get(keyOf(found, root));
    return seat?.server !== undefined || seat?.starting !== undefined;
  }

  /** The server if it runs; a question to it puts off its end. */
  running(found: FoundServer, root: string): LanguageServer | undefined {
    const seat = this.#seats.get(keyOf(found, root));
    if (seat?.server) this.#rest(seat);
    return seat?.server;
  }

  async get(found: FoundServer, root: string, { signal }: { signal: AbortSignal }): Promise<LanguageServer> {
    const running = this.running(found, root);
    if (running) return running;
    const seat = this.#seatOf(found, root);
    if (seat.failures.length >= maxFailures)
      throw lspError(
        'lsp_failed',
        `${found.name} failed ${maxFailures} times and is not started again. Go on without it. The last time: ${seat.failures.at(-1)}`,
      );
    seat.starting ??= this.#start(seat, found, root);
    return untilAborted(seat.starting, signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const seats = [...this.#seats.values()];
    this.#seats.clear();
    for (const seat of seats) seat.cancelIdle();
    await Promise.all(
      seats.map(async ({ starting, server }) => {
        const last = server ?? (await starting?.catch(() => undefined));
        await last?.end();
      }),
    );
  }

  #seatOf(found: FoundServer, root: string): Seat {
    const key = keyOf(found, root);
    const seat = this.#seats.get(key) ?? {
      server: undefined,
      starting: undefined,
      failures: [],
      cancelIdle: () => undefined,
    };
    this.#seats.set(key, seat);
    return seat;
  }

  async #start(seat: Seat, found: FoundServer, root: string): Promise<LanguageServer> {
    const { env, book, clock, timeouts } = this.#options;
    let isEnding = false;
    try {
      const { LanguageServer } = await import('./language-server.ts');
      const server = await LanguageServer.start({
        ...{ found, root, env, book, clock, timeouts, signal: this.#closing.signal },
        id: `lsp-${this.#newId()}`,
        onEnd: (why) => {
          if (seat.server && !isEnding) seat.failures.push(why);
          isEnding = true;
          seat.server = undefined;
        },
      });
      // It may have ended between its last answer and now.
      if (isEnding) throw lspError('lsp_failed', `${found.name} ended at once.`);
      seat.server = server;
      this.#rest(seat);
      return server;
    } catch (error) {
      seat.failures.push(errorText(error));
      if (LlmcodeError.isInstance(error)) throw error;
      throw lspError('lsp_failed', `${found.name} could not be started: ${errorText(error)}`, error);
    } finally {
      seat.starting = undefined;
    }
  }

  #rest(seat: Seat): void {
    seat.cancelIdle();
    seat.cancelIdle = this.#options.clock.after(this.#options.idleMs, () => {
      const { server } = seat;
      seat.server = undefined; // Its end is no failure.
      void server?.end();
    });
  }
}

export type PoolOptions = {
  env: Readonly<Record<string, string>>;
  book: ProcessBook | undefined;
  clock: Clock;
  idleMs: number;
  /** Milliseconds. */
  timeouts: { start: number; request: number };
};

function keyOf({ name }: FoundServer, root: string): string {
  return `${root}\0${name}`;
}

async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => stopped.reject(lspError('lsp_aborted', 'The question was interrupted.'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

import { log } from '#lib/log.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { PrintOutput } from './print-output.ts';
import type { RunRecord, TurnEnd } from './run-record.ts';

type Deps = {
  handle: EngineHandle;
  record: RunRecord;
  output: PrintOutput;
  /** Called with each event after record and output have it. */
  onEvent(event: EngineEvent): void;
};

/** One thread driven without a screen: prompts go in, events go to record and output, one turn at a time. */
export class HeadlessRun {
  readonly #deps: Deps;
  readonly #ready = Promise.withResolvers<void>();
  #turn = Promise.withResolvers<TurnEnd>();
  readonly #pumping: Promise<void>;
  #seen = Promise.withResolvers<void>();
  #seq = 0;
  #isEnded = false;
  #isMuted = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    // Nobody may wait for these any more when they fail.
    this.#ready.promise.catch(() => undefined);
    this.#turn.promise.catch(() => undefined);
    this.#pumping = this.#pump();
  }

  /** Resolves when the state of the thread is known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when all events were written, after the handle was closed. Never rejects. */
  get done(): Promise<void> {
    return this.#pumping;
  }

  /** Sends a prompt and resolves at the end of its turn. */
  async prompt(text: string): Promise<TurnEnd> {
    this.#turn = Promise.withResolvers<TurnEnd>();
    this.#deps.handle.submit({ kind: 'prompt', text, images: [], delivery: 'queue' });
    return this.#turn.promise;
  }

  /** Resolves at the end of the turn that runs now. */
  get turnEnd(): Promise<TurnEnd> {
    return this.#turn.promise;
  }

  /**
   * Resolves when all that has happened in the thread was written, with the end of its last turn; a turn that still
   * runs is stopped. For a thread that somebody else prompts.
   */
  async caughtUp(): Promise<TurnEnd | undefined> {
    const { handle, record } = this.#deps;
    if (record.state?.turnId !== null) this.interrupt();
    for (let last = await lastSeq(handle); this.#seq < last || record.state?.turnId !== null; ) {
      if (this.#isEnded) break;
      await this.#seen.promise;
      last = await lastSeq(handle);
    }
    return record.turnEnd;
  }

  /** Nothing goes to the output any more: its last line is out. */
  mute(): void {
    this.#isMuted = true;
  }

  interrupt(): void {
    this.#deps.handle.submit({ kind: 'interrupt' });
  }

  async #pump(): Promise<void> {
    const { handle, record, output, onEvent } = this.#deps;
    try {
      for await (const event of handle.events()) {
        if (this.#isMuted) continue;
        record.add(event);
        await output.event(event, record);
        onEvent(event);
        if (event.kind === 'thread-snapshot') this.#ready.resolve();
        if (event.kind === 'turn-end') this.#turn.resolve(event);
        this.#seq = event.seq;
        this.#wake();
      }
      this.#fail(new Error('the thread was closed in the middle of a turn'));
    } catch (error) {
      log('the event stream broke:', error);
      this.#fail(error);
    }
  }

  #wake(): void {
    this.#seen.resolve();
    this.#seen = Promise.withResolvers<void>();
  }

  #fail(error: unknown): void {
    this.#isEnded = true;
    this.#wake();
    this.#ready.reject(error);
    this.#turn.reject(error);
  }
}

async function lastSeq(handle: EngineHandle): Promise<number> {
  for await (const event of handle.events()) return event.seq;
  return 0;
}

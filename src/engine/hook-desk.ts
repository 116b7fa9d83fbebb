import type { IdSource } from '#lib/ids.ts';
import type { HookEvent, HookOutcome, HookRunner, HookScene } from '#protocol/hook.ts';
import type { LiveThread } from './thread/live-thread.ts';
import { fireHook } from './turn/fire-hook.ts';

type HookDeskOptions = {
  runner: HookRunner;
  thread: LiveThread;
  /** The log of the thread; undefined = it is not kept. */
  transcript: string | undefined;
  agent: HookScene['agent'];
  ids: IdSource;
  supervise(work: Promise<unknown>): void;
};

type Beginning = {
  source: Extract<HookEvent, { event: 'session-start' }>['source'];
  instructionFiles: readonly Omit<Extract<HookEvent, { event: 'instructions-loaded' }>, 'event'>[];
  signal: AbortSignal;
};

/** The hooks of one thread: says where things happen, tells those that only watch, and keeps what they want said. */
export class HookDesk implements HookRunner {
  readonly #options: HookDeskOptions;
  readonly #end = new AbortController();
  readonly #context: string[] = [];
  #beginning: Promise<unknown> = Promise.resolve();

  constructor(options: HookDeskOptions) {
    this.#options = options;
  }

  fire(event: HookEvent, { signal }: { signal: AbortSignal }): Promise<HookOutcome> {
    return this.#options.runner.fire(event, { signal, scene: this.#scene() });
  }

  /** Nothing waits for the hooks of this event, and nothing can be changed by them. */
  tell(event: HookEvent): void {
    const told = this.fire(event, { signal: this.#end.signal }).then(({ notices }) => this.#show(notices));
    this.#options.supervise(told);
  }

  /** What hooks say to the model is handed out with the first turn. */
  begin({ source, instructionFiles, signal }: Beginning): void {
    this.#beginning = this.#start(source, signal);
    this.#options.supervise(this.#beginning);
    for (const file of instructionFiles) this.tell({ event: 'instructions-loaded', ...file });
  }

  /** After history was summarised: what hooks said at the start is gone with it. */
  restart({ signal }: { signal: AbortSignal }): Promise<void> {
    return this.#start('compact', signal);
  }

  /** What is to be told to the model now; each text once. */
  async takeContext(): Promise<string | undefined> {
    await this.#beginning;
    const context = this.#context.splice(0);
    return context.length === 0 ? undefined : context.join('\n\n');
  }

  /** Ends what is still being told. */
  close(): void {
    this.#end.abort();
  }

  async #start(source: Beginning['source'], signal: AbortSignal): Promise<void> {
    const { context, notices } = await fireHook(this, { event: 'session-start', source }, { signal });
    this.#show(notices);
    if (context) this.#context.push(context);
  }

  #scene(): HookScene {
    const { thread, transcript, agent } = this.#options;
    const { mode, turnId, model } = thread.state;
    return {
      mode,
      ...(turnId === null ? {} : { promptId: turnId }),
      ...(transcript === undefined ? {} : { transcript }),
      ...(model === null ? {} : { model }),
      ...(agent === undefined ? {} : { agent }),
    };
  }

  #show(notices: readonly string[]): void {
    if (this.#end.signal.aborted) return;
    const { thread, ids } = this.#options;
    for (const text of notices) {
      const notice = { id: ids(), kind: 'notice' as const, level: 'info' as const, text };
      thread.emit({ kind: 'notice-added', notice }, thread.state.turnId);
    }
  }
}

import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

/** A thread as a screen would see it, for tests that wait for something to be true of it. */
export class ThreadView {
  state: ThreadState = emptyThreadState({ threadId: '', cwd: '', mode: 'prompt' });
  readonly #handle: EngineHandle;
  readonly #changed = new Set<() => void>();

  constructor(handle: EngineHandle) {
    this.#handle = handle;
    void this.#follow();
  }

  async until(isTrue: (state: ThreadState) => boolean, timeoutMs = 15_000): Promise<void> {
    const limit = Date.now() + timeoutMs;
    while (!isTrue(this.state)) {
      if (Date.now() > limit)
        throw new Error(`never became true: ${JSON.stringify(this.state).slice(0, 2_000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.#changed.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Answers every permission request from now on. */
  async answerAll(kind: 'once' | 'reject'): Promise<void> {
    const answered = new Set<string>();
    const answer = () => {
      for (const { id } of this.state.permissions) {
        if (answered.has(id)) continue;
        answered.add(id);
        this.#handle.submit({ kind: 'answer-permission', requestId: id, answer: { kind } });
      }
    };
    this.#onEvent = answer;
    answer();
  }

  #onEvent: () => void = () => undefined;

  async #follow(): Promise<void> {
    for await (const event of this.#handle.events()) {
      this.state = applyEvent(this.state, event);
      this.#onEvent();
      for (const wake of [...this.#changed]) wake();
      this.#changed.clear();
    }
  }
}

import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { followThread } from '../store/follow-thread.ts';
import type { UiStore } from '../store/ui-store.ts';

/** The thread on the screen: where its events come from and where actions go. */
export interface ThreadFollower {
  handle(): EngineHandle;
  submit(action: UserAction): void;
  /** Shows another thread from now on; `notice` is said in it once it is there. */
  attach(handle: EngineHandle, notice?: string): void;
  close(): void;
}

export function createThreadFollower(options: {
  store: UiStore;
  clock: Clock;
  first: EngineHandle;
}): ThreadFollower {
  const { store, clock } = options;
  let handle = options.first;
  let stopping = new AbortController();

  const follow = async (followed: EngineHandle, signal: AbortSignal) => {
    try {
      await followThread(store, followed, { signal, clock });
    } catch (error) {
      log('the events of the thread broke off', error);
      if (signal.aborted) return;
      store.addNotice({
        level: 'error',
        text: `The connection to this conversation broke: ${errorText(error)}`,
      });
    }
  };
  const start = () => {
    stopping = new AbortController();
    void follow(handle, stopping.signal);
  };
  const sayWhenShown = (notice: string, { threadId }: EngineHandle) => {
    const say = () => {
      if (store.getThread().threadId !== threadId) return;
      stop();
      store.addNotice({ level: 'info', text: notice });
    };
    const stop = store.subscribe(say);
  };

  start();
  return {
    handle: () => handle,
    submit: (action) => handle.submit(action),
    attach(next, notice) {
      stopping.abort();
      handle = next;
      if (notice) sayWhenShown(notice, next);
      start();
    },
    close: () => stopping.abort(),
  };
}

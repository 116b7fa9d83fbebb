import { emptyThreadState } from '#protocol/apply-event.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { createDialogs } from '#ui/dialogs/dialogs.ts';
import type { KeyPress } from '#ui/input/key-press.ts';
import { createUiStore } from '#ui/store/ui-store.ts';
import { createFakePort, type FakePort } from '../../../support/ui/fake-port.ts';
import { createHeldClock, keysOf } from './support.ts';

export type SetUpOptions = {
  thread?: Partial<ThreadState>;
  port?: NonNullable<Parameters<typeof createFakePort>[0]>;
};

/** Dialogs over a fake port, a real store and a clock that stands still. */
export function setUp(options: SetUpOptions = {}) {
  const clock = createHeldClock();
  const port: FakePort = createFakePort(options.port);
  const start: ThreadState = {
    ...emptyThreadState({ threadId: 'thread-1', cwd: port.cwd, mode: 'prompt' }),
    ...options.thread,
  };
  const store = createUiStore({ clock, thread: start });
  const submitted: UserAction[] = [];
  const outcomes: CommandOutcome[] = [];
  const dialogs = createDialogs({
    port,
    store,
    clock,
    submit: (action) => void submitted.push(action),
    act: (outcome) => void outcomes.push(outcome),
  });
  return {
    clock,
    port,
    store,
    submitted,
    outcomes,
    dialogs,
    kind: () => dialogs.getSnapshot().dialog?.kind,
    /** What each key was answered with. */
    press: (...entries: (string | KeyPress)[]) => keysOf(entries).map((key) => dialogs.handleKey(key)),
    /** The thread as the engine says it is now. */
    thread: (changes: Partial<ThreadState>) => store.attach({ ...store.getThread(), ...changes }),
    calm: () => clock.advance(1_000),
  };
}

import type { Clock } from '#lib/clock.ts';
import type { UserAction } from '#protocol/user-action.ts';
import type { UiStore } from '../../store/ui-store.ts';
import { atTime, isRunning, type TasksDialog, withShells } from './tasks-dialog.ts';

/** What a dialog that shows the thread as it goes on is fed from. */
export type LiveParts = {
  store: Pick<UiStore, 'getThread' | 'subscribe'>;
  clock: Clock;
  submit(action: UserAction): void;
};

const tickMs = 1_000;

/** Keeps the list as the thread has it, until `signal` aborts. A change that shows nothing new returns its dialog. */
export function followTasks(
  { store, clock, submit }: LiveParts,
  { signal, update }: { signal: AbortSignal; update(change: (dialog: TasksDialog) => TasksDialog): void },
): void {
  let seen = store.getThread().shells;
  const onChange = () => {
    const { shells } = store.getThread();
    if (shells === seen) return;
    seen = shells;
    update((dialog) => withShells(dialog, shells ?? []));
  };
  const onTick = () => {
    if (seen?.some(isRunning)) update((dialog) => atTime(dialog, clock.now()));
    // Nobody tells what a command says that an earlier session kept.
    if (seen?.some(({ isEarlier }) => isEarlier)) submit({ kind: 'look-at-shells' });
    cancelTick = clock.after(tickMs, onTick);
  };
  const leave = store.subscribe(onChange);
  let cancelTick = clock.after(tickMs, onTick);
  const stop = () => {
    leave();
    cancelTick();
  };
  signal.addEventListener('abort', stop, { once: true });
  submit({ kind: 'look-at-shells' });
}

import type { BackgroundShell } from '#protocol/shells.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { durationText } from '../../status/shell-text.ts';
import { type ChoiceList, emptyList, keepSelection } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { moveByKey } from '../picker.ts';
import { scrollByKey } from '../scroll-keys.ts';

type TasksTask =
  | { readonly kind: 'list' }
  /** `scroll` null: the newest rows stay in view as they come. */
  | { readonly kind: 'output'; readonly shellId: string; readonly scroll: number | null }
  | { readonly kind: 'end'; readonly shellId: string; readonly from: TasksTask };

/** The commands in the background, as they stand now. */
export type TasksDialog = {
  readonly kind: 'tasks';
  readonly shells: readonly BackgroundShell[];
  /** Running times are counted up to here, milliseconds since 1970. */
  readonly now: number;
  readonly list: ChoiceList;
  readonly task: TasksTask;
};

export function openTasks(shells: readonly BackgroundShell[], now: number): TasksDialog {
  const list = { ...emptyList, selected: shells.find(isRunning)?.id ?? shells[0]?.id };
  return { kind: 'tasks', shells, now, list, task: { kind: 'list' } };
}

/** The same dialog when there is nothing new to show. */
export function withShells(dialog: TasksDialog, shells: readonly BackgroundShell[]): TasksDialog {
  if (shells === dialog.shells) return dialog;
  const list = keepSelection(dialog.list, idsOf(dialog.shells), idsOf(shells));
  return { ...dialog, shells, list, task: stillMeant(dialog.task, shells) };
}

/** The same dialog when no running time reads otherwise. */
export function atTime(dialog: TasksDialog, now: number): TasksDialog {
  const isSame = dialog.shells.every((shell) => durationText(shell, now) === durationText(shell, dialog.now));
  return isSame ? dialog : { ...dialog, now };
}

export function isRunning({ state }: BackgroundShell): boolean {
  return state === 'running';
}

export function shellOf({ shells }: TasksDialog, id: string | undefined): BackgroundShell | undefined {
  return shells.find((shell) => shell.id === id);
}

export function reduceTasks(
  dialog: TasksDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<TasksDialog> | undefined {
  const { task } = dialog;
  switch (task.kind) {
    case 'list':
      return reduceList(dialog, key, scene);
    case 'output':
      return reduceOutput(dialog, task, { key, scene });
    case 'end':
      return reduceEnd(dialog, task, key);
  }
}

function reduceList(dialog: TasksDialog, key: KeyPress, scene: KeyScene): Step<TasksDialog> | undefined {
  const { selected } = dialog.list;
  switch (keyName(key)) {
    case 'escape':
    case 'ctrl+c':
    case 'q':
      return step(dialog, { kind: 'close' });
    case 'enter':
      return selected === undefined
        ? step(dialog)
        : step(
            { ...dialog, task: { kind: 'output', shellId: selected, scroll: null } },
            { kind: 'submit', action: { kind: 'look-at-shells' } },
          );
  }
  const list = moveByKey(dialog.list, key, { ids: idsOf(dialog.shells), scene });
  return list ? step({ ...dialog, list }) : actOn(dialog, selected, key);
}

function reduceOutput(
  dialog: TasksDialog,
  task: Extract<TasksTask, { kind: 'output' }>,
  { key, scene }: { key: KeyPress; scene: KeyScene },
): Step<TasksDialog> | undefined {
  switch (keyName(key)) {
    case 'escape':
    case 'ctrl+c':
    case 'enter':
    case 'q':
      return step({ ...dialog, task: { kind: 'list' } });
  }
  const scroll = scrollByKey(task.scroll ?? scene.maxScroll, key, { scene, arrows: true });
  if (scroll === undefined) return actOn(dialog, task.shellId, key);
  return step({ ...dialog, task: { ...task, scroll: scroll >= scene.maxScroll ? null : scroll } });
}

/** What can be done with a command that runs. */
function actOn(
  dialog: TasksDialog,
  shellId: string | undefined,
  key: KeyPress,
): Step<TasksDialog> | undefined {
  const shell = shellOf(dialog, shellId);
  switch (keyName(key)) {
    case 'x':
    case 'delete':
      return step(
        shell && isRunning(shell)
          ? { ...dialog, task: { kind: 'end', shellId: shell.id, from: dialog.task } }
          : dialog,
      );
    case 'k':
      return shell && canKeep(shell)
        ? step(dialog, { kind: 'submit', action: { kind: 'shell-task', verb: 'keep', shellId: shell.id } })
        : step(dialog);
    default:
      return undefined;
  }
}

export function canKeep(shell: BackgroundShell): boolean {
  return isRunning(shell) && !shell.isKept;
}

function reduceEnd(
  dialog: TasksDialog,
  { shellId, from }: Extract<TasksTask, { kind: 'end' }>,
  key: KeyPress,
): Step<TasksDialog> | undefined {
  switch (keyName(key)) {
    case 'y':
      return step(
        { ...dialog, task: from },
        { kind: 'submit', action: { kind: 'shell-task', verb: 'kill', shellId } },
      );
    case 'n':
    case 'escape':
    case 'ctrl+c':
      return step({ ...dialog, task: from });
    default:
      return undefined;
  }
}

/** A question about a command that has ended meanwhile, or output of one that is gone, is not meant any more. */
function stillMeant(task: TasksTask, shells: readonly BackgroundShell[]): TasksTask {
  if (task.kind === 'list') return task;
  const shell = shells.find(({ id }) => id === task.shellId);
  if (!shell) return { kind: 'list' };
  return task.kind === 'end' && !isRunning(shell) ? task.from : task;
}

function idsOf(shells: readonly BackgroundShell[]): readonly string[] {
  return shells.map(({ id }) => id);
}

import type { KeyPress } from '../input/key-press.ts';
import { type ConsultDialog, reduceConsult } from './consult/consult-dialog.ts';
import { type CopyDialog, reduceCopy } from './copy/copy-dialog.ts';
import type { KeyScene, Step } from './dialog-step.ts';
import { type HelpDialog, reduceHelp } from './help/help-dialog.ts';
import { type ConfigDialog, reduceConfig } from './lists/config-dialog.ts';
import { type ModeDialog, reduceModes } from './lists/mode-dialog.ts';
import { type PermissionsDialog, reducePermissions } from './lists/permissions-dialog.ts';
import { reduceTasks, type TasksDialog } from './lists/tasks-dialog.ts';
import { reduceThemes, type ThemeDialog } from './lists/theme-dialog.ts';
import { reduceThreads, type ThreadsDialog } from './lists/threads-dialog.ts';
import { type ModelDialog, reduceModels } from './model/model-dialog.ts';
import { type PaletteDialog, reducePalette } from './palette/palette-dialog.ts';
import { type PermissionDialog, reducePermission } from './permission/permission-dialog.ts';
import { type QuestionDialog, reduceQuestion } from './question/question-dialog.ts';
import { type RewindDialog, reduceRewind } from './rewind/rewind-dialog.ts';

/** What the engine waits for; it opens by itself and stays until it is answered. */
export type AskDialog = PermissionDialog | QuestionDialog;

/** What the person opened. */
export type OpenedDialog =
  | ModelDialog
  | ThreadsDialog
  | HelpDialog
  | ThemeDialog
  | ConfigDialog
  | ModeDialog
  | PermissionsDialog
  | TasksDialog
  | ConsultDialog
  | PaletteDialog
  | RewindDialog
  | CopyDialog;

/** The state of a dialog, as plain data. */
export type Dialog = AskDialog | OpenedDialog;

export function isAsk(dialog: Dialog): dialog is AskDialog {
  return dialog.kind === 'permission' || dialog.kind === 'question';
}

/** Names what the person is looking at: while it stays the same, a key cannot have been meant for something else. */
export function placeOf(dialog: Dialog): string {
  switch (dialog.kind) {
    case 'permission':
      return `permission ${dialog.request.id}`;
    case 'question':
      return `question ${dialog.request.id} ${dialog.index}`;
    case 'model':
      if (dialog.card) return 'model card';
      return dialog.form?.review ? 'model review' : 'model';
    case 'rewind':
      return `rewind ${dialog.point?.promptId ?? ''}`;
    case 'consult':
      return `consult ${dialog.review.id}`;
    case 'mode':
      return dialog.isConfirming ? 'mode confirmation' : 'mode';
    case 'permissions':
      return `permissions ${dialog.task.kind}`;
    case 'tasks':
      return `tasks ${dialog.task.kind}`;
    default:
      return dialog.kind;
  }
}

/** True for what comes up unasked or makes something happen for good: a key on its way must not answer it. */
export function isConfirmation(dialog: Dialog): boolean {
  switch (dialog.kind) {
    case 'permission':
    case 'consult':
      return true;
    case 'question':
      return dialog.index === 0;
    case 'model':
      return dialog.isFirstRun || dialog.card !== null || dialog.form?.review != null;
    case 'mode':
      return dialog.isConfirming;
    case 'permissions':
      return dialog.task.kind === 'remove';
    case 'tasks':
      return dialog.task.kind === 'end';
    case 'rewind':
      return dialog.point !== null;
    default:
      return false;
  }
}

/** What a key does; undefined when it means nothing to the dialog. Pure. */
export function reduceDialog(dialog: Dialog, key: KeyPress, scene: KeyScene): Step<Dialog> | undefined {
  switch (dialog.kind) {
    case 'permission':
      return reducePermission(dialog, key, scene);
    case 'question':
      return reduceQuestion(dialog, key, scene);
    case 'model':
      return reduceModels(dialog, key, scene);
    case 'threads':
      return reduceThreads(dialog, key, scene);
    case 'help':
      return reduceHelp(dialog, key, scene);
    case 'theme':
      return reduceThemes(dialog, key, scene);
    case 'config':
      return reduceConfig(dialog, key, scene);
    case 'mode':
      return reduceModes(dialog, key, scene);
    case 'permissions':
      return reducePermissions(dialog, key, scene);
    case 'rewind':
      return reduceRewind(dialog, key, scene);
    case 'tasks':
      return reduceTasks(dialog, key, scene);
    case 'consult':
      return reduceConsult(dialog, key, scene);
    case 'palette':
      return reducePalette(dialog, key, scene);
    case 'copy':
      return reduceCopy(dialog, key, scene);
  }
}

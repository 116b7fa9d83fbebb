import type { CommandSpec, DialogName } from '#protocol/command.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { Keymap } from '../input/keymap.ts';
import { openCopy } from './copy/copy-dialog.ts';
import type { OpenedDialog } from './dialog.ts';
import { openHelp } from './help/help-dialog.ts';
import { openConfig } from './lists/config-dialog.ts';
import { openModes } from './lists/mode-dialog.ts';
import { openPermissions } from './lists/permissions-dialog.ts';
import { openTasks } from './lists/tasks-dialog.ts';
import { openThemes } from './lists/theme-dialog.ts';
import { openThreads } from './lists/threads-dialog.ts';
import { openModels } from './model/model-dialog.ts';
import { openPalette } from './palette/palette-dialog.ts';
import { openRewind } from './rewind/rewind-dialog.ts';
import { fieldOf } from './text-field.ts';

/** A dialog as it stands before anything is known of what it lists. */
export function openDialog(
  name: DialogName,
  {
    thread,
    themeIds,
    themeId,
    now,
    commands,
    keymap,
    chosen,
    filter,
  }: {
    thread: ThreadState;
    themeIds: readonly string[];
    themeId: string;
    now: number;
    commands: readonly CommandSpec[];
    keymap: Keymap;
    chosen: readonly string[];
    filter?: string | undefined;
  },
): OpenedDialog {
  switch (name) {
    case 'model':
      return openModels({ isFirstRun: false, current: thread.model });
    case 'first-run':
      return openModels({ isFirstRun: true, current: null });
    case 'threads':
      return openThreads({
        currentId: thread.threadId,
        openedAt: now,
        ...(filter === undefined ? {} : { filter: fieldOf(filter) }),
      });
    case 'help':
      return openHelp;
    case 'theme':
      return openThemes({ ids: themeIds, current: themeId });
    case 'config':
      return openConfig;
    case 'mode':
      return openModes(thread.mode);
    case 'rewind':
      return openRewind(thread, now);
    case 'copy':
      return openCopy(thread);
    case 'palette':
      return openPalette({ commands, keymap, chosen });
    case 'permissions':
      return openPermissions;
    case 'tasks':
      return openTasks(thread.shells ?? [], now);
  }
}

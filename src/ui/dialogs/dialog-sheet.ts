import { consultSheet } from './consult/consult-view.ts';
import { copySheet } from './copy/copy-view.ts';
import type { Dialog } from './dialog.ts';
import { type HelpScene, helpSheet } from './help/help-view.ts';
import { configSheet } from './lists/config-view.ts';
import { modeSheet } from './lists/mode-view.ts';
import { permissionsSheet } from './lists/permissions-view.ts';
import { tasksSheet } from './lists/tasks-view.ts';
import { themeSheet } from './lists/theme-view.ts';
import { threadsSheet } from './lists/threads-view.ts';
import { modelSheet } from './model/model-view.ts';
import { paletteSheet } from './palette/palette-view.ts';
import { type PermissionScene, permissionSheet } from './permission/permission-view.ts';
import { questionSheet } from './question/question-view.ts';
import { rewindSheet } from './rewind/rewind-view.ts';
import type { Sheet } from './sheet/sheet.ts';

/** A dialog as a sheet. */
export function dialogSheet(dialog: Dialog, scene: PermissionScene & HelpScene): Sheet {
  switch (dialog.kind) {
    case 'permission':
      return permissionSheet(dialog, scene);
    case 'question':
      return questionSheet(dialog, scene);
    case 'model':
      return modelSheet(dialog, scene);
    case 'threads':
      return threadsSheet(dialog, scene);
    case 'help':
      return helpSheet(dialog, scene);
    case 'theme':
      return themeSheet(dialog);
    case 'config':
      return configSheet(dialog, scene);
    case 'mode':
      return modeSheet(dialog, scene);
    case 'permissions':
      return permissionsSheet(dialog, scene);
    case 'rewind':
      return rewindSheet(dialog, scene);
    case 'tasks':
      return tasksSheet(dialog, scene);
    case 'consult':
      return consultSheet(dialog, scene);
    case 'palette':
      return paletteSheet(dialog, scene);
    case 'copy':
      return copySheet(dialog, scene);
  }
}

import type { PermissionMode } from '#protocol/permission.ts';
import { permissionModes } from '#protocol/permission-mode.ts';
import { span } from '../../theme/span.ts';
import { modeToken } from '../../theme/tokens.ts';
import { cell } from '../sheet/columns.ts';
import { listBody } from '../sheet/list-rows.ts';
import { paragraph, type Sheet, staticBody, type ViewScene } from '../sheet/sheet.ts';
import type { ModeDialog } from './mode-dialog.ts';

const explanations: Readonly<Record<PermissionMode, string>> = {
  plan: 'reads and thinks; changes nothing, then shows a plan',
  read_only: 'reads; changes nothing and runs nothing that could',
  prompt: 'reads; asks before changes and commands that do more',
  workspace_write: 'edits files of this folder; asks before commands',
  auto_accept: 'edits and runs; asks when it is dangerous or outside',
  full_access: 'asks nothing at all, also outside of this folder',
};

export function modeSheet(dialog: ModeDialog, { width }: ViewScene): Sheet {
  if (dialog.isConfirming) return confirmationSheet(width);
  return {
    frame: 'box',
    title: 'mode',
    note: '',
    head: [],
    body: listBody(dialog.list, permissionModes, {
      idOf: (mode) => mode,
      draw: (mode) => [
        span(mode === dialog.current ? '● ' : '  ', 'accent'),
        cell(mode, 17, modeToken(mode)),
        ...(width >= 60 ? [span(explanations[mode], 'dim')] : []),
      ],
    }),
    foot:
      width >= 60
        ? []
        : paragraph(explanations[permissionModes.find((mode) => mode === dialog.list.selected) ?? 'prompt'], {
            width,
            token: 'dim',
          }),
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'switch' },
      { key: 'Esc', does: 'close' },
    ],
  };
}

function confirmationSheet(width: number): Sheet {
  const text =
    'full_access runs everything without asking, also outside of this folder. Only what is catastrophic is still refused.';
  return {
    frame: 'box',
    title: 'switch to full_access?',
    note: '',
    head: [],
    body: staticBody(paragraph(text, { width, token: 'warning' })),
    foot: [],
    keys: [
      { key: 'y', does: 'yes, I know' },
      { key: 'n', does: 'no' },
    ],
  };
}

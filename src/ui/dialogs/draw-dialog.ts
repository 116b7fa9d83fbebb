import { type Dialog, isAsk } from './dialog.ts';
import { dialogSheet } from './dialog-sheet.ts';
import type { Dialogs, DialogsSnapshot } from './dialogs.ts';
import { type FittedSheet, fitSheet, frameRows, innerWidth } from './sheet/fit-sheet.ts';
import type { Sheet } from './sheet/sheet.ts';

/** A dialog made ready for the screen. */
export type DrawnDialog = {
  readonly sheet: Sheet;
  readonly fitted: FittedSheet;
  /** Columns that it takes, and those inside its frame. */
  readonly width: number;
  readonly inside: number;
  readonly height: number;
};

export type DialogRoom = { readonly width: number; readonly maxRows: number };

/** The last drawing of a snapshot: its height is asked for before it is drawn. */
const drawings = new WeakMap<DialogsSnapshot, { room: DialogRoom; drawn: DrawnDialog | null }>();

export function drawDialog(dialogs: Dialogs, room: DialogRoom): DrawnDialog | null {
  const snapshot = dialogs.getSnapshot();
  const known = drawings.get(snapshot);
  if (known?.room.width === room.width && known.room.maxRows === room.maxRows) return known.drawn;
  const drawn = draw(dialogs, snapshot, room);
  drawings.set(snapshot, { room, drawn });
  return drawn;
}

function draw(dialogs: Dialogs, snapshot: DialogsSnapshot, room: DialogRoom): DrawnDialog | null {
  const { dialog, asks, callsBehind, isArmed } = snapshot;
  if (!dialog) return null;
  const { port, keymap } = dialogs;
  const width = Math.min(room.width, widest);
  const frame = dialog.kind === 'model' && dialog.isFirstRun && !dialog.form ? 'bar' : 'box';
  const inside = innerWidth(frame, width);
  const { commands, cwd, cwdLabel } = port;
  const sheet = dialogSheet(dialog, { width: inside, cwd, cwdLabel, asks, callsBehind, commands, keymap });
  const waiting = !isAsk(dialog) && asks > 0 ? `${asks} waiting for your answer` : '';
  const note = [sheet.note, waiting].filter((part) => part !== '').join(' · ');
  const maxRows = frame === 'bar' ? room.maxRows : sheetRows(room.maxRows, dialog);
  const fitted = fitSheet({ ...sheet, note }, { width: inside, maxRows, isArmed });
  return { sheet: { ...sheet, note }, fitted, width, inside, height: fitted.rows.length + frameRows(frame) };
}

/** Longer rows are hard to read, however wide the window is. */
const widest = 120;

/**
 * On a screen that is not low, rows stay for what the dialog is about: few where the person must see all that they
 * decide on, more behind a list.
 */
function sheetRows(maxRows: number, dialog: Dialog): number {
  if (maxRows < 16) return maxRows;
  return isAsk(dialog) || dialog.kind === 'consult' ? maxRows - 2 : Math.max(16, Math.floor(maxRows * 0.8));
}

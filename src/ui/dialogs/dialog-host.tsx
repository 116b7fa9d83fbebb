import { type ReactElement, useLayoutEffect, useSyncExternalStore } from 'react';
import type { UiStore } from '../store/ui-store.ts';
import type { Dialogs } from './dialogs.ts';
import { type DialogRoom, drawDialog } from './draw-dialog.ts';
import { SheetFrame } from './sheet/sheet-frame.tsx';

type DialogHostProps = DialogRoom & {
  readonly dialogs: Dialogs;
  readonly store: UiStore;
  /** The row of the screen where the dialog begins. */
  readonly top: number;
};

/** The open dialog as a sheet at the bottom of the screen; nothing while none is open. */
export function DialogHost({ dialogs, width, maxRows, top }: DialogHostProps): ReactElement | null {
  useSyncExternalStore(dialogs.subscribe, dialogs.getSnapshot);
  const drawn = drawDialog(dialogs, { width, maxRows });
  // What a key does may depend on what the person saw when they pressed it.
  useLayoutEffect(() => {
    if (drawn) dialogs.noteDrawn({ ...drawn.fitted, width: drawn.inside });
  }, [dialogs, drawn]);
  if (!drawn) return null;
  return <SheetFrame drawn={drawn} top={top} />;
}

/** The rows that the open dialog takes at most `maxRows` of; 0 while none is open. */
export function dialogRows(dialogs: Dialogs, room: DialogRoom): number {
  return drawDialog(dialogs, room)?.height ?? 0;
}

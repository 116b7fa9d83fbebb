import { cleanName } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd } from '#lib/text-width.ts';
import type { PendingInput } from '#protocol/thread-state.ts';
import { Rows } from '../frame/row.tsx';
import type { UiStore } from '../store/ui-store.ts';
import { useStore } from '../store/use-store.ts';
import { type Span, span } from '../theme/span.ts';
import { isBusy } from './activity.ts';

/** Messages that wait, the newest last: that is the one that Up takes back. */
export function PendingRows({ store, count, width, margin }: PendingRowsProps) {
  const pending = useStore(store, ({ thread }) => thread.pending);
  const isHeld = useStore(store, ({ thread }) => !isBusy(thread));
  const shown = pending.slice(-count);
  const rows = shown.map((input, index) =>
    pendingRow(input, { width: width - margin * 2, isNewest: index === shown.length - 1, isHeld }),
  );
  return <Rows rows={rows} margin={margin} />;
}

type PendingRowsProps = {
  readonly store: UiStore;
  readonly count: number;
  readonly width: number;
  readonly margin: number;
};

/** When the message goes in (`isHeld`: no turn runs, and none begins by itself), and how to take it back. */
export function pendingRow(
  { text, delivery }: PendingInput,
  { width, isNewest, isHeld = false }: { width: number; isNewest: boolean; isHeld?: boolean },
): readonly Span[] {
  const turnTime = delivery === 'steer' ? 'goes in at the next step' : 'goes in after this turn';
  const when = isHeld ? 'goes out with Enter' : turnTime;
  const note = isNewest ? `${when} · ↑ takes it back` : when;
  const shownNote = textWidth(note) + 16 <= width ? note : isNewest ? '↑ takes it back' : '';
  const room = Math.max(1, width - 2 - textWidth(shownNote) - 2);
  const line = truncateEnd(cleanName(text.trim().replaceAll(/\s+/g, ' ')), room);
  const fill = ' '.repeat(Math.max(0, width - 2 - textWidth(line) - textWidth(shownNote)));
  return [span('↳ ', 'accent'), span(line, 'dim'), span(fill), span(shownNote, 'dim')];
}

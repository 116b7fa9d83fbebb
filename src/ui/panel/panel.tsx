import { Box, useAnimation } from 'ink';
import type { Clock } from '#lib/clock.ts';
import { Row } from '../frame/row.tsx';
import type { UiStore } from '../store/ui-store.ts';
import { useStore } from '../store/use-store.ts';
import { clipSpans, span } from '../theme/span.ts';
import { type PanelKind, panelRows } from './panel-rows.ts';

type PanelProps = {
  readonly panel: PanelKind;
  readonly store: UiStore;
  readonly clock: Clock;
  readonly width: number;
  readonly rows: number;
  /** With a line to its left, else with one above. */
  readonly isBeside: boolean;
  /** The key that closes it, as a person reads it. */
  readonly closeKey: string | undefined;
};

/** Counts time only while something runs in it. */
export function Panel({ panel, store, clock, width, rows, isBeside, closeKey }: PanelProps) {
  const todos = useStore(store, ({ thread }) => thread.todos);
  const shells = useStore(store, ({ thread }) => thread.shells) ?? noShells;
  const isTicking = panel === 'tasks' && shells.some(({ state }) => state === 'running');
  useAnimation({ interval: 1_000, isActive: isTicking });
  const scene = { todos, shells, now: clock.now() };
  const inside = width - 3;
  const room = { width: inside, rows: isBeside ? rows : rows - 1, key: closeKey };
  const lines = panelRows(panel, scene, room).map((line) => clipSpans(line, inside));
  const left = isBeside ? span('│ ', 'border') : span('  ');
  const shown = isBeside ? Array.from({ length: rows }, (_, index) => lines[index] ?? []) : lines;
  return (
    <Box flexDirection="column" width={width} height={rows}>
      {!isBeside && <Row spans={[span('─'.repeat(width), 'border')]} />}
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its place, whatever stands there.
        <Row key={index} spans={[left, ...line]} />
      ))}
    </Box>
  );
}

const noShells: never[] = [];

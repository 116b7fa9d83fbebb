import { Box, Text, useAnimation } from 'ink';
import { memo, useSyncExternalStore } from 'react';
import type { UiStore } from '../store/ui-store.ts';
import { hasEqualFields, type StoreState, useStore } from '../store/use-store.ts';
import type { Theme } from '../theme/theme.ts';
import { useTheme } from '../theme/theme-context.ts';
import type { TranscriptActions } from './actions.ts';
import { hintRow } from './hint.ts';
import type { LiveRow, Row } from './row.ts';
import { searchRow } from './search/search-row.ts';
import { type TranscriptModel, transcriptModel } from './transcript-model.ts';
import { type WelcomeInput, welcomeRows } from './welcome.ts';

type TranscriptProps = {
  store: UiStore;
  width: number;
  height: number;
  /** Shown while the thread is empty. */
  welcome: WelcomeInput;
  /** The key that leads to the newest row, as a person reads it. */
  newestKey?: string;
};

/** The conversation in a box of exactly `width` by `height` cells, whatever its length. */
export const Transcript = memo(function Transcript({
  store,
  width,
  height,
  welcome,
  newestKey,
}: TranscriptProps) {
  const theme = useTheme();
  const model = transcriptModel(store);
  useStore(store, transcriptState, hasEqualFields);
  useSyncExternalStore(model.onCodeReady, model.codeVersion, model.codeVersion);
  const rows = visibleRows(model, { width, height, theme, welcome, newestKey: newestKey ?? 'ctrl+end' });
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its place, whatever stands there.
        <RowText key={index} row={row} />
      ))}
    </Box>
  );
});

/** The actions on the transcript of this store. */
export function transcriptActions(store: UiStore): TranscriptActions {
  return transcriptModel(store);
}

/** All that the transcript draws, and nothing else, so that it rests while the rest of the screen changes. */
function transcriptState({ thread, view }: StoreState) {
  return {
    messages: thread.messages,
    live: thread.live,
    activeRuns: thread.activeRuns,
    permissions: thread.permissions,
    questions: thread.questions,
    isRunning: thread.turnId !== null,
    view,
  };
}

function visibleRows(
  model: TranscriptModel,
  { width, height, theme, welcome, newestKey }: Required<Omit<TranscriptProps, 'store'>> & { theme: Theme },
): readonly Row[] {
  const search = model.search();
  if (search) {
    const rows = shownRows(model, { width, height: height - 1, theme, welcome, newestKey });
    const blank = Array.from({ length: Math.max(0, height - 1 - rows.length) }, () => '');
    return [...rows.slice(0, height - 1), ...blank, searchRow(search, { width, theme })];
  }
  return shownRows(model, { width, height, theme, welcome, newestKey });
}

function shownRows(
  model: TranscriptModel,
  { width, height, theme, welcome, newestKey }: Required<Omit<TranscriptProps, 'store'>> & { theme: Theme },
): readonly Row[] {
  const layout = model.layout({ width, height, theme });
  if (layout.isFresh && layout.isAtEnd) {
    const greeting = welcomeRows(welcome, { width, theme }).slice(0, height);
    if (layout.rows.length === 0) return greeting;
    return greeting.length + 1 + layout.rows.length > height
      ? layout.rows
      : [...greeting, '', ...layout.rows];
  }
  if (layout.isAtEnd) return layout.rows;
  return [...layout.rows, hintRow({ newRows: layout.newRows, newestKey }, { width, theme })];
}

const RowText = memo(function RowText({ row }: { row: Row }) {
  if (typeof row !== 'string') return <LiveRowText row={row} />;
  // A text without characters would have no height.
  return <Text wrap="truncate">{row === '' ? ' ' : row}</Text>;
});

/** Only what moves is drawn again with time; it rests when it is out of view. */
function LiveRowText({ row }: { row: LiveRow }) {
  const { frame } = useAnimation({ interval: row.intervalMs });
  return <Text wrap="truncate">{row.draw({ frame, now: Date.now() })}</Text>;
}

import { Text } from 'ink';
import { memo } from 'react';
import { paintSpans, type Span } from '../theme/span.ts';
import { useTheme } from '../theme/theme.ts';

/** One row of the screen. */
export function Row({ spans }: { spans: readonly Span[] }) {
  return <PaintedRow text={paintSpans(useTheme(), spans)} />;
}

/** Drawn again only when its text is another one. An empty row still takes its line. */
const PaintedRow = memo(function PaintedRow({ text }: { text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});

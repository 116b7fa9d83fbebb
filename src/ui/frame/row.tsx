import { Text } from 'ink';
import { memo } from 'react';
import { paintSpans, type Span, span } from '../theme/span.ts';
import { useTheme } from '../theme/theme-context.ts';

/** One row of the screen. */
export function Row({ spans }: { spans: readonly Span[] }) {
  return <PaintedRow text={paintSpans(useTheme(), spans)} />;
}

/** Rows below each other, all `margin` cells from the left. */
export function Rows({ rows, margin }: { rows: readonly (readonly Span[])[]; margin: number }) {
  const left = span(' '.repeat(margin));
  return rows.map((spans, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is its place, whatever stands there.
    <Row key={index} spans={[left, ...spans]} />
  ));
}

/** Drawn again only when its text is another one. An empty row still takes its line. */
const PaintedRow = memo(function PaintedRow({ text }: { text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});

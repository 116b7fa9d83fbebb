import { Box, Text } from 'ink';
import type { ReactElement } from 'react';
import { paintSpans, type Span, span } from '../../theme/span.ts';
import { useTheme } from '../../theme/theme.ts';
import { FieldText } from './field-text.tsx';
import { boxTop, fillRow, innerWidth } from './fit-sheet.ts';
import type { Sheet, SheetRow } from './sheet.ts';

type FrameProps = {
  readonly sheet: Sheet;
  readonly rows: readonly SheetRow[];
  /** Outer width in cells. */
  readonly width: number;
  /** How many keys have come so far. */
  readonly keyCount: number;
};

/** Draws a fitted sheet, one row of text for each row of the screen. */
export function SheetFrame({ sheet, rows, width, keyCount }: FrameProps): ReactElement {
  const inside = innerWidth(sheet.frame, width);
  const [left, right] = sides(sheet.frame);
  const edges = edgesOf(sheet, width);
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <Line spans={edges.top} />
      {rows.map((row, index) =>
        row.kind === 'field' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen and has no other identity.
          <Box key={index} width={width}>
            <Line spans={[left]} />
            <FieldText row={row} width={inside} keyCount={keyCount} />
            <Line spans={[right]} />
          </Box>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen and has no other identity.
          <Line key={index} spans={[left, ...fillRow(row.spans, inside), right]} />
        ),
      )}
      {edges.bottom && <Line spans={edges.bottom} />}
    </Box>
  );
}

function Line({ spans }: { spans: readonly Span[] }): ReactElement {
  return <Text wrap="truncate">{paintSpans(useTheme(), spans)}</Text>;
}

function sides(frame: Sheet['frame']): readonly [left: Span, right: Span] {
  if (frame === 'bar') return [span('▌ ', 'accent'), span(' ')];
  return [span('│ ', 'borderFocus'), span(' │', 'borderFocus')];
}

function edgesOf(sheet: Sheet, width: number): { top: readonly Span[]; bottom?: readonly Span[] } {
  if (sheet.frame === 'bar') return { top: fillRow([span('▌ ', 'accent'), span(sheet.title, 'heading')], width) };
  return { top: boxTop(sheet, width), bottom: [span(`└${'─'.repeat(Math.max(0, width - 2))}┘`, 'borderFocus')] };
}

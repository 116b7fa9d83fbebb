import { Box, useCursor } from 'ink';
import type { ReactElement } from 'react';
import { textWidth } from '#lib/text-width.ts';
import { Row } from '../../frame/row.tsx';
import { type Span, span, spansWidth } from '../../theme/span.ts';
import type { DrawnDialog } from '../draw-dialog.ts';
import { FieldText } from './field-text.tsx';
import { fieldWindow } from './field-window.ts';
import { boxTop, fillRow } from './fit-sheet.ts';
import type { Sheet, SheetRow } from './sheet.ts';

type FrameProps = {
  readonly drawn: DrawnDialog;
  /** The row of the screen where the sheet begins. */
  readonly top: number;
};

/** One row of text for each row of the screen, and a field where the person types. */
export function SheetFrame({ drawn, top }: FrameProps): ReactElement {
  const { sheet, fitted, width, inside } = drawn;
  const { setCursorPosition } = useCursor();
  const caret = caretIn(fitted.rows, inside);
  // Input methods draw where the terminal's own cursor stands.
  setCursorPosition(caret && { x: sideCells + caret.x, y: top + edgeRows + caret.y });
  const [left, right] = sides[sheet.frame];
  const edges = edgesOf(sheet, width);
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <Row spans={edges.top} />
      {fitted.rows.map((row, index) =>
        row.kind === 'field' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen and has no other identity.
          <Box key={index} width={width}>
            <Row spans={[left]} />
            <FieldText row={row} width={inside} />
            <Row spans={[right]} />
          </Box>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen and has no other identity.
          <Row key={index} spans={[left, ...fillRow(row.spans, inside), right]} />
        ),
      )}
      {edges.bottom && <Row spans={edges.bottom} />}
    </Box>
  );
}

/** Cells of the frame on the left, and rows of it above. */
const sideCells = 2;
const edgeRows = 1;
const sides: Readonly<Record<Sheet['frame'], readonly [left: Span, right: Span]>> = {
  box: [span('│ ', 'borderFocus'), span(' │', 'borderFocus')],
  bar: [span('▌ ', 'accent'), span(' ')],
};

function edgesOf(sheet: Sheet, width: number): { top: readonly Span[]; bottom?: readonly Span[] } {
  if (sheet.frame === 'box')
    return {
      top: boxTop(sheet, width),
      bottom: [span(`└${'─'.repeat(Math.max(0, width - 2))}┘`, 'borderFocus')],
    };
  const title = [span('▌ ', 'accent'), span(sheet.title, 'heading'), span(`   ${sheet.note}`, 'dim')];
  return { top: fillRow(title, width) };
}

function caretIn(rows: readonly SheetRow[], width: number): { x: number; y: number } | undefined {
  for (const [y, row] of rows.entries()) {
    if (row.kind === 'spans') {
      if (row.caret !== undefined) return { x: row.caret, y };
    } else if (row.isFocused) {
      const labelWidth = spansWidth(row.label);
      return { x: labelWidth + textWidth(fieldWindow(row.field, width - labelWidth).before), y };
    }
  }
  return undefined;
}

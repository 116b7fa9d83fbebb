import { Box } from 'ink';
import TextInput from 'ink-text-input';
import type { ReactElement } from 'react';
import { graphemes } from '#lib/text-width.ts';
import { Row } from '../../root/row.tsx';
import { span, spansWidth } from '../../theme/span.ts';
import { fieldWindow } from './field-window.ts';
import type { FieldRow } from './sheet.ts';

type FieldTextProps = {
  readonly row: FieldRow;
  readonly width: number;
  /** How many keys have come so far. */
  readonly keyCount: number;
  /** False where the terminal's own cursor stands in the field. */
  readonly drawsCaret: boolean;
};

/**
 * A field as it stands, exactly `width` cells wide. The input component draws the text and its caret; the keys
 * come through the dialogs' own door, since of several keys in one read it would keep the last one. A new one for
 * each key holds its caret behind its text, whatever it makes of the keys that it hears as well.
 */
export function FieldText({ row, width, keyCount, drawsCaret }: FieldTextProps): ReactElement {
  const { before, after } = fieldWindow(row.field, width - spansWidth(row.label));
  const isDrawn = row.isFocused && drawsCaret;
  const isCaretLast = isDrawn && after === '';
  const [under = '', ...rest] = graphemes(after);
  const caret = span(under, 'text', ...(isDrawn ? (['inverse'] as const) : []));
  return (
    <Box width={width}>
      <Row spans={row.label} />
      <TextInput
        key={keyCount}
        value={before}
        focus={isCaretLast}
        showCursor={isCaretLast}
        onChange={ignore}
      />
      {after !== '' && <Row spans={[caret, span(rest.join(''))]} />}
      {row.field.text === '' && <Row spans={[span(row.placeholder, 'dim')]} />}
    </Box>
  );
}

/** Every key that edits goes through `editField`. */
const ignore = () => undefined;

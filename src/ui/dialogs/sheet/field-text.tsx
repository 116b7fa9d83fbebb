import { Box, Text } from 'ink';
import TextInput from 'ink-text-input';
import type { ReactElement } from 'react';
import { graphemes } from '#lib/text-width.ts';
import { paintSpans, span, spansWidth } from '../../theme/span.ts';
import { useTheme } from '../../theme/theme.ts';
import { fieldWindow } from './field-window.ts';
import type { FieldRow } from './sheet.ts';

/**
 * A field as it stands, exactly `width` cells wide. The input component draws text and caret only: of several keys
 * in one read it keeps the last one, so the keys go through the dialogs' own door. A new one for each key keeps
 * its caret behind its text, whatever it makes of the keys that it hears as well.
 */
export function FieldText({ row, width, keyCount }: FieldTextProps): ReactElement {
  const theme = useTheme();
  const room = Math.max(1, width - spansWidth(row.label));
  const { before, after } = fieldWindow(row.field, room);
  const [under = '', ...rest] = graphemes(after);
  const isCaretLast = row.isFocused && after === '';
  return (
    <Box width={width}>
      <Text wrap="truncate">{paintSpans(theme, row.label)}</Text>
      <TextInput key={keyCount} value={before} focus={isCaretLast} showCursor={isCaretLast} onChange={ignore} />
      <Text wrap="truncate">
        {row.field.text === ''
          ? paintSpans(theme, [span(row.placeholder, 'dim')])
          : paintSpans(theme, [span(under, 'text', ...(row.isFocused ? (['inverse'] as const) : [])), span(rest.join(''))])}
      </Text>
    </Box>
  );
}

type FieldTextProps = {
  readonly row: FieldRow;
  readonly width: number;
  /** How many keys have come so far. */
  readonly keyCount: number;
};

function ignore(): void {
  return undefined;
}

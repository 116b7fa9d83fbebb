import { Box } from 'ink';
import TextInput from 'ink-text-input';
import type { ReactElement } from 'react';
import { Row } from '../../frame/row.tsx';
import { span, spansWidth } from '../../theme/span.ts';
import { fieldWindow } from './field-window.ts';
import type { FieldRow } from './sheet.ts';

/**
 * A field as it stands, exactly `width` cells wide. The input component gets no keys of its own: of several keys
 * in one read it would keep the last one only. They come in order through `editField`.
 */
export function FieldText({ row, width }: { row: FieldRow; width: number }): ReactElement {
  const { before, after } = fieldWindow(row.field, width - spansWidth(row.label));
  return (
    <Box width={width}>
      <Row spans={row.label} />
      <TextInput value={before + after} focus={false} showCursor={false} onChange={ignore} />
      {row.field.text === '' && <Row spans={[span(row.placeholder, 'dim')]} />}
    </Box>
  );
}

const ignore = () => undefined;

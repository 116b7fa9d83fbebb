import { takeWidth } from '#lib/text-width.ts';
import { cursorPosition, type EditorState, layoutOf } from '../../prompt/editor.ts';
import { nextGrapheme } from '../../prompt/text-units.ts';
import { span } from '../../theme/span.ts';
import { row, type SheetBody } from '../sheet/sheet.ts';

/** A command of any number of lines with the cursor in it. */
export function commandEditor(command: EditorState, width: number): SheetBody {
  const { rows } = layoutOf(command, width);
  const cursor = cursorPosition(command, width);
  return {
    count: rows.length,
    row(index) {
      const text = (rows[index]?.parts ?? []).map((part) => part.text).join('');
      if (index !== cursor.row) return row(span(text));
      const before = takeWidth(text, cursor.column);
      const end = nextGrapheme(text, before.length);
      const under = text.slice(before.length, end);
      return row(span(before), span(under === '' ? ' ' : under, 'text', 'inverse'), span(text.slice(end)));
    },
    scroll: 0,
    reveal: cursor.row,
    isCounted: true,
  };
}

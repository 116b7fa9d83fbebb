import { cursorPosition, type EditorState, layoutOf } from '../../prompt/editor.ts';
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
      return index === cursor.row ? { ...row(span(text)), caret: cursor.column } : row(span(text));
    },
    scroll: 0,
    reveal: cursor.row,
    counter: 'loud',
  };
}

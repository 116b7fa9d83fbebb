import { cleanText } from '#lib/terminal-text.ts';
import type { KeyPress } from '../input/key-press.ts';
import { commandFor, isEditCommand, type Keymap } from '../input/keymap.ts';
import { type EditorState, edit, emptyEditor, insertText } from '../prompt/editor.ts';

/** A field of one line: the prompt's editor, with everything that makes lines left out. */
export type TextField = EditorState;

export const emptyField: TextField = emptyEditor;

/** A field that holds `text`, with the cursor behind it. */
export function fieldOf(text: string): TextField {
  const line = oneLine(text);
  return { ...emptyEditor, text: line, cursor: line.length };
}

/** The field after an editing key; undefined when the key edits nothing in one line. */
export function editField(field: TextField, key: KeyPress, keymap: Keymap): TextField | undefined {
  if (key.text !== '') return insertText(field, oneLine(key.text));
  const command = commandFor(keymap, 'prompt', key);
  if (!command || !isEditCommand(command) || command === 'up' || command === 'down') return undefined;
  return edit(field, command, Number.MAX_SAFE_INTEGER);
}

/** Several lines, for texts that have them. `width` is the number of cells of a row. */
export function editLines(
  text: EditorState,
  key: KeyPress,
  { keymap, width }: { keymap: Keymap; width: number },
): EditorState | undefined {
  if (key.text !== '') return insertText(text, cleanText(key.text));
  const command = commandFor(keymap, 'prompt', key);
  if (command === 'newline') return insertText(text, '\n');
  return command && isEditCommand(command) ? edit(text, command, width) : undefined;
}

/** What cannot stand in one line becomes a blank; a line end that a paste ends with is no part of it. */
function oneLine(text: string): string {
  return cleanText(text)
    .replace(/\n+$/, '')
    .replaceAll(/[\t\n]+/g, ' ');
}

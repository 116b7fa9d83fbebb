import { expect, test } from 'vitest';
import type { EditCommand } from '#ui/input/keymap.ts';
import {
  clearText,
  cursorPosition,
  type EditorState,
  edit,
  emptyEditor,
  insertText,
  isAtEdge,
  layoutOf,
  pasteText,
  recall,
  unfoldChip,
  wholeText,
} from '#ui/prompt/editor.ts';

const width = 40;

/** `|` marks the cursor. */
function at(marked: string): EditorState {
  const cursor = marked.indexOf('|');
  return { ...insertText(emptyEditor, marked.replace('|', '')), cursor, last: null, undo: [] };
}

function show({ text, cursor }: EditorState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function after(marked: string, ...commands: EditCommand[]): string {
  return show(commands.reduce((state, command) => edit(state, command, width), at(marked)));
}

test('a family emoji is one character to walk over and to erase', () => {
  expect(after('a👩‍👩‍👧‍👦|b', 'left')).toBe('a|👩‍👩‍👧‍👦b');
  expect(after('a👩‍👩‍👧‍👦|b', 'erase-left')).toBe('a|b');
  expect(after('a|👩‍👩‍👧‍👦b', 'erase-right')).toBe('a|b');
});

test('an accent typed after its letter joins it, and the cursor stands behind both', () => {
  expect(show(insertText(at('e|x'), '\u0301'))).toBe('e\u0301|x');
});

test('words end at blanks, slashes and dots, and Chinese words are found without blanks', () => {
  expect(after('open src/cart/total.ts|', 'word-left')).toBe('open src/cart/total.|ts');
  expect(after('open src/cart/total.ts|', 'word-left', 'word-left')).toBe('open src/cart/|total.ts');
  expect(after('|open  src/cart', 'word-right', 'word-right')).toBe('open  src|/cart');
  expect(after('我喜欢音乐|', 'word-left')).toBe('我喜欢|音乐');
  expect(after('|我喜欢音乐', 'word-right', 'word-right')).toBe('我喜欢|音乐');
});

test('killing a word keeps to letters, killing a blank-separated word takes all of it', () => {
  expect(after('open src/cart|', 'kill-word-left')).toBe('open src/|');
  expect(after('open src/cart |', 'kill-blank-word-left')).toBe('open |');
});

test('killing to the ends of a line takes the line break when there is nothing else', () => {
  expect(after('one\ntw|o', 'kill-line-left')).toBe('one\n|o');
  expect(after('one\n|two', 'kill-line-left')).toBe('one|two');
  expect(after('o|ne\ntwo', 'kill-line-right')).toBe('o|\ntwo');
  expect(after('one|\ntwo', 'kill-line-right')).toBe('one|two');
});

test('kills in a row are one text for yank, in the order in which they stood', () => {
  expect(after('one two three|', 'kill-word-left', 'kill-word-left', 'yank')).toBe('one two three|');
  expect(after('|one\ntwo', 'kill-line-right', 'kill-line-right', 'yank')).toBe('one\n|two');
});

test('yanking again goes back through older kills', () => {
  const killed = ['a', 'b'].reduce((state, text) => clearText(insertText(state, text)), at('|'));
  const yanked = edit(killed, 'yank', width);
  expect(show(yanked)).toBe('b|');
  expect(show(edit(yanked, 'yank-older', width))).toBe('a|');
  expect(show(edit(edit(yanked, 'yank-older', width), 'yank-older', width))).toBe('b|');
});

test('transpose swaps the characters around the cursor and moves on', () => {
  expect(after('a|b', 'transpose')).toBe('ba|');
  expect(after('xab|', 'transpose')).toBe('xba|');
  expect(after('|ab', 'transpose')).toBe('|ab');
  expect(after('a👍🏽|b', 'transpose')).toBe('ab👍🏽|');
});

test('undo takes back a word at a time and redo brings it again', () => {
  const typed = ['f', 'i', 'x', ' ', 'i', 't'].reduce(insertText, emptyEditor);
  const undone = edit(typed, 'undo', width);
  expect(show(undone)).toBe('fix|');
  expect(show(edit(undone, 'redo', width))).toBe('fix it|');
  expect(show(edit(undone, 'undo', width))).toBe('|');
});

test('moving up and down keeps the column that it started from', () => {
  expect(after('a long first line\nab\nanother long| line', 'up')).toBe(
    'a long first line\nab|\nanother long line',
  );
  expect(after('a long first line\nab\nanother long| line', 'up', 'up')).toBe(
    'a long first| line\nab\nanother long line',
  );
});

test('moving up and down goes by the rows as they are wrapped', () => {
  const text = `${'word '.repeat(12).trim()}`;
  const state = at(`${text}|`);
  expect(layoutOf(state, 21).rows.map((row) => row.parts[0]?.text)).toEqual([
    'word word word word ',
    'word word word word ',
    'word word word word',
  ]);
  expect(cursorPosition(edit(state, 'up', 21), 21)).toEqual({ row: 1, column: 19 });
  expect(isAtEdge(state, 'down', 21)).toBe(true);
  expect(isAtEdge(edit(state, 'up', 21), 'up', 21)).toBe(false);
});

test('wide characters never stand across the edge of a row', () => {
  const state = at('日本語日本語|');
  expect(layoutOf(state, 8).rows.map((row) => row.parts[0]?.text)).toEqual(['日本語', '日本語']);
  expect(cursorPosition(state, 8)).toEqual({ row: 1, column: 6 });
});

test('a paste of more than five lines becomes one chip that counts them and is sent whole', () => {
  const lines = `${Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n')}\n`;
  const state = pasteText(at('look: |!'), lines);
  expect(layoutOf(state, width).rows.map((row) => row.parts)).toEqual([
    [
      { text: 'look: ', isChip: false },
      { text: '[pasted 5,000 lines]', isChip: true },
      { text: '!', isChip: false },
    ],
  ]);
  expect(wholeText(state)).toBe(`look: ${lines}!`);
  expect(show(edit(state, 'erase-left', width))).toBe('look: |!');
  expect(wholeText(edit(edit(state, 'erase-left', width), 'undo', width))).toBe(`look: ${lines}!`);
});

test('a long paste of one line is counted in characters, a short paste is plain text', () => {
  const long = pasteText(emptyEditor, 'x'.repeat(1_234));
  expect(layoutOf(long, width).rows[0]?.parts[0]?.text).toBe('[pasted 1,234 characters]');
  expect(show(pasteText(at('a|d'), 'b\nc'))).toBe('ab\nc|d');
});

test('a chip can be unfolded, killed and yanked without losing what it stands for', () => {
  const text = 'row\n'.repeat(8);
  const state = pasteText(emptyEditor, text);
  expect(unfoldChip(state)?.text).toBe(text);
  expect(unfoldChip(at('plain|'))).toBeUndefined();
  expect(wholeText(edit(clearText(state), 'yank', width))).toBe(text);
  expect(wholeText(recall(clearText(state), state.text))).toBe(text);
});

test('pasted escape sequences, controls and foreign chip characters do not get into the text', () => {
  expect(show(pasteText(emptyEditor, 'a\x1b]0;title\x07b\x1b[31mc\r\nd\x00\u{100000}'))).toBe(
    'abc\nd\ufffd|',
  );
});

test('a very long line is edited without a noticeable wait', () => {
  const state = insertText(emptyEditor, 'word '.repeat(4_000));
  // The shortest of three: a busy machine only adds.
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    cursorPosition(insertText(state, 'x'), 80);
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(100);
});

test('words change their case from the cursor on', () => {
  expect(after('one |two three', 'upper-word')).toBe('one TWO| three');
  expect(after('ONE| TWO', 'lower-word')).toBe('ONE two|');
  expect(after('|élan vital', 'capital-word', 'capital-word')).toBe('Élan Vital|');
  expect(after('end|', 'upper-word')).toBe('end|');
});

test('two words change places, and what stands between them stays', () => {
  expect(after('one, |two', 'transpose-words')).toBe('two, one|');
  expect(after('one two|', 'transpose-words')).toBe('two one|');
  expect(after('a b| c', 'transpose-words')).toBe('a c b|');
  expect(after('|one', 'transpose-words')).toBe('|one');
});

test('the start and the end of the text are one key away', () => {
  expect(after('a\nb|\nc', 'text-start')).toBe('|a\nb\nc');
  expect(after('a\nb|\nc', 'text-end')).toBe('a\nb\nc|');
});

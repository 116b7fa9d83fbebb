import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import { editCommands } from '#ui/input/keymap.ts';
import {
  cursorPosition,
  type EditorState,
  edit,
  emptyEditor,
  insertText,
  layoutOf,
  pasteText,
  recall,
  unfoldChip,
  wholeText,
} from '#ui/prompt/editor.ts';
import { snapForward } from '#ui/prompt/text-units.ts';

const pieces = fc.oneof(
  fc.constantFrom('a', 'word', ' ', '  ', '\n', '\t', 'tab\tbed', '-', '/src/ui', 'é', 'e\u0301', '\u0301'),
  fc.constantFrom(
    '日本語',
    '한국어',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '🇩',
    '👍🏽',
    'ไทย',
    'नमस्ते',
    '\u0600',
    '𝒳',
    '⌨️',
    '1️⃣',
    '\u{100000}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
type Action =
  | { kind: 'insert' | 'paste' | 'recall'; text: string }
  | { kind: 'edit'; command: (typeof editCommands)[number] }
  | { kind: 'unfold' };
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: pieces.map((text): Action => ({ kind: 'insert', text })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...editCommands).map((command): Action => ({ kind: 'edit', command })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a\n'.repeat(9), 'x'.repeat(900))
      .map((text): Action => ({ kind: 'paste', text })),
  },
  { weight: 1, arbitrary: pieces.map((text): Action => ({ kind: 'recall', text })) },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: 'unfold' }) },
);

function run(state: EditorState, action: Action, width: number): EditorState {
  switch (action.kind) {
    case 'insert':
      return insertText(state, action.text);
    case 'paste':
      return pasteText(state, action.text);
    case 'recall':
      return recall(state, action.text);
    case 'edit':
      return edit(state, action.command, width);
    case 'unfold':
      return unfoldChip(state) ?? state;
  }
}

test('random edits keep the cursor on a character and the text free of controls', () => {
  fc.assert(
    fc.property(fc.array(actions, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (steps, width) => {
      let state = emptyEditor;
      for (const action of steps) {
        state = run(state, action, width);
        expect(snapForward(state.text, state.cursor)).toBe(state.cursor);
        expect(state.text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(state.text.isWellFormed()).toBe(true);
        expect(wholeText(state)).not.toMatch(/[\u{100000}-\u{10fffd}]/u);
      }
    }),
    { numRuns: 300 },
  );
});

test('undo goes back to the empty text and redo comes back to the last one', () => {
  fc.assert(
    fc.property(fc.array(actions, { maxLength: 25 }), (steps) => {
      const end = steps.reduce((state, action) => run(state, action, 20), emptyEditor);
      let state = end;
      while (state.undo.length > 0) state = edit(state, 'undo', 20);
      expect(state.text).toBe('');
      while (state.redo.length > 0) state = edit(state, 'redo', 20);
      // Undo commands among the steps leave something to redo beyond the end.
      if (end.redo.length === 0) expect(state.text).toBe(end.text);
    }),
    { numRuns: 200 },
  );
});

test('rows hold the whole text in order, fit the width, and the cursor stands inside them', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.integer({ min: 2, max: 25 }), (texts, width) => {
      const state = texts.reduce(insertText, emptyEditor);
      const { rows } = layoutOf(state, width);
      let end = -1;
      for (const row of rows) {
        expect(row.start === end || row.start === end + 1).toBe(true);
        end = row.end;
        const cells = row.parts.reduce((sum, part) => sum + textWidth(part.text), 0);
        expect(cells).toBeLessThanOrEqual(width);
      }
      expect(end).toBe(state.text.length);
      for (let cursor = 0; cursor <= state.text.length; cursor = snapForward(state.text, cursor + 1)) {
        const { row, column } = cursorPosition({ ...state, cursor }, width);
        expect(row).toBeLessThan(rows.length);
        expect(column).toBeLessThan(width);
        if (cursor === state.text.length) break;
      }
    }),
    { numRuns: 300 },
  );
});

test('up and down visit every row and come back to the column', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), fc.integer({ min: 4, max: 20 }), (texts, width) => {
      let state = texts.reduce(insertText, emptyEditor);
      const last = layoutOf(state, width).rows.length - 1;
      expect(cursorPosition(state, width).row).toBe(last);
      for (let row = last - 1; row >= 0; row -= 1) {
        state = edit(state, 'up', width);
        expect(cursorPosition(state, width).row).toBe(row);
      }
      for (let row = 1; row <= last; row += 1) {
        state = edit(state, 'down', width);
        expect(cursorPosition(state, width).row).toBe(row);
      }
    }),
    { numRuns: 300 },
  );
});

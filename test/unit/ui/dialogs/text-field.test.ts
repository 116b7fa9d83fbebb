import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import { fieldWindow } from '#ui/dialogs/sheet/field-window.ts';
import { editField, editLines, emptyField, fieldOf, type TextField } from '#ui/dialogs/text-field.ts';
import { type KeyPress, pasteKey } from '#ui/input/key-press.ts';
import { defaultKeymap } from '#ui/input/keymap.ts';
import { alt, ctrl, down, enter, keysOf, named, up } from './support.ts';

function typed(start: TextField, ...entries: (string | KeyPress)[]): TextField {
  return keysOf(entries).reduce((field, key) => editField(field, key, defaultKeymap) ?? field, start);
}

describe('a field of one line', () => {
  test('takes typed text at its cursor', () => {
    const field = typed(emptyField, 'abd', named('left'), 'c');
    expect([field.text, field.cursor]).toEqual(['abcd', 3]);
  });

  test('edits by character, word and line', () => {
    expect(typed(fieldOf('one two'), named('backspace')).text).toBe('one tw');
    expect(typed(fieldOf('one two'), ctrl('w')).text).toBe('one ');
    expect(typed(fieldOf('one two'), ctrl('u')).text).toBe('');
    expect(typed(fieldOf('one two'), named('home'), ctrl('k')).text).toBe('');
    expect(typed(fieldOf('one two'), named('home'), named('delete'), 'O').text).toBe('One two');
    expect(typed(fieldOf('one two'), alt('b'), 'x').text).toBe('one xtwo');
    expect(typed(fieldOf('one two'), ctrl('u'), ctrl('y')).text).toBe('one two');
  });

  test('erases a whole emoji or a letter with its marks', () => {
    expect(typed(fieldOf('a👩‍👩‍👧'), named('backspace')).text).toBe('a');
    expect(typed(fieldOf('e\u0301'), named('backspace')).text).toBe('');
  });

  test('makes one line of what is pasted, without control characters', () => {
    expect(typed(emptyField, pasteKey('one\r\ntwo\x1b[2J\tthree\n')).text).toBe('one two three');
  });

  test('leaves keys alone that need lines or that edit nothing', () => {
    for (const key of [enter, up, down, named('escape'), named('pageup'), ctrl('r'), ctrl('c')])
      expect(editField(fieldOf('x'), key, defaultKeymap)).toBeUndefined();
  });

  test('holds the same text however the keys were cut into reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, '');
        expect(typed(emptyField, ...keysOf([plain])).text).toBe(typed(emptyField, pasteKey(plain)).text);
      }),
    );
  });
});

describe('a field of several lines', () => {
  test('breaks lines and moves between them', () => {
    const edited = keysOf(['one', named('enter', { alt: true }), 'two', up, '!']).reduce(
      (text, key) => editLines(text, key, { keymap: defaultKeymap, width: 40 }) ?? text,
      emptyField,
    );
    expect(edited.text).toBe('one!\ntwo');
  });
});

describe('the window of a field', () => {
  test('shows all of a short text', () => {
    expect(fieldWindow(fieldOf('short'), 20)).toEqual({ before: 'short', after: '' });
  });

  test('shows the end of a long text with a cell for the cursor', () => {
    expect(fieldWindow(fieldOf('0123456789'), 6)).toEqual({ before: '56789', after: '' });
  });

  test('always fits and always holds the cursor', () => {
    const anyField = fc
      .tuple(fc.string({ unit: 'grapheme' }), fc.nat(60))
      .map(([text, steps]) => typed(fieldOf(text), ...Array.from({ length: steps }, () => named('left'))));
    fc.assert(
      fc.property(anyField, fc.integer({ min: 4, max: 60 }), (field, width) => {
        const { before, after } = fieldWindow(field, width);
        expect(textWidth(before + after)).toBeLessThanOrEqual(width);
        expect(textWidth(before)).toBeLessThan(width);
      }),
    );
  });
});

import type { Key } from 'ink';
import { expect, test } from 'vitest';
import { decodeKeys, pasteKey } from '#ui/input/key-press.ts';
import { commandFor, defaultKeymap, keyName } from '#ui/input/keymap.ts';

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

function names(input: string, key: Partial<Key> = {}): string[] {
  return decodeKeys(input, { ...noKey, ...key }).map(keyName);
}

test('keys that arrive in one read come out one by one', () => {
  expect(names('hi\rx')).toEqual(['h', 'i', 'enter', 'x']);
  expect(names('a\tb\x7f')).toEqual(['a', 'tab', 'b', 'backspace']);
  expect(names('a\x15\x1b')).toEqual(['a', 'ctrl+u', 'escape']);
});

test('an emoji or an accent stays one key with its whole text', () => {
  expect(decodeKeys('👩‍👩‍👧‍👦é', noKey).map((key) => key.text)).toEqual(['👩‍👩‍👧‍👦', 'é']);
});

test('a capital is its letter with shift, and types itself', () => {
  expect(decodeKeys('A', { ...noKey, shift: true })).toEqual([
    { name: 'a', ctrl: false, alt: false, shift: true, text: 'A' },
  ]);
  expect(names('A')).toEqual(['a']);
});

test('every way to ask for a new line ends in the same command', () => {
  const newlines = [
    decodeKeys('\n', noKey),
    decodeKeys('\r', { ...noKey, return: true, meta: true }),
    decodeKeys('\r', { ...noKey, return: true, shift: true, eventType: 'press' }),
    decodeKeys('j', { ...noKey, ctrl: true }),
  ];
  for (const [key] of newlines) expect(key && commandFor(defaultKeymap, 'prompt', key)).toBe('newline');
  const [enter] = decodeKeys('\r', { ...noKey, return: true });
  expect(enter && commandFor(defaultKeymap, 'prompt', enter)).toBe('send');
});

test('modifiers and named keys are told apart', () => {
  expect(names('b', { meta: true })).toEqual(['alt+b']);
  expect(names('', { leftArrow: true, ctrl: true })).toEqual(['ctrl+left']);
  expect(names('', { tab: true, shift: true })).toEqual(['shift+tab']);
  expect(names(' ', { ctrl: true })).toEqual(['ctrl+space']);
  expect(names('_', { ctrl: true })).toEqual(['ctrl+_']);
});

test('two escapes in one read are two keys', () => {
  expect(names('', { escape: true, meta: true })).toEqual(['escape', 'escape']);
});

test('a released key and keys of the window system do nothing', () => {
  expect(names('a', { eventType: 'release' })).toEqual([]);
  expect(names('c', { super: true })).toEqual([]);
});

test('a burst of lines without paste marks is a paste, not many sends', () => {
  expect(decodeKeys('one\rtwo\rthree\rfour\r', noKey)).toEqual([pasteKey('one\ntwo\nthree\nfour\n')]);
});

test('text never counts as a command, whatever it is bound to', () => {
  const [key] = decodeKeys('?', noKey);
  expect(key && commandFor({ ...defaultKeymap, prompt: { '?': 'send' } }, 'prompt', key)).toBeUndefined();
});

test('takes a long line that came without paste marks as few keys, not as thousands', () => {
  const line = 'abc Def 漢 '.repeat(500);
  expect(decodeKeys(`${line}\r${line}`, noKey).map(({ name, text }) => [name, text])).toEqual([
    ['text', line],
    ['enter', ''],
    ['text', line],
  ]);
  expect(decodeKeys('y', noKey)).toHaveLength(1);
  expect(decodeKeys('hello', noKey)).toHaveLength(5);
});

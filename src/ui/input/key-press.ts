import type { Key } from 'ink';
import { graphemeSegmenter } from '#lib/graphemes.ts';
import { functionKeyName } from './function-keys.ts';

/**
 * One key, or one piece of pasted text. `name` is the plain lower-case character, or one of `enter escape tab
 * backspace delete space up down left right home end pageup pagedown f1 to f12 paste`.
 */
export type KeyPress = {
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** What the key would insert; empty for keys that insert nothing. With `paste` it may hold many lines. */
  readonly text: string;
};

/** An unbracketed burst with this many line ends inside is a paste, not typing ahead. */
const burstLines = 3;

/**
 * Turns what Ink's `useInput` hands over into single keys, in order. One read may hold several keys
 * (`hello\rworld`), an escape prefix stands for Alt, and a bare line feed is Ctrl+J.
 */
export function decodeKeys(input: string, key: Key): KeyPress[] {
  if (key.eventType === 'release' || key.super || key.hyper) return [];
  const named = namedKey(key) ?? functionKeyName(input);
  if (named === 'escape' && key.meta && !isKitty(key)) return [plain('escape'), plain('escape')];
  if (named) return [{ name: named, ctrl: key.ctrl, alt: key.meta, shift: key.shift, text: '' }];
  if (input === '') return [];
  if (key.ctrl || key.meta) {
    const name = input === ' ' ? 'space' : input.toLowerCase();
    return [{ name, ctrl: key.ctrl, alt: key.meta, shift: key.shift, text: '' }];
  }
  return isBurst(input) ? [pasteKey(input)] : splitKeys(input);
}

/** Pasted text as one key. Terminals send line ends as carriage returns. */
export function pasteKey(text: string): KeyPress {
  return { ...plain('paste'), text: text.replaceAll(/\r\n?/g, '\n') };
}

function plain(name: string): KeyPress {
  return { name, ctrl: false, alt: false, shift: false, text: '' };
}

function isKitty(key: Key): boolean {
  return key.eventType !== undefined;
}

function namedKey(key: Key): string | undefined {
  if (key.return) return 'enter';
  if (key.escape) return 'escape';
  if (key.tab) return 'tab';
  if (key.backspace) return 'backspace';
  if (key.delete) return 'delete';
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.leftArrow) return 'left';
  if (key.rightArrow) return 'right';
  if (key.home) return 'home';
  if (key.end) return 'end';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  return undefined;
}

function isBurst(input: string): boolean {
  const inside = input.replace(/[\r\n]+$/, '');
  return (inside.match(/\r\n?|\n/g)?.length ?? 0) >= burstLines;
}

const printableAscii = /^[\x20-\x7e]*$/;

function splitKeys(input: string): KeyPress[] {
  const characters = printableAscii.test(input)
    ? [...input]
    : Array.from(graphemeSegmenter.segment(input.replaceAll('\r\n', '\r')), (piece) => piece.segment);
  const keys = characters.flatMap(characterKey);
  return keys.length < typedAtOnce ? keys : joinText(keys);
}

/** So many characters come from no hand: drawn one by one, a long line without paste marks takes minutes. */
const typedAtOnce = 64;

function joinText(keys: readonly KeyPress[]): KeyPress[] {
  const joined: KeyPress[] = [];
  for (const key of keys) {
    const last = joined.at(-1);
    if (key.text === '' || !last || last.text === '') joined.push(key);
    else joined[joined.length - 1] = { ...plain('text'), text: last.text + key.text };
  }
  return joined;
}

function characterKey(character: string): KeyPress[] {
  const code = character.charCodeAt(0);
  if (character === '\r') return [plain('enter')];
  if (character === '\t') return [plain('tab')];
  if (character === '\x1b') return [plain('escape')];
  if (code === 0x7f || code === 0x08) return [plain('backspace')];
  if (code === 0) return [{ ...plain('space'), ctrl: true }];
  if (code <= 26) return [{ ...plain(String.fromCharCode(code + 96)), ctrl: true }];
  if (code < 32) return [{ ...plain(String.fromCharCode(code + 64)), ctrl: true }];
  if (code >= 0x80 && code < 0xa0) return [];
  const shift = /^[A-Z]$/.test(character);
  const name = character === ' ' ? 'space' : character.toLowerCase();
  return [{ ...plain(name), shift, text: character }];
}

/**
 * Text that others wrote, made safe for a terminal: nothing that these functions return can move the cursor, set
 * a mode, a title or the clipboard, or look like other words than are there. A plain text comes back as it is.
 */

/** All that `cleanText` may have to touch; most texts have none of it. */
const suspicious =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Surrogate}]/u;
const removed =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** For what models and tools say: escape sequences, controls and invisible characters go, lines stay lines. */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  return withoutSequences(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(removed, '')
    .toWellFormed();
}

/** Whether `cleanText` would change anything. */
export function isCleanText(text: string): boolean {
  return !suspicious.test(text);
}

const odd =
  /[\x00-\x1f\x7f-\xa0\u2800\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
const plainName = /^[\x20-\x7e]*$/;

/** For names of files, branches, tools and servers: one line, everything that does not show made visible. */
export function cleanName(text: string): string {
  if (plainName.test(text)) return text;
  return text.replaceAll(odd, (character, offset: number) => visible(character, text, offset));
}

/** For commands that a person is to judge: as a name, but line breaks stay. */
export function cleanCommand(text: string): string {
  if (plainName.test(text)) return text;
  return text.replaceAll(odd, (character, offset: number) =>
    character === '\n' ? character : visible(character, text, offset),
  );
}

const named: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function visible(character: string, text: string, offset: number): string {
  if (character === ' ' || isInEmoji(character, text, offset)) return character;
  const code = character.codePointAt(0) ?? 0;
  // Bytes that are no UTF-8 arrive as lone low surrogates.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  if (code <= 0xff) return named[character] ?? `\\x${code.toString(16).padStart(2, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

const emojiBefore = /[\p{Extended_Pictographic}\p{Emoji_Modifier}#*\d]\ufe0f?$/u;
const emojiAfter = /^\p{Extended_Pictographic}/u;

/** A joiner between two emoji, or the variation selector behind one, is part of what is seen. */
function isInEmoji(character: string, text: string, offset: number): boolean {
  if (character !== '\u200d' && character !== '\ufe0f') return false;
  if (!emojiBefore.test(text.slice(Math.max(0, offset - 3), offset))) return false;
  return character === '\ufe0f' || emojiAfter.test(text.slice(offset + 1, offset + 3));
}

const longestHeld = 256;

/**
 * How many units at the end of a text that still grows must wait for what comes: half a character, a return, an
 * escape sequence without its end. A sequence that stays unfinished for 256 units is waited for no longer.
 */
export function unfinishedLength(text: string): number {
  const tail = text.slice(-longestHeld);
  const ends = stringEnds(tail);
  introducer.lastIndex = 0;
  for (let match = introducer.exec(tail); match; match = introducer.exec(tail)) {
    const { end, isComplete } = sequenceAt(tail, match.index, ends);
    if (!isComplete) return tail.length - match.index;
    introducer.lastIndex = end;
  }
  return /[\r\ud800-\udbff]$/.test(tail) ? 1 : 0;
}

const csi = /(?:\x1b\[|\x9b)[0-?]*[ -/]*([@-~]?)/y;
const otherEscape = /\x1b[ -/]*([0-~]?)/y;
const introducer = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;

/** In 7-bit and 8-bit form. An unfinished string sequence loses only its introducer, so it can swallow nothing. */
function withoutSequences(text: string): string {
  const ends = stringEnds(text);
  let kept = '';
  let from = 0;
  introducer.lastIndex = 0;
  for (let match = introducer.exec(text); match; match = introducer.exec(text)) {
    const at = match.index;
    kept += text.slice(from, at);
    from = sequenceAt(text, at, ends).end;
    introducer.lastIndex = from;
  }
  return kept + text.slice(from);
}

type StringEnds = { osc: NextEnd; other: NextEnd };

function stringEnds(text: string): StringEnds {
  return { osc: new NextEnd(text, /[\x07\x9c]|\x1b\\/g), other: new NextEnd(text, /\x9c|\x1b\\/g) };
}

function sequenceAt(text: string, at: number, ends: StringEnds): { end: number; isComplete: boolean } {
  const isSevenBit = text[at] === '\x1b';
  const start = at + (isSevenBit ? 2 : 1);
  const stringUpTo = (end: number | undefined) => ({ end: end ?? start, isComplete: end !== undefined });
  switch (isSevenBit ? text[at + 1] : text[at]) {
    case '[':
    case '\x9b':
      return endOf(csi, text, at);
    case ']':
    case '\x9d':
      return stringUpTo(ends.osc.after(start));
    case 'P':
    case 'X':
    case '^':
    case '_':
    case '\x90':
    case '\x98':
    case '\x9e':
    case '\x9f':
      return stringUpTo(ends.other.after(start));
    default:
      return isSevenBit ? endOf(otherEscape, text, at) : { end: at + 1, isComplete: true };
  }
}

/** Broken off by another character, a sequence is over; broken off by the end of the text, more may come. */
function endOf(sequence: RegExp, text: string, at: number): { end: number; isComplete: boolean } {
  sequence.lastIndex = at;
  const final = sequence.exec(text)?.[1];
  const end = Math.max(sequence.lastIndex, at + 1);
  return { end, isComplete: Boolean(final) || end < text.length };
}

/** Finds the end of string sequences; looks at each place of the text only once, however many sequences begin. */
class NextEnd {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = -1;
  #end: number | undefined = 0;

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  after(at: number): number | undefined {
    // What was found from an earlier place on still holds while it lies behind `at`.
    const isKnown = this.#from >= 0 && (this.#end === undefined || this.#from >= at);
    if (isKnown) return this.#end;
    this.#pattern.lastIndex = at;
    const match = this.#pattern.exec(this.#text);
    this.#from = match?.index ?? at;
    this.#end = match ? this.#pattern.lastIndex : undefined;
    return this.#end;
  }
}

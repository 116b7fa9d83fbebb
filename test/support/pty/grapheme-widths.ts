import type { Terminal } from '@xterm/headless';
import stringWidth from 'string-width';

/** What the character before was, as far as the next one may join it. */
const kinds = { none: 0, other: 1, emoji: 2, joiner: 3, flagHalf: 4 } as const;

/**
 * Makes the terminal count cells as today's do: emoji take two, and what a reader takes for one character (joined
 * emoji, skin tones, flags, letters with marks) stands in one place. xterm's own default is that of Unicode 6.
 */
export function countGraphemes(terminal: Terminal): void {
  terminal.unicode.register({
    version: 'graphemes',
    wcwidth: widthOf,
    charProperties(codepoint, preceding) {
      const kindBefore = preceding >> 3;
      const widthBefore = (preceding >> 1) & 3;
      const character = String.fromCodePoint(codepoint);
      if (kindBefore !== kinds.none && joins(character, kindBefore)) {
        const width = character === '\ufe0f' && kindBefore === kinds.emoji ? 2 : widthBefore;
        return properties(kindAfter(character, kindBefore), Math.max(width, widthBefore), true);
      }
      return properties(kindOf(character), widthOf(codepoint), false);
    },
  });
  terminal.unicode.activeVersion = 'graphemes';
}

function properties(kind: number, width: number, joinsBefore: boolean): number {
  return (kind << 3) | (width << 1) | (joinsBefore ? 1 : 0);
}

function widthOf(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x7f) return codepoint < 0x20 ? 0 : 1;
  return Math.min(2, stringWidth(String.fromCodePoint(codepoint))) as 0 | 1 | 2;
}

function joins(character: string, kindBefore: number): boolean {
  if (/^(?:[\p{Mn}\p{Me}]|\u200d|\ufe0e|\ufe0f|[\u{1f3fb}-\u{1f3ff}])$/u.test(character)) return true;
  if (kindBefore === kinds.joiner) return /^\p{Extended_Pictographic}$/u.test(character);
  return kindBefore === kinds.flagHalf && isFlagHalf(character);
}

function kindOf(character: string): number {
  if (isFlagHalf(character)) return kinds.flagHalf;
  return /^\p{Extended_Pictographic}$/u.test(character) ? kinds.emoji : kinds.other;
}

/** A third half of a flag begins a new one. */
function kindAfter(character: string, kindBefore: number): number {
  if (character === '\u200d' && kindBefore === kinds.emoji) return kinds.joiner;
  return kindBefore === kinds.joiner ? kinds.emoji : kindBefore === kinds.flagHalf ? kinds.other : kindBefore;
}

function isFlagHalf(character: string): boolean {
  return /^[\u{1f1e6}-\u{1f1ff}]$/u.test(character);
}

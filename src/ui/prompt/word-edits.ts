import { nextWord, previousWord } from './text-units.ts';

type Edited = { readonly text: string; readonly cursor: number };

/** Changes the case from the cursor to the end of the word, as Emacs does; undefined when there is none. */
export function recasedWord(
  text: string,
  cursor: number,
  how: 'upper-word' | 'lower-word' | 'capital-word',
): Edited | undefined {
  const end = nextWord(text, cursor);
  if (end === cursor) return undefined;
  const word = inCase(text.slice(cursor, end), how);
  return { text: text.slice(0, cursor) + word + text.slice(end), cursor: cursor + word.length };
}

function inCase(word: string, how: 'upper-word' | 'lower-word' | 'capital-word'): string {
  if (how === 'upper-word') return word.toUpperCase();
  const lower = word.toLowerCase();
  return how === 'lower-word' ? lower : lower.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

/** Swaps the word before the cursor with the one at or behind it; at the end the last two. */
export function transposedWords(text: string, cursor: number): Edited | undefined {
  const end = nextWord(text, cursor);
  const reachesWord = end > cursor && /[\p{L}\p{N}_]/u.test(text.slice(cursor, end));
  const secondEnd = reachesWord ? end : endOfWordBefore(text, cursor);
  const second = previousWord(text, secondEnd);
  const firstEnd = endOfWordBefore(text, second);
  const first = previousWord(text, firstEnd);
  if (firstEnd <= first || firstEnd > second) return undefined;
  const swapped = text.slice(second, secondEnd) + text.slice(firstEnd, second) + text.slice(first, firstEnd);
  return { text: text.slice(0, first) + swapped + text.slice(secondEnd), cursor: secondEnd };
}

function endOfWordBefore(text: string, offset: number): number {
  const start = previousWord(text, offset);
  const end = nextWord(text, start);
  return Math.min(end, offset);
}

import type { Cell } from '../cell.ts';

/** The longest word of what is looked for; '' when it has none that would rule a cell out. */
export function longestWord(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return words.filter((word) => /\p{L}/u.test(word)).reduce((a, b) => (b.length > a.length ? b : a), '');
}

/** What markdown takes away between two letters, also a wrap. */
const marks = /[*_`~\\[\](){}<>#|]|\p{C}/gu;

/**
 * False when a cell cannot hold the word, told without drawing it, which takes a hundred times as long. Only for cells
 * that say nothing of their own beside their text.
 */
export function mayMatch(cell: Cell, word: string): boolean {
  if (word === '' || cell.kind !== 'text' || cell.isLive) return true;
  const { text } = cell.part;
  // `&amp;` stands for another sign.
  return text.includes('&') || text.replaceAll(marks, '').toLowerCase().includes(word);
}

import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from '#protocol/tool-view.ts';

/** Pieces of a line; `changed` ones are not in the line that it replaced or was replaced by. */
export type LinePiece = { text: string; changed: boolean };

const longestLine = 400;
const mostPairs = 200;
/** With less in common two lines are not versions of one line, and marks would only confuse. */
const leastCommon = 0.35;

/** Which words changed, by index of the line. Lines without a partner are not in the map. */
export function changedWords(lines: readonly DiffLine[]): Map<number, LinePiece[]> {
  const pieces = new Map<number, LinePiece[]>();
  for (const [removed, added] of linePairs(lines).slice(0, mostPairs)) {
    const before = lines[removed]?.text ?? '';
    const after = lines[added]?.text ?? '';
    if (before.length > longestLine || after.length > longestLine) continue;
    const changes = diffWordsWithSpace(before, after);
    const common = changes.reduce(
      (sum, { value, added: a, removed: r }) => (a || r ? sum : sum + weight(value)),
      0,
    );
    if (common < leastCommon * Math.max(weight(before), weight(after))) continue;
    pieces.set(
      removed,
      changes
        .filter((change) => !change.added)
        .map((change) => ({ text: change.value, changed: change.removed })),
    );
    pieces.set(
      added,
      changes
        .filter((change) => !change.removed)
        .map((change) => ({ text: change.value, changed: change.added })),
    );
  }
  return pieces;
}

/** A block of removed lines and the added block right behind it, line by line. */
function linePairs(lines: readonly DiffLine[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let index = 0;
  while (index < lines.length) {
    const removedAt = index;
    while (lines[index]?.op === '-') index += 1;
    const addedAt = index;
    while (lines[index]?.op === '+') index += 1;
    const count = Math.min(addedAt - removedAt, index - addedAt);
    for (let at = 0; at < count; at += 1) pairs.push([removedAt + at, addedAt + at]);
    if (index === removedAt) index += 1;
  }
  return pairs;
}

function weight(text: string): number {
  return text.replaceAll(/\s+/g, '').length;
}

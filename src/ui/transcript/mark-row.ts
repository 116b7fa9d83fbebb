import { attributeSequence } from '../theme/style-spec.ts';

/** Characters of a drawn row from `from` up to `to`, its sequences not counted. */
export type RowMark = {
  readonly from: number;
  readonly to: number;
  readonly looks: readonly ('inverse' | 'underline')[];
};

const escapeCharacter = String.fromCharCode(27);
const sequences = new RegExp(`(${escapeCharacter}\\[[0-9;:]*m)`);

/** The row with what is marked in these looks, over the colours that it has. Marks stand in the order of the row. */
export function markRow(row: string, marks: readonly RowMark[]): string {
  let marked = '';
  let at = 0;
  for (const piece of row.split(sequences)) {
    if (piece.startsWith(escapeCharacter)) {
      marked += piece;
      continue;
    }
    let taken = 0;
    for (const { from, to, looks } of marks) {
      const [first, last] = [Math.max(from - at, taken), Math.min(to - at, piece.length)];
      if (last <= first) continue;
      const words = looks.reduce(
        (text, look) => {
          const { open, close } = attributeSequence(look);
          return `${open}${text}${close}`;
        },
        piece.slice(first, last),
      );
      marked += piece.slice(taken, first) + words;
      taken = last;
    }
    marked += piece.slice(taken);
    at += piece.length;
  }
  return marked;
}

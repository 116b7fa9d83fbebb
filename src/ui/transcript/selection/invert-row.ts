import { attributeSequence } from '../../theme/style-spec.ts';

const inverse = attributeSequence('inverse');
const escapeCharacter = String.fromCharCode(27);
const sequences = new RegExp(`(${escapeCharacter}\\[[0-9;:]*m)`);

/** The row with its characters from `from` up to `to` reversed, over the colours that it has. */
export function invertRow(row: string, { from, to }: { from: number; to: number }): string {
  let marked = '';
  let at = 0;
  for (const piece of row.split(sequences)) {
    if (piece.startsWith(escapeCharacter)) {
      marked += piece;
      continue;
    }
    const [first, last] = [Math.max(0, from - at), Math.min(piece.length, to - at)];
    marked +=
      last <= first
        ? piece
        : `${piece.slice(0, first)}${inverse.open}${piece.slice(first, last)}${inverse.close}${piece.slice(last)}`;
    at += piece.length;
  }
  return marked;
}

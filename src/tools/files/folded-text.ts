/**
 * A text in which some differences are gone, with the way back: unit `i` of `text` stands for `[starts[i], ends[i])`
 * of the original. Units of one character share both.
 */
export type FoldedText = { text: string; starts: Uint32Array; ends: Uint32Array };

export type Folding = {
  /** One Unicode form (NFC). */
  unicode: boolean;
  /** Curly quotes, long dashes and odd blanks as their plain forms. */
  signs: boolean;
};

/** Blanks at line ends are always gone. Linear in the text, whatever it holds. */
export function foldText(original: string, folding: Folding): FoldedText {
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  const pieces: string[] = [];
  let length = 0;
  const put = (piece: string, start: number, end: number) => {
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) {
      starts[length] = start;
      ends[length] = end;
      length += 1;
    }
  };
  const putPlain = (from: number, to: number) => {
    pieces.push(original.slice(from, to));
    for (let at = from; at < to; at += 1) {
      starts[length] = at;
      ends[length] = at + 1;
      length += 1;
    }
  };
  for (let from = 0; from <= original.length; ) {
    const found = original.indexOf('\n', from);
    const lineEnd = found === -1 ? original.length : found;
    const to = blanksFrom(original, from, lineEnd);
    const line = original.slice(from, to);
    if (/^[\0-\x7f]*$/.test(line)) putPlain(from, to);
    else
      for (const { 0: cluster, index } of line.matchAll(/[\s\S]\p{M}*/gu))
        put(foldCluster(cluster, folding), from + index, from + index + cluster.length);
    if (found !== -1) put('\n', found, found + 1);
    from = lineEnd + 1;
  }
  return { text: pieces.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

/** Where the blanks at the end of a line begin. */
function blanksFrom(text: string, from: number, lineEnd: number): number {
  let to = lineEnd;
  while (to > from && (text[to - 1] === ' ' || text[to - 1] === '\t')) to -= 1;
  return to;
}

const plainSigns = new Map(
  [
    ['‘’‚‛′', "'"],
    ['“”„‟″', '"'],
    ['‐‑‒–—―−', '-'],
    ['\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000', ' '],
  ].flatMap(([odd = '', plain = '']) => [...odd].map((sign) => [sign, plain] as const)),
);

/** Never longer than the cluster. */
function foldCluster(cluster: string, { unicode, signs }: Folding): string {
  const composed = unicode ? cluster.normalize('NFC') : cluster;
  const same = composed.length > cluster.length ? cluster : composed;
  return signs ? (plainSigns.get(same) ?? same) : same;
}

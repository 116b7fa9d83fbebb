/** Scripts that write no spaces between words: each sign is then a word of its own. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;

/** Text as the index takes it. */
export function indexedText(text: string): string {
  return text.replaceAll(unspaced, ' $& ');
}

export type SearchWords = { match: string; words: readonly string[] };

/**
 * What a person typed, as a question to the index: all words, `"…"` together, the last one also as the beginning of
 * a word (three letters at least: shorter ones are that of too many). undefined when there is nothing in it to look for.
 */
export function searchWords(typed: string): SearchWords | undefined {
  const pieces = [...typed.matchAll(/"([^"]+)"|([^\s"]+)/g)].map(([, quoted, plain]) => ({
    text: quoted ?? plain ?? '',
    isQuoted: quoted !== undefined,
  }));
  const asked = pieces.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const last = asked.at(-1);
  if (!last) return undefined;
  const match = asked.map((piece) => {
    const phrase = `"${indexedText(piece.text).replaceAll('"', ' ').trim()}"`;
    const isBegun = piece === last && !piece.isQuoted && !/\s$/.test(typed);
    return isBegun && /[\p{L}\p{N}]{3}$/u.test(piece.text) ? `${phrase}*` : phrase;
  });
  return { match: match.join(' AND '), words: asked.map(({ text }) => text) };
}

const before = 60;
const shown = 200;

/** The part of a text in which the first of the words stands, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.slice(0, 400_000).replaceAll(/\s+/g, ' ');
  const lower = flat.toLowerCase();
  const found = words
    .map((word) => lower.indexOf(word.toLowerCase()))
    .filter((at) => at !== -1)
    .sort((a, b) => a - b);
  const from = Math.max(0, (found[0] ?? 0) - before);
  const piece = flat.slice(from, from + shown).trim();
  return `${from > 0 ? '…' : ''}${piece}${from + shown < flat.length ? '…' : ''}`;
}

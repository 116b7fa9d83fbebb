const script = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Says nothing about what a text is about. */
const common = new Set(
  'a an and are as at be by for from has have in is it its of on or that the this to use uses was we with you'.split(
    ' ',
  ),
);

/**
 * What a text is about, for comparing and finding: words of letters and digits in lower case without endings that
 * only count, and pairs of characters where a language writes without spaces.
 */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.flatMap((word) => {
    if (script.test(word)) return pairsOf(word);
    if (common.has(word)) return [];
    return [word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word];
  });
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** How much two texts are about the same, 0 to 1: shared words of all words. */
export function likeness(a: string, b: string): number {
  const [one, other] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

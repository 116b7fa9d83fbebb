const maxChars = 6_000;
const maxPassages = 12;

/** The pieces of a long text that have most of the words of a question, in their order. */
export function passagesFor(text: string, question: string): string[] {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, 40);
  if (words.length === 0) return [];
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  const lower = blocks.map((block) => block.toLowerCase());
  // A word that stands everywhere says nothing.
  const weights = words.map((word) => {
    const places = lower.filter((block) => block.includes(word)).length;
    return { word, weight: places === 0 ? 0 : Math.log(1 + blocks.length / places) };
  });
  const best = lower
    .map((block, index) => ({
      index,
      score: weights.reduce((sum, { word, weight }) => sum + (block.includes(word) ? weight : 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, two) => two.score - one.score)
    .slice(0, maxPassages);
  let room = maxChars;
  const taken = best.filter(({ index }) => {
    const { length } = blocks[index] ?? '';
    if (length > room) return false;
    room -= length;
    return true;
  });
  return taken.toSorted((one, two) => one.index - two.index).map(({ index }) => blocks[index] ?? '');
}

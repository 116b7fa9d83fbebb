import type { ToolSchema } from '#protocol/tool.ts';

/** Tools that one search brings. */
const maxFinds = 5;
/** Below this share of the best one's points a tool is not what was looked for. */
const minOfBest = 0.5;
/** A tool that is not named has to have so much of what was asked for in its description. */
const minOfQuery = 0.4;

/** Words that say nothing of a task. */
const emptyWords = new Set(
  'a an and any are as at be by can do does find for from get give have how i in into is it its look make me my need of on one or search show some something tell than that the their them there this to tool tools use using want what where which with you your'.split(
    ' ',
  ),
);

type Words = { name: ReadonlySet<string>; text: ReadonlySet<string> };

/**
 * The tools that a query names or, else, fits: the best first, without those that only share a stray word with it.
 * A word that many tools have counts little.
 */
export function findTools(schemas: readonly ToolSchema[], query: string): ToolSchema[] {
  const asked = query
    .replace(/^select:/, '')
    .split(/[\s,]+/)
    .map((word) => word.toLowerCase());
  const named = schemas.filter(({ name }) => asked.includes(name.toLowerCase()));
  if (named.length > 0) return named;
  const words = [...new Set(stems(query))];
  const tools = schemas.map((schema) => ({
    schema,
    words: { name: new Set(stems(schema.name)), text: new Set(stems(schema.description)) },
  }));
  const weights = words.map((word) => ({ word, weight: weightOf(word, tools) }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const scored = tools
    .map((tool) => ({ schema: tool.schema, ...scoreOf(tool.words, weights) }))
    .filter(({ score, isNamed, covered }) => score > 0 && (isNamed || covered >= total * minOfQuery))
    .toSorted((one, two) => two.score - one.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * minOfBest)
    .slice(0, maxFinds)
    .map(({ schema }) => schema);
}

function scoreOf(
  { name, text }: Words,
  weights: readonly { word: string; weight: number }[],
): { score: number; isNamed: boolean; covered: number } {
  let score = 0;
  let isNamed = false;
  let covered = 0;
  for (const { word, weight } of weights) {
    const inName = name.has(word);
    if (inName) isNamed = true;
    if (inName || text.has(word)) covered += weight;
    score += inName ? weight * 4 : text.has(word) ? weight : 0;
  }
  return { score, isNamed, covered };
}

/** A word that no tool has weighs most: it shows that something else is looked for. */
function weightOf(word: string, tools: readonly { words: Words }[]): number {
  const having = tools.filter(({ words }) => words.name.has(word) || words.text.has(word)).length;
  return Math.log(1 + tools.length / Math.max(1, having));
}

function stems(text: string): string[] {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu);
  return (words ?? []).filter((word) => !emptyWords.has(word)).map(stem);
}

/** `commits`, `committed` and `commit`, `branches` and `branch` are one word. */
function stem(word: string): string {
  if (word.length < 5) return word.replace(/s$/, '');
  return word
    .replace(/(?:(ss|x|ch|sh)es|([^aeious])s|(.)\3?(?:ing|ed)|([aeiou])s)$/, '$1$2$3$4')
    .replace(/e$/, '');
}

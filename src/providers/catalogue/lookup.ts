import { type CatalogueEntry, catalogue } from './models.ts';

/** Endings that leave a model what it is: dates, revisions, sizes, number formats. */
const harmless =
  /^(\d{2,8}|latest|preview|exp|beta|instruct|chat|it|hf|free|fp\d+|bf16|int\d|awq|gptq|gguf|mlx|\d+bit|q\d\w*|\w?\d+(\.\d+)?b|v\d+|k|m|s|turbo|thinking)$/;

/** What is known of a model by its id; undefined when it is not in the catalogue. */
export function lookUp(modelId: string, provider: string): CatalogueEntry | undefined {
  const exact = catalogue.find((entry) => entry.vendor === provider && entry.id === modelId);
  if (exact) return exact;
  const words = wordsOf(modelId);
  let best: { entry: CatalogueEntry; score: number } | undefined;
  for (const entry of catalogue) {
    const score = scoreOf(words, entry, provider);
    if (score > (best?.score ?? 0)) best = { entry, score };
  }
  return best?.entry;
}

/** The models that the picker offers for a provider without asking its server. */
export function listedModels(provider: string): readonly CatalogueEntry[] {
  return catalogue.filter((entry) => entry.vendor === provider && entry.isListed);
}

/** More words in common are better; the provider's own entry decides between equals. */
function scoreOf(words: readonly string[], entry: CatalogueEntry, provider: string): number {
  const known = wordsOf(entry.id);
  if (!known.every((word, index) => words[index] === word)) return 0;
  if (!words.slice(known.length).every((word) => harmless.test(word))) return 0;
  return known.length * 2 + (entry.vendor === provider ? 1 : 0);
}

/** `Anthropic/Claude-Sonnet-4.5:beta` and `us.anthropic.claude-sonnet-4-5-v1:0` both begin with claude. */
function wordsOf(modelId: string): string[] {
  const name = (modelId.toLowerCase().split('/').at(-1) ?? '').replace(/-v\d+:\d+$/, '');
  const words = name.split(/[-_.:@]/).filter((word) => word !== '');
  const vendor = words.indexOf('anthropic');
  return vendor === -1 ? words : words.slice(vendor + 1);
}

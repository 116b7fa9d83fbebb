import type { EditTool, Effort, Price } from '#protocol/model-ref.ts';

export type CatalogueEntry = {
  /** The vendor's id, without date or `-latest`. */
  id: string;
  name: string;
  /** The provider whose own API sells it at `price`; undefined for open models that anybody may host. */
  vendor?: string;
  window: number;
  output: number;
  images: boolean;
  reasoning: boolean;
  /** Levels of its reasoning, where they are not those of its vendor. */
  efforts?: readonly Effort[];
  /** What it was trained to change files with, where that is not `edit_file`. */
  editTool?: EditTool;
  price?: Price;
  /** Offered in the picker, newest first; the others are only known. */
  isListed?: boolean;
};

type Row = Omit<CatalogueEntry, 'vendor'>;

const toXhigh: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh'];

/** When the values below were looked up. */
export const catalogueDate = '2026-11-30';

/**
 * The only place in the program that names models. Surcharges for long contexts are not
 * in the prices, and a price that is not certain is left out.
 */
export const catalogue: readonly CatalogueEntry[] = [
  ...sold('anthropic', [
    { ...claude('claude-opus-5-5', 'Claude Opus 5.5', 4, 20), isListed: true },
    { ...claude('claude-sonnet-5-5', 'Claude Sonnet 5.5', 2, 10), isListed: true },
    { ...big('claude-haiku-5-5', 'Claude Haiku 5.5'), isListed: true },
    { ...claude('claude-fable-5-1', 'Claude Fable 5.1', 10, 50), isListed: true },
    claude('claude-opus-5', 'Claude Opus 5', 5, 25),
    claude('claude-opus-4-8', 'Claude Opus 4.8', 5, 25),
    claude('claude-opus-4-7', 'Claude Opus 4.7', 5, 25),
    claude('claude-opus-4-6', 'Claude Opus 4.6', 5, 25),
    claude('claude-sonnet-4-6', 'Claude Sonnet 4.6', 3, 15),
    { ...claude('claude-opus-4-5', 'Claude Opus 4.5', 5, 25), window: 200_000, output: 64_000 },
    { ...claude('claude-sonnet-4-5', 'Claude Sonnet 4.5', 3, 15), window: 200_000, output: 64_000 },
    { ...claude('claude-haiku-4-5', 'Claude Haiku 4.5', 1, 5), window: 200_000, output: 64_000 },
    { ...claude('claude-opus-4-1', 'Claude Opus 4.1', 15, 75), window: 200_000, output: 32_000 },
  ]),
  ...sold('openai', [
    { ...gpt('gpt-6.2-astra', 'GPT-6.2 Astra', 8, 40), isListed: true },
    { ...gpt('gpt-6.2-sol', 'GPT-6.2 Sol', 2, 10), isListed: true },
    { ...gpt('gpt-6.1-terra', 'GPT-6.1 Terra', 1, 5), isListed: true },
    { ...gpt('gpt-6-luna', 'GPT-6 Luna', 0.1, 0.5), isListed: true },
    gpt('gpt-6-astra', 'GPT-6 Astra', 10, 50),
    gpt('gpt-6.1-sol', 'GPT-6.1 Sol', 2, 10),
    gpt('gpt-6-sol', 'GPT-6 Sol', 2, 10),
    gpt('gpt-5.6', 'GPT-5.6 Sol', 4, 20),
    gpt('gpt-5.6-sol', 'GPT-5.6 Sol', 4, 20),
    gpt('gpt-5.6-terra', 'GPT-5.6 Terra', 2, 12),
    gpt('gpt-5.6-luna', 'GPT-5.6 Luna', 0.2, 1.2),
    {
      ...gpt('gpt-5.5', 'GPT-5.5', 5, 30),
      price: { input: 5, output: 30, cacheRead: 0.5 },
      efforts: toXhigh,
    },
    {
      ...gpt('gpt-5.4', 'GPT-5.4', 2.5, 15),
      price: { input: 2.5, output: 15, cacheRead: 0.25 },
      efforts: toXhigh,
    },
    { ...gpt5('gpt-5.3-codex', 'GPT-5.3 Codex', 1.75, 14), efforts: ['low', 'medium', 'high', 'xhigh'] },
    { ...gpt5('gpt-5.2', 'GPT-5.2', 1.75, 14), efforts: toXhigh },
    { ...gpt5('gpt-5.1', 'GPT-5.1', 1.25, 10), efforts: ['none', 'low', 'medium', 'high'] },
    { ...gpt5('gpt-5', 'GPT-5', 1.25, 10) },
    { ...gpt5('gpt-5-mini', 'GPT-5 mini', 0.25, 2) },
    { ...gpt5('gpt-5-nano', 'GPT-5 nano', 0.05, 0.4) },
    plain('gpt-4.1', 'GPT-4.1', { window: 1_047_576, output: 32_768, input: 2, out: 8, cached: 0.5 }),
    plain('gpt-4.1-mini', 'GPT-4.1 mini', {
      window: 1_047_576,
      output: 32_768,
      input: 0.4,
      out: 1.6,
      cached: 0.1,
    }),
    plain('gpt-4o', 'GPT-4o', { window: 128_000, output: 16_384, input: 2.5, out: 10, cached: 1.25 }),
    plain('gpt-4o-mini', 'GPT-4o mini', {
      window: 128_000,
      output: 16_384,
      input: 0.15,
      out: 0.6,
      cached: 0.075,
    }),
  ]),
  ...sold('google', [
    {
      ...gemini('gemini-4-argon', 'Gemini 4 Argon'),
      price: { input: 4, output: 20, cacheRead: 0.2 },
      isListed: true,
    },
    { ...gemini('gemini-4-carbon', 'Gemini 4 Carbon'), isListed: true },
    { ...gemini('gemini-3.8-flash', 'Gemini 3.8 Flash'), isListed: true },
    { ...gemini('gemini-3.1-pro', 'Gemini 3.1 Pro'), price: { input: 2, output: 12, cacheRead: 0.2 } },
    { ...gemini('gemini-3-pro', 'Gemini 3 Pro'), price: { input: 2, output: 12, cacheRead: 0.2 } },
    { ...gemini('gemini-3-flash', 'Gemini 3 Flash'), price: { input: 0.5, output: 3, cacheRead: 0.05 } },
    {
      ...gemini('gemini-2.5-pro', 'Gemini 2.5 Pro'),
      price: { input: 1.25, output: 10, cacheRead: 0.125 },
    },
    {
      ...gemini('gemini-2.5-flash', 'Gemini 2.5 Flash'),
      efforts: ['none', 'low', 'medium', 'high'],
      price: { input: 0.3, output: 2.5, cacheRead: 0.03 },
    },
  ]),
  ...sold('xai', [
    { ...grok('grok-4.7', 'Grok 4.7'), isListed: true },
    {
      ...grok('grok-4.3', 'Grok 4.3'),
      window: 1_000_000,
      price: { input: 1.25, output: 2.5, cacheRead: 0.2 },
      isListed: true,
    },
    { ...grok('grok-4.5', 'Grok 4.5'), price: { input: 2, output: 6, cacheRead: 0.5 } },
  ]),
  ...sold('deepseek', [
    { ...open('deepseek-v4-pro', 'DeepSeek V4 Pro', 1_000_000, 384_000), reasoning: true, isListed: true },
    {
      ...open('deepseek-flash', 'DeepSeek V4.1 Flash', 1_000_000, 384_000),
      reasoning: true,
      images: true,
      isListed: true,
    },
    { ...open('deepseek-v4-flash', 'DeepSeek V4 Flash', 1_000_000, 384_000), reasoning: true },
  ]),
  ...sold('mistral', [
    { ...open('mistral-large', 'Mistral Large', 262_144, 32_768), images: true },
    { ...open('mistral-large-latest', 'Mistral Large', 262_144, 32_768), images: true, isListed: true },
    { ...open('devstral-latest', 'Devstral', 262_144, 32_768), isListed: true },
  ]),
  ...sold('groq', [
    {
      ...open('openai/gpt-oss-120b', 'gpt-oss 120B', 131_072, 65_536),
      reasoning: true,
      price: { input: 0.15, output: 0.6 },
      isListed: true,
    },
    {
      ...open('moonshotai/kimi-k2-instruct-0905', 'Kimi K2', 262_144, 16_384),
      price: { input: 1, output: 3 },
      isListed: true,
    },
  ]),
  ...sold('openrouter', [
    {
      ...open('deepseek/deepseek-v4-pro', 'DeepSeek V4 Pro', 1_000_000, 384_000),
      reasoning: true,
      isListed: true,
    },
    { ...open('openai/gpt-oss-120b', 'gpt-oss 120B', 131_072, 65_536), reasoning: true, isListed: true },
  ]),
  { ...open('gpt-oss', 'gpt-oss', 131_072, 65_536), reasoning: true },
  open('qwen3-coder', 'Qwen3 Coder', 262_144, 65_536),
  { ...open('qwen3.5', 'Qwen3.5', 262_144, 65_536), reasoning: true },
  { ...open('qwen3', 'Qwen3', 40_960, 16_384), reasoning: true },
  open('qwen2.5-coder', 'Qwen2.5 Coder', 32_768, 8_192),
  { ...open('kimi-k2.5', 'Kimi K2.5', 262_144, 65_536), reasoning: true, images: true },
  open('kimi-k2', 'Kimi K2', 262_144, 16_384),
  { ...open('glm-5.2', 'GLM 5.2', 200_000, 128_000), reasoning: true },
  { ...open('glm-5', 'GLM 5', 200_000, 128_000), reasoning: true },
  { ...open('glm-4.7', 'GLM 4.7', 200_000, 128_000), reasoning: true },
  { ...open('deepseek-r1', 'DeepSeek R1', 131_072, 32_768), reasoning: true },
  open('llama-3.3', 'Llama 3.3', 131_072, 32_768),
  open('llama3.1', 'Llama 3.1', 131_072, 8_192),
  { ...open('gemma-3', 'Gemma 3', 131_072, 8_192), images: true },
  open('devstral', 'Devstral', 131_072, 32_768),
];

function sold(vendor: string, rows: readonly Row[]): CatalogueEntry[] {
  return rows.map((row) => ({ ...row, vendor }));
}

function big(id: string, name: string): Row {
  return { id, name, window: 1_000_000, output: 128_000, images: true, reasoning: true };
}

/** Anthropic's cache prices hang on the input price: a tenth to read, five quarters to write. */
function claude(id: string, name: string, input: number, output: number): Row {
  return { ...big(id, name), price: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 } };
}

function gpt(id: string, name: string, input: number, output: number): Row {
  const price = { input, output, cacheRead: input / 10 };
  return { ...big(id, name), window: 1_050_000, editTool: 'apply_patch', price };
}

function gpt5(id: string, name: string, input: number, output: number): Row {
  const efforts: readonly Effort[] = ['minimal', 'low', 'medium', 'high'];
  return { ...gpt(id, name, input, output), window: 400_000, efforts };
}

function plain(
  id: string,
  name: string,
  facts: { window: number; output: number; input: number; out: number; cached: number },
): Row {
  const { window, output, input, out, cached } = facts;
  const price = { input, output: out, cacheRead: cached };
  return { id, name, window, output, images: true, reasoning: false, price };
}

function gemini(id: string, name: string): Row {
  return { id, name, window: 1_048_576, output: 65_536, images: true, reasoning: true };
}

function grok(id: string, name: string): Row {
  return { id, name, window: 500_000, output: 64_000, images: true, reasoning: true };
}

function open(id: string, name: string, window: number, output: number): Row {
  return { id, name, window, output, images: false, reasoning: false };
}

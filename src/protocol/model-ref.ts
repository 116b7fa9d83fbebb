import { z } from 'zod';
import { efforts } from './model-ref-text.ts';

export const effortSchema = z.enum(efforts);
export type Effort = z.infer<typeof effortSchema>;

/** The pair that names a model everywhere: the provider's id in the config, and the vendor's own model id. */
export const modelRefSchema = z.object({
  provider: z.string().min(1),
  model: z.string().min(1),
  effort: effortSchema.optional(),
});
export type ModelRef = z.infer<typeof modelRefSchema>;

/** Where a value about a model came from, strongest first; `list`: the provider's own list, fetched when it was asked for. */
export type FactOrigin = 'config' | 'server' | 'list' | 'catalogue' | 'default';
export type Fact<T> = { value: T; origin: FactOrigin };

/** US dollars for one million tokens. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** Whether calls of a model cost something; `unknown` is never shown as free. */
export const modelPriceSchema = z.enum(['free', 'known', 'unknown']);
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** By the API's own means, written into its text, or not at all. */
export type ToolCalling = 'native' | 'text' | 'none';

/** How a model changes files best: by replaced texts, or by patches. */
export const editToolSchema = z.enum(['edit_file', 'apply_patch']);
export type EditTool = z.infer<typeof editToolSchema>;

/** All that is known of one model; each value says where it came from. `price` undefined = unknown, never free. */
export type ModelInfo = {
  ref: ModelRef;
  name: string;
  /** Which history dialect its API speaks; private parts go back only to the family they came from. */
  family: ProviderFamily;
  contextWindow: Fact<number>;
  outputLimit: Fact<number>;
  images: Fact<boolean>;
  tools: Fact<boolean>;
  /** How it calls tools; absent = as `tools` says. */
  toolCalling?: Fact<ToolCalling>;
  /** Absent = `edit_file`. */
  editTool?: Fact<EditTool>;
  reasoning: Fact<boolean>;
  /** Levels that its reasoning can be set to; absent where there is none. */
  efforts?: Fact<readonly Effort[]>;
  price?: Fact<Price>;
  /** Runs on the person's own machine, so it costs nothing. */
  local: boolean;
  /** What a person should know before working with it, with what to do about it. */
  warning?: string;
};

/** One API dialect of one vendor, e.g. private reasoning items of `openai-responses` mean nothing to `anthropic`. */
export type ProviderFamily =
  | 'openai-compatible'
  | 'openai-responses'
  | 'openai-chat'
  | 'anthropic'
  | 'google'
  | 'demo';

/** One row of the model picker and of `llmcode models`. */
export type ModelChoice = {
  ref: ModelRef;
  label: string;
  /** How the provider was found: in the config, by an environment variable, or running on this machine. */
  source: 'config' | 'environment' | 'local-server' | 'demo';
  /** What the person should know before choosing, e.g. `OPENAI_API_KEY is set` or `running here · 32k context`. */
  detail: string;
  info?: ModelInfo;
};

/** A provider that was named by the person and could not be asked for its models. */
export type SilentProvider = { provider: string; address: string; reason: string };

/** Models that the person goes back to; newest and best-loved first. */
export type ModelMarks = { recent: readonly ModelRef[]; favourites: readonly ModelRef[] };

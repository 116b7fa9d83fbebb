import type { ModelInfo } from './model-ref.ts';

/** What it means to go on with a conversation on another model. Tokens and dollars are estimates. */
export type ModelPreflight = {
  info: ModelInfo;
  /** Tokens of the next request. */
  tokens: number;
  /** Tokens that the model's window leaves for a request. */
  usable: number;
  /** `tight`: it would go in, but history is summarised before the next call. */
  fit: 'fits' | 'tight' | 'too-long';
  /** Tokens of the next request if history were compacted first. */
  compacted: number;
  /** Images in the history. */
  images: number;
  /** The first call, of which nothing is cached, in US dollars; 0 = free, null = the price is unknown. */
  firstCallUsd: number | null;
  /** A call after that, most of it from the cache. */
  laterCallUsd: number | null;
  /** Reasoning of other models stays behind: it means nothing to this one. */
  leavesReasoning: boolean;
  /** The conversation was on this machine and goes to a vendor. */
  leavesMachine: boolean;
  /** False: nothing here is worth a question, e.g. because there is no history yet. */
  isWorthAsking: boolean;
};

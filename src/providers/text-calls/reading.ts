import type { JsonObject } from '../wire/json.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { Source } from './source.ts';

/** A call as a model wrote it; `tool` is the offered tool's own name. */
export type WrittenCall = { tool: string; input: JsonObject };

/** An attempt at a call that cannot be read. */
export type CallProblem = {
  /** One clause, e.g. `its arguments are no JSON object`. */
  reason: string;
  /** The tool it was for, when that much is plain. */
  tool?: string | undefined;
  /** The name it gave, when no tool has it. */
  unknown?: string;
};

/** Where a format puts what it reads. */
export type Reading = {
  tools: OfferedTools;
  call(tool: string, input: JsonObject): void;
  problem(reason: string, tool?: string): void;
  /** The problem that no tool is offered by this name. */
  unknown(name: string): void;
  /** Words in a format that wraps them too (Harmony, Gemma); shown as they come. */
  show(kind: 'text' | 'reasoning', text: string): void;
};

/**
 * Reads one block whose opening mark was taken. False: it is no call at all and everything taken since is text.
 * Must say so before it reads much, for text that is held back does not show.
 */
export type Reader = (source: Source, reading: Reading) => Generator<void, boolean>;

/** Why an attempt cannot be read, where several formats say the same. */
export const reasons = {
  cut: 'it ends before the call is complete',
  json: 'its arguments are no JSON object',
  form: 'it does not follow the format',
  name: 'it names no tool',
  fenced: 'it stands in a code block, where calls are not run',
};

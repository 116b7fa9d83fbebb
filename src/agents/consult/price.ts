import { fixedEstimate } from '#engine/context/token-estimate.ts';
import { toolSchemas } from '#engine/turn/tool-schemas.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ToolDef } from '#protocol/tool.ts';
import preamble from './preamble.md';

/** An answer of a page or two. */
const likelyAnswerTokens = 1_000;

/** What a round would take, estimated: the first request and an answer of a page or two, without what the peer reads. */
export type RoundEstimate = { tokens: number; costUsd: number | null };

export function estimateRound(
  info: ModelInfo,
  {
    bundleTokens,
    historyTokens,
    tools,
  }: { bundleTokens: number; historyTokens: number; tools: readonly ToolDef[] },
): RoundEstimate {
  const fixed = fixedEstimate({ system: [preamble], tools: toolSchemas(tools) });
  const tokens = bundleTokens + historyTokens + fixed;
  if (costsNothing(info)) return { tokens, costUsd: 0 };
  if (!info.price) return { tokens, costUsd: null };
  const { input, output } = info.price.value;
  return { tokens, costUsd: (tokens * input + likelyAnswerTokens * output) / 1_000_000 };
}

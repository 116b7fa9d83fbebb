import type { RequestFrame, ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef, ToolSchema } from '#protocol/tool.ts';
import { systemPrompt } from './context/system-prompt.ts';
import { fixedEstimate } from './context/token-estimate.ts';
import type { OpenThreadOptions } from './open-thread.ts';
import { toolSchemas } from './turn/tool-schemas.ts';

type Offer = { schemas: readonly ToolSchema[]; tokens: number };

/** What every request of a thread begins with; made once for an open thread. */
export type FixedRequest = {
  /** All that a call may name. */
  tools: readonly ToolDef[];
  system: readonly string[];
  /** The tools that the model is told of; they change with the first rewrite of the history and never else. */
  offered(state: Pick<ThreadState, 'rewrite'>): Offer;
  frame: Omit<RequestFrame, 'usable'>;
};

export function fixedRequest({
  tools: given,
  canAsk,
  consult,
  cwd,
  roots,
  instructions,
  clock,
}: Pick<
  OpenThreadOptions,
  'tools' | 'canAsk' | 'consult' | 'cwd' | 'roots' | 'instructions' | 'clock'
>): FixedRequest {
  const tools = given.filter((tool) => canAsk || !tool.needsPerson);
  const system = systemPrompt({
    role: consult?.role,
    cwd,
    roots,
    instructions,
    platform: process.platform,
    canAsk,
    openedAt: clock.now(),
  });
  const offer = (offered: readonly ToolDef[]): Offer => {
    const schemas = toolSchemas(offered);
    return { schemas, tokens: fixedEstimate({ system, tools: schemas }) };
  };
  const first = offer(tools.filter(({ needsShortenedHistory }) => !needsShortenedHistory));
  const later = offer(tools);
  const systemTokens = fixedEstimate({ system, tools: [] });
  const memory = fixedEstimate({ system: instructions, tools: [] });
  return {
    tools,
    system,
    offered: ({ rewrite }) => (rewrite ? later : first),
    frame: {
      system: Math.max(0, systemTokens - memory),
      instructions: memory,
      tools: first.tokens - systemTokens,
      laterTools: later.tokens - first.tokens,
    },
  };
}

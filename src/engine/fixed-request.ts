import type { ModelInfo } from '#protocol/model-ref.ts';
import type { RequestFrame, ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef, ToolSchema } from '#protocol/tool.ts';
import { systemPrompt } from './context/system-prompt.ts';
import { fixedEstimate } from './context/token-estimate.ts';
import { broughtTools, waitingTools } from './hida/ready-tools.ts';
import type { OpenThreadOptions } from './open-thread.ts';
import { foundTools, type OfferSituation, toolOffer } from './tool-offer.ts';

type OfferState = Pick<ThreadState, 'rewrite' | 'messages'>;

type Offer = { schemas: readonly ToolSchema[]; tokens: number };

/** What every request of a thread begins with; made once for an open thread. */
export type FixedRequest = {
  /** All that a call may name. */
  tools: readonly ToolDef[];
  system: readonly string[];
  /**
   * The tools that the model is told of; they change with another model, with the first rewrite of the history, and
   * by what is found, and never else.
   */
  offered(state: OfferState, info: ModelInfo | null): Offer;
  /** Looks among the tools that are not offered yet. */
  find(query: string): ToolSchema[];
  frame(info: ModelInfo): Omit<RequestFrame, 'usable'>;
};

export function fixedRequest({
  tools: given,
  canAsk,
  consult,
  cwd,
  roots,
  scratch,
  instructions,
  clock,
  settings,
}: Pick<
  OpenThreadOptions,
  'tools' | 'canAsk' | 'consult' | 'cwd' | 'roots' | 'scratch' | 'instructions' | 'clock' | 'settings'
>): FixedRequest {
  const tools = given.filter((tool) => canAsk || !tool.needsPerson);
  const system = systemPrompt({
    role: consult?.role,
    cwd,
    roots,
    scratch,
    instructions,
    platform: process.platform,
    canAsk,
    openedAt: clock.now(),
  });
  const { hida } = settings;
  const offer = toolOffer(tools, { byTask: hida.enabled });
  const waiting = waitingTools(tools, offer);
  const brought = (messages: ThreadState['messages']) =>
    hida.enabled
      ? broughtTools(messages, { waiting, threshold: hida.confidence_threshold })
      : foundTools(messages);
  const made = new Map<string, Offer>();
  const offeredIn = (situation: OfferSituation): Offer => {
    const { info, isHistoryShortened, found } = situation;
    const key = [info?.editTool?.value, isHistoryShortened, ...found].join(' ');
    const known = made.get(key);
    if (known) return known;
    const schemas = offer.schemas(situation);
    const fresh = { schemas, tokens: fixedEstimate({ system, tools: schemas }) };
    made.set(key, fresh);
    return fresh;
  };
  const systemTokens = fixedEstimate({ system, tools: [] });
  const memory = fixedEstimate({ system: instructions, tools: [] });
  return {
    tools,
    system,
    offered: ({ rewrite, messages }, info) =>
      offeredIn({ info, isHistoryShortened: rewrite !== null, found: brought(messages) }),
    find: offer.find,
    frame: (info) => {
      const first = offeredIn({ info, isHistoryShortened: false, found: [] }).tokens;
      const later = offeredIn({ info, isHistoryShortened: true, found: [] }).tokens;
      return {
        system: Math.max(0, systemTokens - memory),
        instructions: memory,
        tools: first - systemTokens,
        laterTools: later - first,
      };
    },
  };
}

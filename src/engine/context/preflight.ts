import type { Message } from '#protocol/message.ts';
import { priceClass } from '#protocol/model-cost.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import { fitOf } from './context-use.ts';
import { modelMessages } from './history.ts';

const million = 1_000_000;
/** Tokens of an answer, and what one step adds to the history. */
const answerTokens = 400;
const stepTokens = 1_000;
/** A first call that costs less is no reason to ask. */
const noticeableUsd = 0.01;

export type PreflightInput = {
  state: ThreadState;
  info: ModelInfo;
  /** The model in use; undefined when there is none or nothing is known of it. */
  present: ModelInfo | undefined;
  /** Share of the usable window at which history is compacted. */
  compactAt: number;
};

/** What going on with `info` means for the conversation as it is now. */
export function modelPreflight(input: PreflightInput): ModelPreflight {
  const { state, info, compactAt } = input;
  const messages = modelMessages(state);
  const fit = fitOf(state, info, { compactAt });
  const found: Omit<ModelPreflight, 'isWorthAsking'> = {
    info,
    ...fit,
    images: messages.reduce((sum, message) => sum + imagesIn(message), 0),
    ...costs(info, Math.min(fit.tokens, fit.usable)),
    leavesReasoning: messages.some((message) => isForeign(message, info) && hasPrivateReasoning(message)),
    leavesMachine: input.present?.local === true && !info.local,
  };
  return { ...found, isWorthAsking: messages.length > 0 && isWorthAsking(found, input) };
}

function costs(info: ModelInfo, tokens: number): Pick<ModelPreflight, 'firstCallUsd' | 'laterCallUsd'> {
  const price = info.price?.value;
  if (!price) {
    const usd = priceClass(info) === 'free' ? 0 : null;
    return { firstCallUsd: usd, laterCallUsd: usd };
  }
  const answer = answerTokens * price.output;
  const whole = tokens * (price.cacheWrite ?? price.input);
  const cached = tokens * (price.cacheRead ?? price.input) + stepTokens * price.input;
  return { firstCallUsd: (whole + answer) / million, laterCallUsd: (cached + answer) / million };
}

function isWorthAsking(
  found: Omit<ModelPreflight, 'isWorthAsking'>,
  { info, present }: PreflightInput,
): boolean {
  if (present && isSameModel(present, info)) return false;
  if (found.fit !== 'fits' || found.leavesMachine) return true;
  if (found.images > 0 && !info.images.value) return true;
  const isSilenced = toolCallingOf(info) === 'none' && (!present || toolCallingOf(present) !== 'none');
  if (isSilenced) return true;
  if (found.firstCallUsd === null) return present === undefined || priceClass(present) !== 'unknown';
  return found.firstCallUsd >= noticeableUsd && !isSamePrice(present, info);
}

function isSameModel({ ref: one }: ModelInfo, { ref: two }: ModelInfo): boolean {
  return one.provider === two.provider && one.model === two.model;
}

function isSamePrice(one: ModelInfo | undefined, two: ModelInfo): boolean {
  const [first, second] = [one?.price?.value, two.price?.value];
  return first?.input === second?.input && first?.output === second?.output;
}

function imagesIn({ parts }: Message): number {
  return parts.reduce((sum, part) => {
    if (part.kind === 'image') return sum + 1;
    if (part.kind !== 'tool-call') return sum;
    return sum + (part.result?.forModel.filter(({ kind }) => kind === 'image').length ?? 0);
  }, 0);
}

function isForeign({ model }: Message, { ref }: ModelInfo): boolean {
  return model !== undefined && (model.provider !== ref.provider || model.model !== ref.model);
}

function hasPrivateReasoning({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'reasoning' && part.private !== undefined);
}

import type { Message, MessagePart } from '#protocol/message.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { isSummary, modelMessages } from './history.ts';
import { seedMeter } from './seed-meter.ts';
import { messageEstimate, partEstimate, resultEstimate } from './token-estimate.ts';
import { TokenMeter } from './token-meter.ts';

export type UseKind =
  | 'system'
  | 'tools'
  | 'instructions'
  | 'summary'
  | 'files'
  | 'results'
  | 'images'
  | 'chat';

/** What fills the window of the thread's model with its next request. Tokens, estimated as the engine does it. */
export type ContextUse = {
  parts: { kind: UseKind; tokens: number }[];
  used: number;
  /** The whole window, and what of it a request may take; null while no model was opened. */
  window: number | null;
  usable: number | null;
};

export function contextUse(state: ThreadState): ContextUse {
  const meter = meterOf(state, state.model);
  const { frame } = state;
  const sums: Record<UseKind, number> = {
    system: frame?.system ?? 0,
    tools: toolTokens(state),
    instructions: frame?.instructions ?? 0,
    summary: 0,
    files: 0,
    results: 0,
    images: 0,
    chat: 0,
  };
  for (const message of modelMessages(state)) addMessage(sums, message);
  const parts = Object.entries(sums).map(([kind, plain]) => ({
    kind: kind as UseKind,
    tokens: Math.round(plain * meter.scale),
  }));
  return {
    parts,
    used: parts.reduce((sum, { tokens }) => sum + tokens, 0),
    window: state.contextWindow,
    usable: frame?.usable ?? null,
  };
}

export type Fit = {
  /** Tokens of the next request, and what the model's window leaves for one. */
  tokens: number;
  usable: number;
  /** `tight`: it goes in, but history is shortened before the next call. */
  fit: 'fits' | 'tight' | 'too-long';
  /** Tokens of the next request if history were compacted first, roughly. */
  compacted: number;
};

/** Whether the thread's history goes into the window of another model. `compactAt`: the setting `compact_at`. */
export function fitOf(
  state: ThreadState,
  info: Pick<ModelInfo, 'ref' | 'contextWindow' | 'outputLimit'>,
  { compactAt }: { compactAt: number },
): Fit {
  const meter = meterOf(state, info.ref);
  if (meter.knownScale === null) meter.assume(meterOf(state, state.model).scale);
  const fixed = fixedOf(state);
  const usable = meter.usable(info);
  const tokens = meter.estimate(modelMessages(state), fixed);
  const fit = tokens > usable ? 'too-long' : tokens > compactAt * usable ? 'tight' : 'fits';
  const bare = meter.estimate([], fixed);
  const compacted = Math.min(tokens, bare + Math.round(Math.min(0.35 * usable, 0.5 * (tokens - bare))));
  return { tokens, usable, fit, compacted };
}

function meterOf(state: ThreadState, model: ThreadState['model']): TokenMeter {
  const meter = new TokenMeter();
  if (model) seedMeter(meter, state, { model, fixed: fixedOf(state) });
  return meter;
}

function fixedOf(state: ThreadState): number {
  const { frame } = state;
  return (frame?.system ?? 0) + (frame?.instructions ?? 0) + toolTokens(state);
}

function toolTokens({ frame, rewrite }: ThreadState): number {
  return (frame?.tools ?? 0) + (rewrite ? (frame?.laterTools ?? 0) : 0);
}

function addMessage(sums: Record<UseKind, number>, message: Message): void {
  if (isSummary(message)) {
    sums.summary += messageEstimate(message);
    return;
  }
  let rest = messageEstimate(message);
  for (const part of message.parts) {
    const [kind, plain] = partUse(part);
    sums[kind] += plain;
    rest -= plain;
  }
  sums.chat += rest;
}

/** What of a part is not just chat. */
function partUse(part: MessagePart): [UseKind, number] {
  if (part.kind === 'image') return ['images', partEstimate(part)];
  if (part.kind !== 'tool-call') return ['chat', 0];
  return [part.result?.fileStates ? 'files' : 'results', resultEstimate(part)];
}

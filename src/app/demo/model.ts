import type { Clock } from '#lib/clock.ts';
import type { ModelClient, StepPart, StepRequest } from '#protocol/model-client.ts';
import type { ModelChoice, ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import type { PlannedCall } from './demo-step.ts';
import { readEvidence } from './evidence.ts';
import { nextStep } from './story.ts';

export const demoModelRef: ModelRef = { provider: 'demo', model: 'demo (offline, scripted)' };
const label = demoModelRef.model;

const info: ModelInfo = {
  ref: demoModelRef,
  name: label,
  family: 'demo',
  contextWindow: { value: 32_000, origin: 'catalogue' },
  outputLimit: { value: 4_000, origin: 'default' },
  images: { value: false, origin: 'default' },
  tools: { value: true, origin: 'default' },
  reasoning: { value: true, origin: 'default' },
  local: true,
};

export const demoChoice: ModelChoice = {
  ref: demoModelRef,
  label,
  source: 'demo',
  detail: 'no model, no network: a scripted session on a sample project',
  info,
};

/** Milliseconds before the first word, and between two words. */
export type Pace = { thinkMs: number; wordMs: number };
export const humanPace: Pace = { thinkMs: 350, wordMs: 18 };
export const noPause: Pace = { thinkMs: 0, wordMs: 0 };

/** A model client without a model: it reads the conversation and plays the next step of a script. */
export function createDemoModel({ clock, pace }: { clock: Clock; pace: Pace }): ModelClient {
  return { info, stream: (request, { signal }) => play(request, { clock, pace, signal }) };
}

type Playing = { clock: Clock; pace: Pace; signal: AbortSignal };

async function* play(request: StepRequest, playing: Playing): AsyncGenerator<StepPart> {
  const { signal } = playing;
  const step = nextStep(readEvidence(request.messages));
  // Ids only have to differ within the thread; the number of messages tells one step from the next.
  const base = `demo-${request.messages.length}`;
  await pause(playing, playing.pace.thinkMs);
  for await (const part of spoken('reasoning', `${base}-thought`, step.thought, playing)) yield part;
  for await (const part of spoken('text', `${base}-text`, step.say, playing)) yield part;
  for (const [index, call] of step.calls.entries()) {
    if (signal.aborted) return;
    yield* called(`${base}-call-${index}`, call);
  }
  if (signal.aborted) return;
  const output = tokens(`${step.thought ?? ''}${step.say ?? ''}${JSON.stringify(step.calls)}`);
  const input = tokens(JSON.stringify([request.system, request.messages]));
  yield {
    kind: 'finish',
    reason: step.calls.length > 0 ? 'tool-calls' : 'stop',
    usage: { input, output, cacheRead: null, cacheWrite: null, reasoning: null },
    costUsd: 0,
  };
}

async function* spoken(
  kind: 'text' | 'reasoning',
  partId: string,
  text: string | undefined,
  playing: Playing,
): AsyncGenerator<StepPart> {
  if (text === undefined || playing.signal.aborted) return;
  yield { kind: `${kind}-start`, partId };
  for (const [word] of text.matchAll(/\s*\S+\s*$|\s*\S+/g)) {
    if (playing.signal.aborted) return;
    yield { kind: `${kind}-delta`, partId, text: word };
    await pause(playing, playing.pace.wordMs);
  }
  if (playing.signal.aborted) return;
  yield { kind: `${kind}-end`, partId, text };
}

function* called(partId: string, { tool, input }: PlannedCall): Generator<StepPart> {
  yield { kind: 'tool-call-start', partId, tool };
  yield { kind: 'tool-call-delta', partId, text: JSON.stringify(input) };
  yield { kind: 'tool-call', partId, vendorCallId: partId, tool, input };
}

async function pause({ clock, signal }: Playing, ms: number): Promise<void> {
  if (ms > 0) await clock.wait(ms, { signal });
}

/** A rough count, so that the context meter moves as it would with a model. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

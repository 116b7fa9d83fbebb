import type { FinishReason } from '#protocol/message.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { ProviderFamily } from '#protocol/model-ref.ts';
import type { Usage } from '#protocol/usage.ts';
import type { SdkCall, SdkModel, SdkPart } from './language-model.ts';
import type { Failure } from './model-error.ts';
import { StepMapper } from './step-mapper.ts';
import type { TextCallOptions } from './text-calls/text-call-parser.ts';
import type { CallsSeen } from './tool-calling.ts';
import type { WireDialect } from './wire/dialect.ts';
import type { WireFacts } from './wire/facts.ts';
import { WireRefusal } from './wire/refusal.ts';

type StepOptions = {
  model: SdkModel;
  call: SdkCall & { abortSignal: AbortSignal };
  dialect: WireDialect;
  /** What the wire sees of this call while it runs. */
  facts: WireFacts;
  family: ProviderFamily;
  nextId: () => string;
  textCalls: TextCallOptions | undefined;
};

/** How one attempt ended. `stopped`: its signal aborted. */
export type StepEnd =
  | ({ kind: 'finish'; reason: FinishReason; usage: Usage | null } & CallsSeen)
  | { kind: 'failed'; failure: Failure }
  | { kind: 'stopped' };

/**
 * One attempt at one model call. Gives the parts as they come and returns how it ended; never throws. The SDK's
 * own word on errors and endings is not used: it tells a broken stream from a finished one too rarely.
 */
export async function* streamStep(options: StepOptions): AsyncGenerator<StepPart, StepEnd> {
  const { model, call, dialect, facts } = options;
  const { abortSignal: signal } = call;
  const mapper = new StepMapper(options);
  let trouble: unknown;
  let reader: ReadableStreamDefaultReader<SdkPart> | undefined;
  const onAbort = () => {
    reader?.cancel().catch(() => undefined); // A cancelled stream may report the abort once more.
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { stream } = await model.doStream(call);
    reader = stream.getReader();
    while (!signal.aborted) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === 'error') trouble ??= value.error;
      else yield* mapper.map(value);
    }
  } catch (error) {
    trouble = error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    onAbort();
  }
  if (signal.aborted) return { kind: 'stopped' };
  const failure = failureOf(facts, dialect, trouble);
  if (failure) return { kind: 'failed', failure };
  yield* mapper.end();
  const reason = dialect.finishReason(facts, mapper.hasCalls);
  const { calls, problem } = mapper;
  return { kind: 'finish', reason, usage: dialect.usage(facts), calls, problem };
}

/** What went wrong, by what the wire saw before what the SDK says; undefined when the answer is whole. */
function failureOf(facts: WireFacts, dialect: WireDialect, trouble: unknown): Failure | undefined {
  const { url } = facts;
  if (trouble instanceof WireRefusal) {
    const { status, headers, body } = trouble;
    return { kind: 'answer', url, status, headers, body };
  }
  if (facts.error) return { kind: 'stream', url, ...facts.error };
  if (facts.broken !== undefined && !dialect.isComplete(facts)) {
    return { kind: 'network', url, cause: facts.broken, midStream: true };
  }
  const isAnswered = facts.status !== undefined;
  if (trouble !== undefined && !isAnswered && url !== '') {
    return { kind: 'network', url, cause: trouble, midStream: false };
  }
  if (facts.unreadable > 0 && facts.unreadable === facts.events) {
    return { kind: 'cut', url, isUnreadable: true };
  }
  if (isAnswered && !dialect.isComplete(facts)) return { kind: 'cut', url, isUnreadable: false };
  if (trouble !== undefined) {
    const message = trouble instanceof Error ? trouble.message : String(trouble);
    return { kind: 'sdk', url, message, midStream: isAnswered };
  }
  return undefined;
}

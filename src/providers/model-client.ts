import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { ModelClient, StepPart, StepRequest, StreamOptions } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { CapabilityStore } from './capabilities/capability-store.ts';
import type { Connection } from './connections.ts';
import { costOf } from './cost.ts';
import { adviceFor, type ErrorTarget } from './errors/advice.ts';
import { toPrompt } from './history/to-prompt.ts';
import type { SdkCall, SdkModel } from './language-model.ts';
import { type Failure, modelErrorOf } from './model-error.ts';
import type { ServerFacts } from './model-facts.ts';
import type { ProviderDef } from './provider-def.ts';
import { type RetryPolicy, RetryTrack } from './retry.ts';
import { SilenceWatch } from './silence-watch.ts';
import { type StepEnd, streamStep } from './stream-step.ts';
import type { TextCallOptions } from './text-calls/text-call-parser.ts';
import { ToolCallingStyle } from './tool-calling.ts';
import { createWire, type Wire } from './wire/wire.ts';

type ModelClientOptions = {
  def: ProviderDef;
  connection: Connection;
  info: ModelInfo;
  server: ServerFacts;
  capabilities: CapabilityStore;
  clock: Clock;
  policy: RetryPolicy;
  nextId: () => string;
};

type Prepared = Omit<SdkCall, 'abortSignal'>;

/** A connection to one model: one call at a time made, watched, repeated where that helps, and priced. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { def, connection, info, server, clock, policy } = options;
  const dialect = def.dialect(connection, server);
  const rewrite = def.rewrite?.(connection, server);
  const wire = createWire({ dialect, network: connection.transport.call, ...(rewrite ? { rewrite } : {}) });
  const target = errorTarget(connection, info);
  const calling = new ToolCallingStyle(options);
  let model: Promise<SdkModel> | undefined;

  async function* stream(
    request: StepRequest,
    { signal, maxAttempts }: StreamOptions,
  ): AsyncGenerator<StepPart> {
    const refused = refusedAtOnce(request, { connection, target, canCall: calling.canCall });
    if (refused) {
      yield { kind: 'error', error: refused };
      return;
    }
    let prepared: Prepared;
    let sdkModel: SdkModel;
    try {
      model ??= def.connect(connection, info.ref.model, wire.fetch);
      sdkModel = await model;
      prepared = await prepare(calling.shaped(request), options);
    } catch (error) {
      model = undefined;
      const failure: Failure = { kind: 'sdk', url: '', message: errorText(error), midStream: false };
      yield { kind: 'error', error: modelErrorOf(failure, target, clock.now()) };
      return;
    }
    const track = new RetryTrack(policy, maxAttempts);
    while (!signal.aborted) {
      yield { kind: 'attempt', url: plainUrl(connection.baseUrl) };
      const textCalls = calling.reading(request);
      const end = yield* oneAttempt(sdkModel, prepared, { options, wire, dialect, signal, textCalls });
      if (end.kind === 'stopped') return;
      if (end.kind === 'finish') {
        const notice = await calling.afterAnswer(end);
        if (notice) yield notice;
        const { reason, usage } = end;
        const correction = calling.correction(end, request);
        const told = correction === undefined ? {} : { correction };
        yield { kind: 'finish', reason, usage, costUsd: costOf(usage, info), ...told };
        return;
      }
      const error = modelErrorOf(end.failure, target, clock.now());
      const changed = await calling.afterRefusal(error);
      if (changed) {
        // Nothing is waited for; what has come is void.
        if (error.midStream) yield { kind: 'retry', attempt: 1, maxAttempts: 1, until: clock.now(), error };
        yield changed;
        prepared = await prepare(calling.shaped(request), options);
        continue;
      }
      const next = track.next(error);
      if (!next) {
        yield { kind: 'error', error: track.finalError(error) };
        return;
      }
      const { delayMs, ...count } = next;
      yield { kind: 'retry', ...count, until: clock.now() + delayMs, error };
      await clock.wait(delayMs, { signal });
    }
  }

  return {
    get info() {
      return calling.info;
    },
    stream,
  };
}

type AttemptContext = {
  options: ModelClientOptions;
  wire: Wire;
  dialect: ReturnType<ProviderDef['dialect']>;
  signal: AbortSignal;
  textCalls: TextCallOptions | undefined;
};

/** `stopped` only when the caller's signal aborted; silence of the server is a failure. */
async function* oneAttempt(
  model: SdkModel,
  prepared: Prepared,
  { options, wire, dialect, signal, textCalls }: AttemptContext,
): AsyncGenerator<StepPart, StepEnd> {
  const { connection, info, clock, nextId } = options;
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) controller.abort();
  let silentMs: number | undefined;
  let events = 0;
  const facts = wire.watch(controller.signal, () => {
    watch.heard();
    if (facts.events > events) answerWatch.heard();
    events = facts.events;
  });
  const { firstTokenTimeoutMs, idleTimeoutMs } = connection;
  const onSilent = (limit: number) => {
    silentMs = limit;
    controller.abort();
  };
  const watch = new SilenceWatch(clock, {
    limitMs: () => (facts.events === 0 ? firstTokenTimeoutMs : idleTimeoutMs),
    onSilent,
  });
  // Keep-alives show that a server is there, not that an answer comes: they do not put off the end for ever.
  const answerWatch = new SilenceWatch(clock, {
    limitMs: () => Math.max(firstTokenTimeoutMs, idleTimeoutMs),
    onSilent,
  });
  try {
    const call = { ...prepared, abortSignal: controller.signal };
    const { family } = info;
    const end = yield* streamStep({ model, call, dialect, facts, family, nextId, textCalls });
    if (end.kind !== 'stopped' || silentMs === undefined || signal.aborted) return end;
    const seconds = Math.round(silentMs / 1_000);
    return {
      kind: 'failed',
      failure: { kind: 'timeout', url: facts.url, seconds, midStream: facts.events > 0 },
    };
  } finally {
    watch.stop();
    answerWatch.stop();
    signal.removeEventListener('abort', onAbort);
    // A consumer that stops reading leaves no request behind.
    controller.abort();
  }
}

async function prepare(
  request: StepRequest,
  { def, connection, info }: ModelClientOptions,
): Promise<Prepared> {
  const { provider, model, effort } = info.ref;
  const prompt = await toPrompt(request, {
    ...def.history(connection, model),
    family: info.family,
    provider,
    model,
    canSee: info.images.value,
  });
  const { maxOutputTokens, threadId } = request;
  const extras = def.extras({ info, connection, prompt, threadId, maxOutputTokens });
  const limit = extras.maxOutputTokens ?? maxOutputTokens;
  return {
    prompt,
    ...(request.tools.length > 0 ? { tools: request.tools.map(sdkTool) } : {}),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(effort && extras.effort !== null && !isKnownNotToReason(info) ? { reasoning: effort } : {}),
    ...(extras.providerOptions ? { providerOptions: extras.providerOptions } : {}),
  };
}

/** An effort that came along by an alias or a fallback would only be refused. */
function isKnownNotToReason({ reasoning }: ModelInfo): boolean {
  return !reasoning.value && reasoning.origin !== 'default';
}

function sdkTool({ name, description, parameters }: StepRequest['tools'][number]) {
  return { type: 'function' as const, name, description, inputSchema: parameters };
}

/** What is bound to fail is not sent. */
function refusedAtOnce(
  request: StepRequest,
  { connection, target, canCall }: { connection: Connection; target: ErrorTarget; canCall: boolean },
): ModelError | undefined {
  const { keyEnv, needsKey, apiKey } = connection;
  if (needsKey && keyEnv && !apiKey) {
    const message = `No key for provider "${connection.id}": ${keyEnv} is not set.`;
    return {
      class: 'auth',
      retryable: false,
      message,
      advice: `Set ${keyEnv}, or choose another model with /model.`,
    };
  }
  if (request.tools.length > 0 && !canCall) {
    const message = `${target.provider}/${target.model} cannot call tools.`;
    return {
      class: 'tools-unsupported',
      retryable: false,
      message,
      advice: adviceFor('tools-unsupported', target),
    };
  }
  return undefined;
}

/** Some have a name and key in their address. */
function plainUrl(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : '';
}

function errorTarget(connection: Connection, info: ModelInfo): ErrorTarget {
  return {
    provider: connection.id,
    model: info.ref.model,
    baseUrl: connection.baseUrl,
    isLocal: connection.isLocal,
    keyEnv: connection.keyEnv,
    key: connection.apiKey,
    startCommand: connection.server?.startCommand,
  };
}

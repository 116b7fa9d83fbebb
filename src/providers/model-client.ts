import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { ModelClient, StepPart, StepRequest } from '#protocol/model-client.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import type { Connection } from './connections.ts';
import { costOf } from './cost.ts';
import { adviceFor, type ErrorTarget } from './errors/advice.ts';
import { toPrompt } from './history/to-prompt.ts';
import type { SdkCall, SdkModel } from './language-model.ts';
import { type Failure, modelErrorOf } from './model-error.ts';
import type { ServerFacts } from './model-facts.ts';
import type { ProviderDef } from './provider-def.ts';
import { finalError, type RetryPolicy, retryDelay } from './retry.ts';
import { SilenceWatch } from './silence-watch.ts';
import { type StepEnd, streamStep } from './stream-step.ts';
import { createWire, type Wire } from './wire/wire.ts';

type ModelClientOptions = {
  def: ProviderDef;
  connection: Connection;
  info: ModelInfo;
  server: ServerFacts;
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
  const wire = createWire({ dialect, ...(rewrite ? { rewrite } : {}) });
  const target = errorTarget(connection, info);
  let model: Promise<SdkModel> | undefined;

  async function* stream(
    request: StepRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<StepPart> {
    const refused = refusedAtOnce(request, { connection, info, target });
    if (refused) {
      yield { kind: 'error', error: refused };
      return;
    }
    let prepared: Prepared;
    let sdkModel: SdkModel;
    try {
      model ??= def.connect(connection, info.ref.model, wire.fetch);
      sdkModel = await model;
      prepared = await prepare(request, options);
    } catch (error) {
      model = undefined;
      const failure: Failure = { kind: 'sdk', url: '', message: errorText(error), midStream: false };
      yield { kind: 'error', error: modelErrorOf(failure, target, clock.now()) };
      return;
    }
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      yield { kind: 'attempt' };
      const end = yield* oneAttempt(sdkModel, prepared, { options, wire, dialect, signal });
      if (end.kind === 'stopped') return;
      if (end.kind === 'finish') {
        yield { kind: 'finish', reason: end.reason, usage: end.usage, costUsd: costOf(end.usage, info) };
        return;
      }
      const error = modelErrorOf(end.failure, target, clock.now());
      const delay = retryDelay(error, attempt, policy);
      if (delay === undefined) {
        yield { kind: 'error', error: finalError(error, attempt, policy) };
        return;
      }
      const until = clock.now() + delay;
      yield { kind: 'retry', attempt: attempt + 1, maxAttempts: policy.maxAttempts, until, error };
      await clock.wait(delay, { signal });
    }
  }

  return { info, stream };
}

type AttemptContext = {
  options: ModelClientOptions;
  wire: Wire;
  dialect: ReturnType<ProviderDef['dialect']>;
  signal: AbortSignal;
};

/** `stopped` only when the caller's signal aborted; silence of the server is a failure. */
async function* oneAttempt(
  model: SdkModel,
  prepared: Prepared,
  { options, wire, dialect, signal }: AttemptContext,
): AsyncGenerator<StepPart, StepEnd> {
  const { connection, info, clock, nextId } = options;
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) controller.abort();
  let silentMs: number | undefined;
  const facts = wire.watch(controller.signal, () => watch.heard());
  const watch = new SilenceWatch(clock, {
    limitMs: () => (facts.events === 0 ? connection.firstTokenTimeoutMs : connection.idleTimeoutMs),
    onSilent: (limit) => {
      silentMs = limit;
      controller.abort();
    },
  });
  try {
    const call = { ...prepared, abortSignal: controller.signal };
    const end = yield* streamStep({ model, call, dialect, facts, family: info.family, nextId });
    if (end.kind !== 'stopped' || silentMs === undefined || signal.aborted) return end;
    const seconds = Math.round(silentMs / 1_000);
    return {
      kind: 'failed',
      failure: { kind: 'timeout', url: facts.url, seconds, midStream: facts.events > 0 },
    };
  } finally {
    watch.stop();
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
    ...(effort && extras.effort !== null ? { reasoning: effort } : {}),
    ...(extras.providerOptions ? { providerOptions: extras.providerOptions } : {}),
  };
}

function sdkTool({ name, description, parameters }: StepRequest['tools'][number]) {
  return { type: 'function' as const, name, description, inputSchema: parameters };
}

/** What is bound to fail is not sent. */
function refusedAtOnce(
  request: StepRequest,
  { connection, info, target }: { connection: Connection; info: ModelInfo; target: ErrorTarget },
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
  if (request.tools.length > 0 && !info.tools.value) {
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

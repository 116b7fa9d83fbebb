import type { Clock } from '#lib/clock.ts';
import type { HookEvent } from '#protocol/hook.ts';
import type {
  ModelClient,
  ModelDirectory,
  StepPart,
  StepRequest,
  StreamOptions,
} from '#protocol/model-client.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';

type Tell = (event: Extract<HookEvent, { event: 'http' }>) => void;

/** The same models; each call that one of them makes is told to hooks. */
export function toldDirectory(
  directory: ModelDirectory,
  { tell, clock }: { tell: Tell; clock: Clock },
): ModelDirectory {
  return {
    open: async (ref) => toldClient(await directory.open(ref), { tell, clock }),
    ...(directory.route ? { route: (purpose) => directory.route?.(purpose) ?? Promise.resolve([]) } : {}),
    ...(directory.fallback ? { fallback: directory.fallback.bind(directory) } : {}),
  };
}

function toldClient(client: ModelClient, { tell, clock }: { tell: Tell; clock: Clock }): ModelClient {
  async function* stream(request: StepRequest, options: StreamOptions): AsyncGenerator<StepPart> {
    const model = formatModelRef(client.info.ref);
    let call = { event: 'http' as const, model, url: '', attempt: 0 };
    let startedAt = clock.now();
    for await (const part of client.stream(request, options)) {
      if (part.kind === 'attempt') {
        call = { ...call, url: part.url ?? '', attempt: call.attempt + 1 };
        startedAt = clock.now();
        tell({ ...call, phase: 'request' });
      } else if (part.kind === 'retry' || part.kind === 'error') {
        const { status, message } = part.error;
        tell({ ...call, phase: 'error', error: message, ...(status === undefined ? {} : { status }) });
        if (part.kind === 'retry')
          tell({
            ...call,
            phase: 'retry',
            attempt: part.attempt,
            delayMs: Math.max(0, part.until - clock.now()),
          });
      } else if (part.kind === 'finish') {
        tell({ ...call, phase: 'response', status: 200, durationMs: clock.now() - startedAt });
      }
      yield part;
    }
  }
  return {
    get info() {
      return client.info;
    },
    stream,
  };
}

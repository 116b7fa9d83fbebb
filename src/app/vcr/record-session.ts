import { log } from '#lib/log.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import { isDelta } from '#protocol/is-delta.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext, ToolDef } from '#protocol/tool.ts';
import { asToolRun } from '#providers/vcr/record-fetch.ts';
import type { Recorder } from '#providers/vcr/recorder.ts';

/** Runs a tool and writes down what it showed and gave back. */
export async function recordRun(
  recorder: Recorder,
  { tool, input, ctx, run }: { tool: ToolDef; input: unknown; ctx: ToolContext; run: number },
): Promise<ToolResult> {
  recorder.write({ kind: 'tool-start', run, tool: tool.name, input: input as JsonValue });
  const progress: ToolContext['progress'] = (view) => {
    recorder.write({ kind: 'tool-view', run, view });
    ctx.progress(view);
  };
  try {
    const result = await asToolRun(() => tool.run(input, { ...ctx, progress }));
    recorder.write({ kind: 'tool-end', run, result });
    return result;
  } catch (error) {
    recorder.write({
      kind: 'tool-end',
      run,
      failure: error instanceof Error ? error.message : String(error),
    });
    throw error;
  }
}

/** Writes what happens in the thread until it is closed or `signal` aborts; resolves then. Never rejects. */
export async function recordEvents(
  recorder: Recorder,
  handle: EngineHandle,
  signal: AbortSignal,
): Promise<void> {
  const events = handle.events()[Symbol.asyncIterator]();
  const stopped = Promise.withResolvers<{ done: true; value: undefined }>();
  const stop = () => stopped.resolve({ done: true, value: undefined });
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (true) {
      // A reader that waits for an event cannot be ended by its source.
      const { done, value } = await Promise.race([events.next(), stopped.promise]);
      if (done) return;
      if (!isDelta(value)) recorder.write({ kind: 'event', event: value });
    }
  } catch (error) {
    log('the events of a thread are no longer recorded:', error);
  } finally {
    signal.removeEventListener('abort', stop);
    void events.return?.();
  }
}

import { cleanOutput } from '#lib/clean-output.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import type { ToolContext } from '#protocol/tool.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { hideInView } from './hide-secrets.ts';
import type { ToolCall, ToolCallDeps } from './tool-call.ts';
import type { ReadyCall } from './tool-input.ts';

/** How long a tool may take to stop by itself, and so to give back what it has, before it is left behind. */
const graceMs = 100;
/** At most one progress event in this time. */
const progressMs = 33;

type ToolRun = {
  call: ToolCall;
  ready: ReadyCall;
  signal: AbortSignal;
  /** Where its commands run; without it, outside of any sandbox. */
  placeFor?: ToolContext['placeFor'];
  /** Where its paths led when it was allowed. */
  paths?: PermissionDecision['paths'] | undefined;
};

/**
 * Runs a tool that may run. Ends at the latest 100 ms after `signal` aborts, also when the tool ignores it; what
 * still runs then goes to `supervise`. Never rejects.
 */
export async function runTool(
  deps: ToolCallDeps,
  { call, ready, signal, placeFor, paths }: ToolRun,
): Promise<ToolResult> {
  const { messageId, callId } = call;
  await deps.emit({ kind: 'tool-run-start', messageId, callId });
  await deps.beforeRun(ready.tool.effect);
  if (signal.aborted) return stopped(ready, { view: undefined, why: 'The person interrupted this call.' });
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  let isTimedOut = false;
  const cancelTimeout = deps.clock.after(deps.timeoutMs, () => {
    isTimedOut = true;
    stop.abort();
  });
  const progress = paced(
    deps,
    (view) => void deps.emit({ kind: 'tool-run-progress', messageId, callId, view: hideInView(view) }),
  );
  try {
    const context = {
      ...toolContext(deps, { call, signal: stop.signal, progress: progress.show }),
      ...(placeFor ? { placeFor } : {}),
      ...(paths ? { decidedPaths: new Map(paths.map(({ path, real }) => [path, real])) } : {}),
    };
    const work = Promise.resolve().then(() => ready.tool.run(ready.input, context));
    const ended = work.then(
      (result) => ({ kind: 'result', result }) as const,
      (error: unknown) => ({ kind: 'failure', error }) as const,
    );
    const first = await Promise.race([ended, leftBehind(deps, stop.signal)]);
    if (first.kind === 'result') return first.result;
    const why = isTimedOut
      ? `Stopped: it ran longer than ${Math.round(deps.timeoutMs / 1000)} seconds.`
      : 'The person interrupted this call.';
    if (first.kind === 'left-behind') deps.supervise(ended);
    else if (!stop.signal.aborted) return failed(ready, first.error);
    return stopped(ready, {
      view: progress.last(),
      why,
      ...(isTimedOut ? { status: 'error' as const } : {}),
    });
  } finally {
    progress.end();
    cancelTimeout();
    signal.removeEventListener('abort', onAbort);
  }
}

export function toolContext(
  deps: ToolCallDeps,
  { call, signal, progress }: { call: ToolCall; signal: AbortSignal; progress: (view: ToolView) => void },
): ToolContext {
  const { cwd, roots, filesDir, ledger, services, childEnv, requireRead, offered } = deps;
  const { callId } = call;
  const maxResultChars = deps.maxResultChars();
  return {
    callId,
    cwd,
    shellCwd: deps.commandsStartIn,
    shellPath: deps.commandsSearch,
    roots,
    filesDir,
    signal,
    ledger,
    services,
    childEnv,
    offered,
    requireRead,
    maxResultChars,
    progress,
  };
}

function leftBehind({ clock }: ToolCallDeps, signal: AbortSignal): Promise<{ kind: 'left-behind' }> {
  return new Promise((resolve) => {
    const wait = () => void clock.wait(graceMs).then(() => resolve({ kind: 'left-behind' }));
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

/** Shows the newest view at a bounded rate, the last one always. */
function paced({ clock }: ToolCallDeps, send: (view: ToolView) => void) {
  let last: ToolView | undefined;
  let isUnsent = false;
  let hasEnded = false;
  let cancel: (() => void) | undefined;
  const sendLast = () => {
    cancel = undefined;
    if (hasEnded || !isUnsent || !last) return;
    isUnsent = false;
    send(last);
    cancel = clock.after(progressMs, sendLast);
  };
  return {
    show: (view: ToolView) => {
      last = view;
      isUnsent = true;
      if (!cancel) sendLast();
    },
    last: () => last,
    end: () => {
      hasEnded = true;
      cancel?.();
    },
  };
}

function failed({ tool }: ReadyCall, error: unknown): ToolResult {
  if (!LlmcodeError.isInstance(error)) log(`${tool.name} failed:`, error);
  return { status: 'error', forModel: [{ kind: 'text', text: `${tool.name} failed: ${errorText(error)}` }] };
}

/** What there is of a call that was stopped; its last view is kept. */
function stopped(
  { tool }: ReadyCall,
  {
    view,
    why,
    status = 'aborted',
  }: { view: ToolView | undefined; why: string; status?: 'aborted' | 'error' },
): ToolResult {
  const hasEffects = tool.effect !== 'read' && tool.effect !== 'none';
  const warning = hasEffects ? ' It may have had effects: check before you repeat it.' : '';
  const printed = view?.kind === 'terminal' ? cleanOutput(view.output).trimEnd() : '';
  const output = printed === '' ? '' : `\nOutput until then:\n${printed}`;
  const shown = view?.kind === 'terminal' ? { ...view, running: false } : view;
  return {
    status,
    forModel: [{ kind: 'text', text: `${why}${warning}${output}` }],
    ...(shown ? { view: shown } : {}),
  };
}

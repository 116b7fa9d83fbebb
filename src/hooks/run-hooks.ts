import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import type { HookEvent, HookOutcome, HookRunner } from '#protocol/hook.ts';
import { claudeHooks } from './claude-hooks.ts';
import type { HookEventDef } from './events/define-hook-event.ts';
import { hookEventOf } from './events/index.ts';
import type { Hook } from './hook.ts';
import { mergeReplies } from './merge-replies.ts';
import { ownHooks } from './own-hooks.ts';
import type { HookCall } from './payload.ts';
import { runHook } from './run-hook.ts';
import type { HookSettings } from './settings.ts';
import { unusedParts } from './unused-parts.ts';

type HookRunnerOptions = {
  settings: HookSettings;
  cwd: string;
  threadId: () => string;
  env: Environment;
  clock: Clock;
};

/** Runs the hooks of the settings: all that match at once, and the strictest of them decides. */
export function createHookRunner(options: HookRunnerOptions): HookRunner {
  const { settings, cwd, threadId, env, clock } = options;
  const hooks = Array.isArray(settings.hooks) ? ownHooks(settings.hooks) : claudeHooks(settings.hooks);
  const warning = unusedParts(settings);
  let isResumed = false;

  async function run(event: HookEvent, signal: AbortSignal): Promise<HookOutcome> {
    const def = hookEventOf(event);
    if (!def) return nothing();
    const calls = matching(hooks, def, event);
    if (calls.length === 0) return nothing();
    const about: Omit<HookCall, 'name'> = {
      def,
      event,
      sessionId: threadId(),
      at: clock.now(),
      surroundings: { cwd, isResumed },
    };
    const replies = await Promise.all(
      calls.map(({ hook, name }) => runHook(hook, { ...about, name }, { env, signal })),
    );
    return signal.aborted ? nothing() : mergeReplies(def.merge, replies);
  }

  return {
    async fire(event, { signal }) {
      if (signal.aborted) return nothing();
      const outcome = await run(event, signal).catch((error: unknown) => broken(event, error));
      if (event.event === 'turn-end') isResumed = outcome.decision === 'deny';
      else if (event.event === 'prompt-submit') isResumed = false;
      const isTold = event.event === 'session-start' && warning !== undefined;
      return isTold ? { ...outcome, notices: [warning, ...outcome.notices] } : outcome;
    },
  };
}

/** The same command runs once for an occurrence, however many entries ask for it. */
function matching(
  hooks: readonly Hook[],
  def: HookEventDef,
  event: HookEvent,
): { hook: Hook; name: string }[] {
  const found = new Map<string, { hook: Hook; name: string }>();
  for (const hook of hooks) {
    const name = hook.nameFor(def, event);
    const key = JSON.stringify([hook.target, hook.timeoutMs, hook.onError]);
    if (name !== undefined && !found.has(key)) found.set(key, { hook, name });
  }
  return [...found.values()];
}

/** A fault of ours, not of a hook. A gate that could not be asked leaves it to the person. */
function broken(event: HookEvent, error: unknown): HookOutcome {
  log('hooks failed:', error);
  const text = `The hooks for ${event.event} could not be run: ${errorText(error)}`;
  const isGate = hookEventOf(event)?.merge.isGate ?? false;
  return isGate
    ? { decision: 'ask', reason: text, notices: [text] }
    : { decision: 'continue', notices: [text] };
}

function nothing(): HookOutcome {
  return { decision: 'continue', notices: [] };
}

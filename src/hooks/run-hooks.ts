import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { HookEvent, HookOutcome, HookRunner, HookScene } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { HookEventDef } from './events/define-hook-event.ts';
import { hookEventOf } from './events/index.ts';
import { type Hook, hookLabel } from './hook.ts';
import { hooksOf } from './hooks-of.ts';
import { mergeReplies } from './merge-replies.ts';
import type { HookCall } from './payload.ts';
import type { HookReply } from './reply.ts';
import { type HookWorld, runHook } from './run-hook.ts';
import type { HookSource } from './settings.ts';
import { unusedParts } from './unused-parts.ts';

export type HookRunnerOptions = HookWorld & {
  sources: readonly HookSource[];
  cwd: string;
  threadId: () => string;
  /** Whether a call falls under a permission rule; rejects nothing. */
  isUnderRule?: (rule: string, call: { tool: string; input: JsonValue }) => boolean;
};

/** Runs the hooks of the settings: all that match at once, and the strictest of them decides. */
export function createHookRunner(options: HookRunnerOptions): HookRunner {
  const { sources, cwd, threadId, clock } = options;
  const hooks = hooksOf(sources);
  const warning = unusedParts(sources);
  const spent = new Set<Hook>();
  let isResumed = false;

  async function run(
    event: HookEvent,
    { signal, scene }: { signal: AbortSignal; scene: HookScene },
  ): Promise<HookOutcome> {
    const def = hookEventOf(event);
    if (!def) return nothing();
    const calls = matching(hooks, def, event).filter(({ hook }) => isWanted(hook, event));
    if (calls.length === 0) return nothing();
    const about: Omit<HookCall, 'name'> = {
      def,
      event,
      sessionId: threadId(),
      at: clock.now(),
      surroundings: { cwd, isResumed },
      scene,
    };
    const replies = await Promise.all(
      calls.map(({ hook, name }): HookReply | Promise<HookReply> => {
        if (hook.isOnce) spent.add(hook);
        const call = { ...about, name };
        if (!hook.isAsync) return placed(hook, runHook(hook, call, { world: options, signal }));
        // Its own time limit ends it; what it did is among the runs.
        runHook(hook, call, { world: options, signal: new AbortController().signal }).catch(
          (error: unknown) => log('a hook in the background failed:', error),
        );
        return { notices: [] };
      }),
    );
    return signal.aborted ? nothing() : mergeReplies(def.merge, replies);
  }

  function isWanted(hook: Hook, event: HookEvent): boolean {
    if (spent.has(hook)) return false;
    const { condition } = hook;
    if (condition === undefined || !('tool' in event) || !options.isUnderRule) return true;
    return options.isUnderRule(condition, event);
  }

  return {
    async fire(event, { signal, scene = {} }) {
      if (signal.aborted) return nothing();
      const outcome = await run(event, { signal, scene }).catch((error: unknown) => broken(event, error));
      if (event.event === 'turn-end') isResumed = outcome.decision === 'deny';
      else if (event.event === 'prompt-submit') isResumed = false;
      const isTold = event.event === 'session-start' && event.source !== 'compact' && warning !== undefined;
      return isTold ? { ...outcome, notices: [warning, ...outcome.notices] } : outcome;
    },
  };
}

async function placed(hook: Hook, reply: Promise<HookReply>): Promise<HookReply> {
  return { ...(await reply), from: { hook: hookLabel(hook), file: hook.file } };
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
    const key = JSON.stringify([hook.dialect, hook.target, hook.timeoutMs, hook.onError, hook.condition]);
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

import type { HookEvent, HookOutcome, HookRunner } from '#protocol/hook.ts';
import { untilAbort } from './until-abort.ts';

/** As `HookRunner.fire`, but an abort is not kept waiting by a hook that is slow to die. */
export async function fireHook(
  hooks: HookRunner,
  event: HookEvent,
  { signal }: { signal: AbortSignal },
): Promise<HookOutcome> {
  const outcome = await untilAbort(hooks.fire(event, { signal }), signal);
  return outcome ?? { decision: 'continue', notices: [] };
}

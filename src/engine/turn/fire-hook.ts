import type { IdSource } from '#lib/ids.ts';
import type { EventBody } from '#protocol/event.ts';
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

/** What hooks say to the person. */
export async function showNotices(
  { emit, ids }: { emit(body: EventBody): Promise<void>; ids: IdSource },
  { notices }: HookOutcome,
): Promise<void> {
  for (const text of notices)
    await emit({ kind: 'notice-added', notice: { id: ids(), kind: 'notice', level: 'info', text } });
}

import { LlmcodeError } from '#lib/errors.ts';
import type { EngineEvent } from '#protocol/event.ts';

/** Up to where a copy goes: a place in the log, or a message (one of the person is not in it, any other is). */
export type CopyPoint = { kind: 'seq'; seq: number } | { kind: 'message'; messageId: string };

/** The events up to a point. Throws `message-not-found` when there is no such message. */
export function cutEvents(events: readonly EngineEvent[], point: CopyPoint): EngineEvent[] {
  if (point.kind === 'seq') return events.filter(({ seq }) => seq <= point.seq);
  const { messageId } = point;
  const said = events.findIndex((event) => event.kind === 'message-added' && event.message.id === messageId);
  const added = events[said];
  if (added?.kind === 'message-added' && added.message.origin === 'person')
    return events.slice(0, startOfTurn(events, said));
  const end = said === -1 ? lastOf(events, messageId) : said;
  if (end === -1)
    throw new LlmcodeError('message-not-found', `There is no message ${messageId} in this thread.`, {
      exitCode: 2,
    });
  return events.slice(0, end + 1);
}

/** A turn that begins for a message belongs to it. */
function startOfTurn(events: readonly EngineEvent[], index: number): number {
  const { turnId } = events[index] ?? {};
  for (let at = index - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.kind === 'turn-start') return event.turnId === turnId ? at : index;
    if (event?.kind === 'message-end' || event?.kind === 'turn-end') return index;
  }
  return index;
}

/** The last event of an answer: the results of its calls come after its end. */
function lastOf(events: readonly EngineEvent[], messageId: string): number {
  return events.findLastIndex((event) => 'messageId' in event && event.messageId === messageId);
}

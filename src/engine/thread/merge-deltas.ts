import type { EngineEvent } from '#protocol/event.ts';

/** Joins two neighbouring deltas of one part into one; of two progress views the newer one stands. */
export function mergeDeltas(last: EngineEvent, next: EngineEvent): EngineEvent | undefined {
  switch (next.kind) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
      if (last.kind !== next.kind || last.partId !== next.partId || last.messageId !== next.messageId)
        return undefined;
      return { ...next, text: last.text + next.text };
    case 'tool-run-progress':
      return last.kind === next.kind && last.callId === next.callId ? next : undefined;
    case 'shell-progress':
      return last.kind === next.kind && last.id === next.id ? next : undefined;
    default:
      return undefined;
  }
}

import { expect } from 'vitest';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { callParts } from './test-thread.ts';

export function foldOf(events: readonly EngineEvent[]): ThreadState {
  const start = emptyThreadState({ threadId: events[0]?.threadId ?? '', cwd: '/ws', mode: 'prompt' });
  return events.reduce(applyEvent, start);
}

/** What must hold of every thread that is at rest, whatever happened in it. */
export function expectSound(events: readonly EngineEvent[]): void {
  const all = foldOf(events);
  const withoutDeltas = foldOf(events.filter((event) => !isDelta(event)));
  expect({ ...withoutDeltas, seq: 0 }).toEqual({ ...all, seq: 0 });
  expect(all).toMatchObject({
    live: null,
    turnId: null,
    activeRuns: {},
    permissions: [],
    questions: [],
    retry: null,
  });
  expect(callParts(all.messages).filter(({ result }) => result === undefined)).toEqual([]);
  expect(turnsOf(events)).toEqual(turnsOf(events).map(() => ['turn-start', 'turn-end']));
  const kept = new Set(callParts(all.messages).map(({ callId }) => callId));
  const results = events.flatMap((event) => (event.kind === 'tool-run-end' ? [event.callId] : []));
  for (const callId of kept) expect(results.filter((id) => id === callId)).toHaveLength(1);
  const numbers = events.filter(({ kind }) => kind !== 'thread-snapshot').map(({ seq }) => seq);
  expect(numbers.every((seq, index) => index === 0 || seq > (numbers[index - 1] ?? 0))).toBe(true);
}

/** Beginning and end of each turn, in the order of the turns. */
function turnsOf(events: readonly EngineEvent[]): string[][] {
  const turns = new Map<string, string[]>();
  for (const { kind, turnId } of events)
    if ((kind === 'turn-start' || kind === 'turn-end') && turnId !== null)
      turns.set(turnId, [...(turns.get(turnId) ?? []), kind]);
  return [...turns.values()];
}

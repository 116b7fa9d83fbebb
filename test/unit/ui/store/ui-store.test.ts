import { expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import { followThread } from '../../../../src/ui/store/follow-thread.ts';
import { createUiStore } from '../../../../src/ui/store/ui-store.ts';
import { Scene } from '../../../ui/transcript/scene.ts';

/** Time that passes only when the test says so. */
class HandClock implements Clock {
  time = 1_000;
  #timers: { at: number; callback: () => void }[] = [];

  now = () => this.time;
  wait = () => Promise.resolve();
  after = (ms: number, callback: () => void) => {
    const timer = { at: this.time + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get waiting(): number {
    return this.#timers.length;
  }

  pass(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.time);
    this.#timers = this.#timers.filter((timer) => timer.at > this.time);
    for (const timer of due) timer.callback();
  }
}

function started() {
  const clock = new HandClock();
  const store = createUiStore({ clock });
  let published = 0;
  store.subscribe(() => {
    published += 1;
  });
  const scene = new Scene({ threadId: '', onEvent: (event) => store.apply(event) });
  return { clock, store, scene, published: () => published };
}

test('the first change after a pause is there at once, then one publish in each frame', () => {
  const { clock, store, scene, published } = started();
  scene.begin().textStart();
  expect(published()).toBe(1);
  for (let at = 0; at < 100; at += 1) scene.delta('x');
  expect(published()).toBe(1);
  clock.pass(50);
  expect(published()).toBe(2);
  expect(store.getThread().live?.parts[0]).toMatchObject({ text: 'x'.repeat(100) });
  scene.delta('y');
  clock.pass(50);
  expect(published()).toBe(3);
  clock.pass(1_000);
  scene.delta('z');
  expect(published()).toBe(4);
});

test('no timer runs while nothing changes', () => {
  const { clock, scene } = started();
  scene.begin().textStart();
  clock.pass(100);
  expect(clock.waiting).toBe(0);
});

test('a key is shown at once and does not publish what the model says', () => {
  const { store, scene, published } = started();
  scene.begin().textStart().delta('a');
  const thread = store.getThread();
  store.updateView((view) => ({ ...view, expanded: new Set(['x']) }));
  expect(published()).toBe(2);
  expect(store.getThread()).toBe(thread);
  store.publishNow();
  expect(store.getThread()).not.toBe(thread);
  store.updateView((view) => view);
  expect(published()).toBe(3);
});

test('slow paints stretch the frames, quick ones shrink them again', () => {
  const { clock, store, scene, published } = started();
  store.reportPaint(40);
  store.reportPaint(40);
  scene.begin();
  scene.textStart();
  clock.pass(50);
  expect(published()).toBe(1);
  clock.pass(50);
  expect(published()).toBe(2);
  for (let at = 0; at < 30; at += 1) store.reportPaint(2);
  clock.pass(1_000);
  scene.delta('a').delta('b');
  clock.pass(50);
  expect(published()).toBe(4);
});

test('the end of a turn waits for no frame, however slow the paints are', () => {
  const { store, scene } = started();
  for (let at = 0; at < 8; at += 1) store.reportPaint(40);
  scene.turn().begin().textStart();
  scene.delta('a').turnEnd('aborted');
  expect(store.getThread()).toMatchObject({ turnId: null, lastTurnEnd: { reason: 'aborted' } });
});

test('how a turn ended stays at its place when the next one begins', () => {
  const { store, scene } = started();
  scene.user('hi').turn().turnEnd('error', 'The server said no.\nCheck the key.');
  scene.user('again').turn();
  expect(store.getView().notes).toEqual([
    {
      id: 'note:1',
      kind: 'turn-end',
      afterId: 'user1',
      reason: 'error',
      text: 'The server said no.\nCheck the key.',
    },
  ]);
});

test('another thread starts with a fresh view, a snapshot of the same one keeps it', () => {
  const { store, scene } = started();
  store.updateView((view) => ({ ...view, expanded: new Set(['x']) }));
  const base = { turnId: null, at: 1, seq: 1 };
  const snapshot = (threadId: string): EngineEvent => ({
    ...base,
    kind: 'thread-snapshot',
    threadId,
    state: { ...emptyThreadState({ threadId, cwd: '/', mode: 'plan' }), messages: scene.state.messages },
  });
  store.apply(snapshot(''));
  expect(store.getView().expanded.size).toBe(1);
  store.apply(snapshot('other'));
  expect(store.getThread().threadId).toBe('other');
  expect(store.getView().expanded.size).toBe(0);
});

test('a thread that was summarised says where', () => {
  const { store, scene } = started();
  scene.user('one').user('two');
  const [first, second] = scene.state.messages;
  store.attach({
    ...scene.state,
    threadId: 'b',
    compaction: { summary: 'so far', keptFrom: second?.id ?? null },
  });
  expect(store.getView().notes).toMatchObject([
    { kind: 'compaction', afterId: first?.id, summary: 'so far' },
  ]);
});

test('the first snapshot of the thread that is waited for tells how it ended, beside what was said meanwhile', () => {
  const { store } = started();
  store.addNotice({ level: 'warning', text: 'mind' });
  const state = {
    ...emptyThreadState({ threadId: '', cwd: '/', mode: 'prompt' }),
    seq: 7,
    lastTurnEnd: { reason: 'error', text: 'no' },
  };
  store.apply({ kind: 'thread-snapshot', threadId: '', turnId: null, at: 1, seq: 7, state });
  store.apply({ kind: 'thread-snapshot', threadId: '', turnId: null, at: 1, seq: 7, state });
  expect(store.getView().notes.map((note) => note.kind)).toEqual(['notice', 'turn-end']);
});

test('events that are all there at once still let other work through', async () => {
  const store = createUiStore();
  const scene = new Scene();
  scene.begin().textStart();
  for (let at = 0; at < 20_000; at += 1) scene.delta('token ');
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
  }, 1);
  const clock: Clock = {
    now: () => performance.now(),
    wait: () => Promise.resolve(),
    after: () => () => undefined,
  };
  const handle = {
    threadId: 'thread',
    submit: () => undefined,
    close: () => Promise.resolve(),
    async *events() {
      yield* scene.events;
    },
  };
  await followThread(store, handle, { signal: new AbortController().signal, clock });
  clearInterval(timer);
  expect(steps).toBeGreaterThan(0);
  store.publishNow();
  expect(store.getThread().live?.parts[0]).toMatchObject({ text: 'token '.repeat(20_000) });
});

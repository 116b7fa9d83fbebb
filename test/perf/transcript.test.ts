import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#lib/clock.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { Message } from '#protocol/message.ts';
import { createUiStore } from '#ui/store/ui-store.ts';
import { fallbackTheme } from '#ui/theme/theme.ts';
import { TranscriptModel } from '#ui/transcript/transcript-model.ts';

const theme = fallbackTheme({ colorLevel: 'truecolor' });
const geometry = { width: 100, height: 40, theme };
/** Each turn is about this many rows. */
const rowsOfTurn = 25;

function turn(index: number): Message[] {
  const text = [
    `Answer ${index} looks at how totals are computed, and at what the coupon does to them before the card pays.`,
    '```ts\nconst net = items.reduce(add, 0);\nreturn Math.max(0, net - card.amount);\n```',
    ...Array.from({ length: 5 }, (_, at) => `- point ${at} of ${index} with a few more words of the answer`),
  ].join('\n\n');
  return [
    {
      id: `u${index}`,
      role: 'user',
      createdAt: 0,
      origin: 'person',
      parts: [{ id: `u${index}p`, kind: 'text', text: `prompt ${index}${index === 7 ? ' needle' : ''}` }],
    },
    {
      id: `a${index}`,
      role: 'assistant',
      createdAt: 0,
      finish: 'stop',
      parts: [
        { id: `a${index}p`, kind: 'text', text },
        {
          id: `a${index}c`,
          kind: 'tool-call',
          callId: `a${index}c`,
          tool: 'bash',
          title: 'npm test',
          input: {},
          result: { status: 'ok', forModel: [{ kind: 'text', text: '12 passed' }], durationMs: 900 },
        },
      ],
    },
  ];
}

function open(rows: number, clock: Clock = systemClock) {
  const turns = Math.ceil(rows / rowsOfTurn);
  const messages = Array.from({ length: turns }, (_, index) => turn(index)).flat();
  const start = emptyThreadState({ threadId: 'T', cwd: '/projects/shop', mode: 'prompt' });
  const store = createUiStore();
  let seq = 0;
  const send = (body: EventBody) => {
    seq += 1;
    store.apply({ ...body, threadId: 'T', turnId: 'turn', seq, at: 0 } as EngineEvent);
    store.publishNow();
  };
  store.attach({ ...start, messages });
  const model = new TranscriptModel(store, { clock });
  const firstMs = cpuOf(() => model.layout(geometry));
  return { store, model, send, firstMs, frame: () => model.layout(geometry) };
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Milliseconds of the processor: on a busy machine others run in between. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, two) => one - two)[Math.floor(times.length / 2)] ?? 0;
}

/** Milliseconds a frame while an answer comes, while the person reads further up, and from prompt to prompt. */
function frames({ model, send, frame }: ReturnType<typeof open>) {
  send({ kind: 'turn-start' });
  send({ kind: 'message-start', messageId: 'live', model: { provider: 'p', model: 'm' } });
  send({ kind: 'text-start', messageId: 'live', partId: 'part' });
  const token = () => {
    send({ kind: 'text-delta', messageId: 'live', partId: 'part', text: 'some words more ' });
    frame();
  };
  const streamed = median(Array.from({ length: 200 }, () => timeOf(token)));
  const scroll = () => {
    model.scroll(-3);
    frame();
  };
  const scrolled = median(Array.from({ length: 200 }, () => timeOf(scroll)));
  const readOn = median(Array.from({ length: 200 }, () => timeOf(token)));
  const jump = () => {
    model.toPrompt('older');
    frame();
  };
  const jumped = median(Array.from({ length: 50 }, () => timeOf(jump)));
  return { streamed, scrolled, readOn, jumped };
}

test('a frame of 100,000 rows costs what one of 1,000 rows costs', () => {
  frames(open(1_000));
  const small = frames(open(1_000));
  const large = open(100_000);
  const big = frames(large);
  console.info({ small, big, firstMs: large.firstMs });
  for (const name of ['streamed', 'scrolled', 'readOn', 'jumped'] as const)
    expect(big[name], name).toBeLessThan(small[name] * 2 + 0.5);
  expect(large.firstMs).toBeLessThan(300);
});

test('a search over 100,000 rows holds up no key, and finds the oldest match', async () => {
  const slices: number[] = [];
  const clock = {
    ...systemClock,
    after: (ms: number, callback: () => void) =>
      systemClock.after(ms, () => {
        slices.push(cpuOf(callback));
      }),
  };
  const { model, store, frame } = open(100_000, clock);
  const startMs = timeOf(() => model.openSearch('needle'));
  const start = performance.now();
  while (store.getView().search?.isComplete === false) await systemClock.wait(5);
  const allMs = performance.now() - start;
  console.info({ startMs, allMs, slices: slices.length, median: median(slices) });
  expect(store.getView().search).toMatchObject({ count: 1, at: 1 });
  expect(frame().rows.some((row) => typeof row === 'string' && row.includes('needle'))).toBe(true);
  expect(startMs).toBeLessThan(100);
  expect(median(slices)).toBeLessThan(16);
});

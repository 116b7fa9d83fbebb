import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DaySpending } from '#engine/context/day-spending.ts';
import { engineSettings } from '#engine/settings.ts';
import { systemClock } from '#lib/clock.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { Usage } from '#protocol/usage.ts';
import { type ScriptStep, say, scriptedModel, testRef } from '../../support/engine/scripted-model.ts';
import { openTestThread, type TestThread, tempFolder } from '../../support/engine/test-thread.ts';

const price = { value: { input: 10, output: 10 }, origin: 'config' as const };
const usageOf = (input: number, cacheRead: number | null): Usage => ({
  input,
  output: 100,
  cacheRead,
  cacheWrite: 0,
  reasoning: 40,
});

/** An answer that ends its turn. */
function costing(costUsd: number | null, usage: Usage = usageOf(900, 0)): StepPart[] {
  return [...say('ok'), { kind: 'finish', reason: 'stop', usage, costUsd }];
}

/** A thread whose model is bought; `others` are models that it can be switched to. */
async function paidThread({
  home,
  limits,
  script,
  others = {},
  ...more
}: {
  home: string;
  limits?: object;
  script: readonly ScriptStep[];
  others?: Readonly<Record<string, readonly ScriptStep[]>>;
  clock?: typeof systemClock;
}): Promise<TestThread & { asked(): number }> {
  const models = new Map(
    Object.entries({ [testRef.model]: script, ...others }).map(([model, steps]) => [
      model,
      scriptedModel(steps, { ref: { provider: 'test', model }, local: false, price }),
    ]),
  );
  const directory = {
    open: async ({ model }: ModelRef) => {
      const found = models.get(model);
      if (!found) throw new Error(`no model ${model}`);
      return found.client;
    },
  };
  const settings = engineSettings.parse(limits ? { max_budget_usd: limits } : {});
  const thread = await openTestThread({ home, cwd: home, directory, settings, ...more });
  const asked = () => [...models.values()].reduce((sum, { requests }) => sum + requests.length, 0);
  return { ...thread, asked };
}

test('the budget of a thread counts what it cost in earlier runs, that of a day what all sessions cost', async () => {
  const home = await tempFolder();
  const first = await paidThread({ home, script: [costing(0.6)] });
  await first.prompt('one');
  await first.close();
  const origin = { kind: 'resume', threadId: first.handle.threadId } as const;

  const again = await openAgain({ thread: 0.5, run: 0.5 }, origin);
  expect(await again.prompt('two')).toMatchObject({
    reason: 'budget',
    text: expect.stringContaining('$0.60 of the $0.50 for this thread (max_budget_usd.thread)'),
  });
  expect(again.asked()).toBe(0);
  await again.close();

  const other = await openAgain({ day: 0.7 }, { kind: 'new' });
  expect(await other.prompt('three')).toMatchObject({ reason: 'done' });
  expect(await other.prompt('four')).toMatchObject({
    reason: 'budget',
    text: expect.stringContaining('$0.90 of the $0.70 for today (max_budget_usd.day)'),
  });
  expect(other.asked()).toBe(1);
  other.handle.submit({ kind: 'compact' });
  await other.until(({ messages }) => messages.filter(({ role }) => role === 'notice').length > 0);
  expect(other.asked()).toBe(1);

  function openAgain(limits: object, from: { kind: 'new' } | typeof origin) {
    return paidThread({ home, limits, script: [costing(0.3), costing(0.3)], ...{ origin: from } });
  }
});

test('the spending of a day survives torn lines and other writers, and a home that cannot be written', async () => {
  const home = await tempFolder();
  const one = new DaySpending({ home, clock: systemClock });
  const two = new DaySpending({ home, clock: systemClock });
  for (let index = 0; index < 20; index += 1) (index % 2 === 0 ? one : two).add(0.25);
  await Promise.all([one.settled(), two.settled()]);
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  await appendFile(path.join(home, 'spending', `${day}.jsonl`), '{"at":1,"us');
  expect(await two.today()).toBeCloseTo(5);
  one.add(1);
  expect(await one.today()).toBeCloseTo(6);
  expect(await two.today()).toBeCloseTo(6);

  const broken = path.join(home, 'broken');
  await mkdir(broken);
  await writeFile(path.join(broken, 'spending'), 'no folder');
  const blocked = new DaySpending({ home: broken, clock: systemClock });
  blocked.add(0.5);
  expect(await blocked.today()).toBe(0.5);
});

test('a limit for the day says once when what is spent cannot be written down', async () => {
  const home = await tempFolder();
  await writeFile(path.join(home, 'spending'), 'no folder');
  const script = [costing(0.2), costing(0.2)];
  const thread = await paidThread({ home, limits: { day: 5 }, script });
  await thread.prompt('one');
  await thread.prompt('two');
  const told = thread.events.filter(({ kind }) => kind === 'notice-added');
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).toContain('max_budget_usd.day counts this session alone');
});

test('sums are kept for each model and turn, an unknown price is no price, and a miss says what changed', async () => {
  let now = Date.now();
  const thread = await paidThread({
    home: await tempFolder(),
    clock: { ...systemClock, now: () => now },
    script: [
      costing(0.5, usageOf(5_000, 0)),
      costing(0.1, usageOf(6_000, 5_000)),
      costing(0.6, usageOf(7_000, 0)),
    ],
    others: { other: [costing(null, usageOf(6_500, 0))] },
  });
  await thread.prompt('one');
  await thread.prompt('two');
  thread.handle.submit({ kind: 'switch-model', model: { provider: 'test', model: 'other' } });
  await thread.prompt('three');
  thread.handle.submit({ kind: 'switch-model', model: testRef });
  now += 6 * 60_000;
  await thread.prompt('four');
  const { totals, totalsByModel, turnTotals, cacheMisses } = thread.state();
  expect(totals).toMatchObject({ steps: 4, unpriced: true, cacheInput: 24_500, reasoning: 160 });
  expect(totals.costUsd).toBeCloseTo(1.2);
  expect(totalsByModel?.['test/scripted']).toMatchObject({ steps: 3, unpriced: false, cacheRead: 5_000 });
  expect(totalsByModel?.['test/other']).toMatchObject({ steps: 1, costUsd: 0, unpriced: true });
  expect(turnTotals?.map((turn) => turn.totals.input)).toEqual([5_000, 6_000, 6_500, 7_000]);
  expect(cacheMisses?.map(({ model, reason, tokens }) => [model, reason, tokens])).toEqual([
    ['test/other', 'model-switched', 6_500],
    ['test/scripted', 'expired', 6_000],
  ]);
});

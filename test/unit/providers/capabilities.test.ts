import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCapabilityStore } from '#providers/capabilities/capability-store.ts';
import { FakeClock } from './support/fake-clock.ts';

const key = { baseUrl: 'http://127.0.0.1:8000/v1', model: 'some-model' };
const week = 7 * 24 * 3_600_000;

async function setUp() {
  const home = await mkdtemp(path.join(tmpdir(), 'llmcode-capabilities-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const clock = new FakeClock();
  const file = path.join(home, 'capabilities.json');
  return { home, clock, file, open: () => createCapabilityStore({ home, clock }) };
}

test('what is learned of a model is known to the next process, for a week, and of this server alone', async () => {
  const { open, clock, file } = await setUp();
  await open().learn(key, { toolCalling: 'text' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await open().read(key)).toMatchObject({ toolCalling: 'text', learnedAt: clock.now() });
  expect(await open().read({ ...key, baseUrl: 'http://127.0.0.1:8001/v1' })).toBeUndefined();
  const store = open();
  await store.read(key);
  clock.advance(week);
  expect(await store.read(key)).toBeUndefined();
  await store.learn({ ...key, model: 'other' }, { toolCalling: 'native' });
  expect(await readFile(file, 'utf8')).not.toContain('some-model');
});

test('facts of other kinds stay when one is learned again', async () => {
  const { open } = await setUp();
  await open().learn(key, { speed: 40 });
  await open().learn(key, { toolCalling: 'text' });
  expect(await open().read(key)).toMatchObject({ toolCalling: 'text', speed: 40 });
});

test('a damaged file is an empty one, a damaged entry is left out, and a disk that takes nothing is no failure', async () => {
  const { open, file, clock } = await setUp();
  await writeFile(file, '{"version": 1, "models"');
  expect(await open().read(key)).toBeUndefined();
  const entry = { toolCalling: 'text', learnedAt: 0, expiresAt: clock.now() + 1_000, card: { tools: 'yes' } };
  const models = { [`${key.baseUrl} ${key.model}`]: entry, bad: { toolCalling: 5 } };
  await writeFile(file, JSON.stringify({ version: 1, models }));
  expect(await open().read(key)).toEqual(entry);
  const lost = createCapabilityStore({ home: '/dev/null', clock });
  await lost.learn(key, { toolCalling: 'text' });
  expect(await lost.read(key)).toMatchObject({ toolCalling: 'text' });
});

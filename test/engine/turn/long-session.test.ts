import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { engineSettings } from '#engine/settings.ts';
import { systemClock } from '#lib/clock.ts';
import { projectKey } from '#lib/project-key.ts';
import { createModelDirectory } from '#providers/directory.ts';
import { providerSettings } from '#providers/settings.ts';
import { createTools } from '#tools/index.ts';
import { openTestThread, type TestThread, tempFolder } from '../../support/engine/test-thread.ts';
import { type ServerRequest, type ServerStep, startModelServer } from '../../support/model-servers/index.ts';

const goal = 'Port every module to the new API; the file LEGACY.md must stay untouched.';
const todo = 'port module seventeen';

/** Counts as no tokenizer does that we know: by bytes of the whole request, schemas and roles included. */
const tokensOf = ({ headers }: ServerRequest) => Math.ceil(Number(headers['content-length']) / 3.6);

type Session = {
  thread: TestThread & { home: string; cwd: string };
  /** Tokens of each request that was answered. */
  sizes: number[];
  overflows: number;
  summaries: number;
  /** Requests without the goal or the todo; every fourth is looked at. */
  forgetful: number;
  violations: string[];
  /** Bytes of the heap at each request. */
  heap: number[];
};

/** A server that really enforces its window, and a model that reads module after module. */
async function longSession({
  steps,
  window,
  configured = window,
}: {
  steps: number;
  window: number;
  configured?: number;
}): Promise<Session> {
  const cwd = await tempFolder();
  for (let file = 0; file < 40; file += 1) {
    const lines = Array.from(
      { length: 60 + file * 6 },
      (_, line) => `export const value_${file}_${line} = compute(${line * 7});`,
    );
    await writeFile(path.join(cwd, `module-${file}.ts`), `${lines.join('\n')}\n`);
  }
  const seen = { sizes: [] as number[], overflows: 0, summaries: 0, forgetful: 0 };
  const heap: number[] = [];
  const script = (request: ServerRequest): ServerStep => {
    heap.push(process.memoryUsage().heapUsed);
    const input = tokensOf(request);
    if (input + 1_000 > window) {
      seen.overflows += 1;
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`;
      return { status: 400, message };
    }
    const usage = { input, output: 60 };
    if (request.body.tools === undefined) {
      seen.summaries += 1;
      const text = `## Goal\nPort all modules.\n\n## Done\n${'Ported one more module. '.repeat(60)}`;
      return { parts: [{ text }], usage };
    }
    const step = seen.sizes.push(input);
    const sent = step % 4 === 3 ? JSON.stringify(request.body.messages) : `${goal} ${todo}`;
    if (!sent.includes(goal) || !sent.includes(todo)) seen.forgetful += 1;
    if (step > steps) return { parts: [{ text: 'All ported.' }], usage };
    const todos = [{ content: todo, status: 'in_progress' }];
    if (step === 1) return { parts: [{ call: 'todo_write', input: { todos } }], usage };
    if (step % 3 === 0)
      return { parts: [{ call: 'read_file', input: { path: 'module-0.ts', limit: step } }], usage };
    const text = `Step ${step}: I look at the next module and compare it with the one before.`;
    return {
      parts: [{ text }, { call: 'read_file', input: { path: `module-${step % 40}.ts` } }],
      usage,
    };
  };
  const server = await startModelServer({ api: 'openai-chat', script });
  onTestFinished(() => server.close());
  const models = { m: { context_window: configured } };
  const settings = providerSettings.parse({
    providers: { local: { type: 'openai-compatible', base_url: server.url, api_key: 'k', models } },
  });
  const thread = await openTestThread({
    cwd,
    roots: [cwd],
    directory: createModelDirectory({ settings, env: {}, home: cwd, clock: systemClock }),
    model: { provider: 'local', model: 'm' },
    tools: createTools(),
    settings: engineSettings.parse({ max_steps: 1_000 }),
  });
  expect(await thread.prompt(goal)).toMatchObject({ reason: 'done' });
  return { thread, violations: server.violations, heap, ...seen };
}

/** Bytes of heap in a hundred requests from `from` on, when the least was in use. */
function leastHeap(heap: readonly number[], from: number): number {
  return Math.min(...heap.slice(from, from + 100));
}

/** Milliseconds and bytes of log for the steps from `from` on, a hundred of them. */
function costOf({ events }: TestThread, from: number): { ms: number; bytes: number } {
  const ends = events.flatMap(({ kind, at }, index) => (kind === 'message-end' ? [{ at, index }] : []));
  const [first, last] = [ends[from], ends[from + 100]];
  if (!first || !last) throw new Error('There are not so many steps.');
  const steps = ends.slice(from + 1, from + 101).map(({ at }, index) => at - (ends[from + index]?.at ?? 0));
  const median = steps.toSorted((one, other) => one - other)[50] ?? 0;
  const logged = events.slice(first.index, last.index).filter(({ kind }) => !kind.endsWith('-delta'));
  return { ms: median, bytes: JSON.stringify(logged).length };
}

test('500 steps in a window of 32k: no overflow, goals and todos survive, and nothing grows', async () => {
  const { thread, sizes, overflows, summaries, forgetful, violations, heap } = await longSession({
    steps: 500,
    window: 32_768,
  });
  expect(sizes).toHaveLength(501);
  expect({ overflows, forgetful, violations }).toEqual({ overflows: 0, forgetful: 0, violations: [] });
  expect(summaries).toBeGreaterThan(0);
  expect(summaries).toBeLessThanOrEqual(500 / 15);
  const [early, late] = [costOf(thread, 50), costOf(thread, 390)];
  expect(late.ms).toBeLessThanOrEqual(early.ms * 3 + 5);
  expect(late.bytes).toBeLessThan(early.bytes * 1.5);
  // The server of the test keeps every request, and that is most of what grows.
  expect(leastHeap(heap, 400)).toBeLessThan(leastHeap(heap, 100) + 120e6);
  expect(JSON.stringify(thread.state()).length).toBeLessThan(500 * 10_000);
  expect(Object.keys(thread.state().trims).length).toBeLessThan(200);
  await thread.close();
  const log = path.join(thread.home, 'threads', projectKey(thread.cwd), `${thread.handle.threadId}.jsonl`);
  expect((await stat(log)).size).toBeLessThan(500 * 40_000);
}, 60_000);

test('a server with a smaller window than it is said to have is found out and never fails the turn', async () => {
  const { overflows, forgetful, sizes } = await longSession({
    steps: 60,
    window: 16_384,
    configured: 131_072,
  });
  expect(sizes).toHaveLength(61);
  expect(forgetful).toBe(0);
  expect(overflows).toBeGreaterThan(0);
  expect(overflows).toBeLessThanOrEqual(6);
}, 30_000);

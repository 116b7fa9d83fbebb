import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { engineSettings } from '#engine/settings.ts';
import { httpSession } from '../../support/engine/http-thread.ts';
import { callParts, openTestThread } from '../../support/engine/test-thread.ts';
import type { ServerRequest, ServerStep } from '../../support/model-servers/index.ts';

type Wanted = { tool: string; search: string; input: Record<string, unknown> };
type Task = { prompt: string; calls: readonly Wanted[]; isDone?: (cwd: string) => Promise<boolean> };

const call = (tool: string, input: Record<string, unknown>, search = tool): Wanted => ({
  tool,
  search,
  input,
});
const sum = (cwd: string) => readFile(path.join(cwd, 'sum.js'), 'utf8');

const fixed = {
  path: 'sum.js',
  old_string: 'a - b',
  new_string: 'a + b',
};
const tasks: readonly Task[] = [
  {
    prompt: 'sum in sum.js gives a wrong result, fix the bug',
    calls: [
      call('read_file', { path: 'sum.js' }),
      call('edit_file', fixed),
      call('bash', { command: 'node -e "import(\'./sum.js\')"' }),
    ],
    isDone: async (cwd) => (await sum(cwd)).includes('a + b'),
  },
  {
    prompt: 'write a unit test for sum',
    calls: [
      call('read_file', { path: 'sum.js' }),
      call('write_file', { path: 'sum.test.js', content: 'import "./sum.js";\n' }),
      call('bash', { command: 'node --test sum.test.js' }),
    ],
  },
  {
    prompt: 'review what I changed',
    calls: [call('git_status', {}), call('git_diff', {}), call('read_file', { path: 'sum.js' })],
  },
  {
    prompt: 'rename sum to add everywhere, and simplify it',
    calls: [
      call('grep_search', { pattern: 'sum' }),
      call('read_file', { path: 'sum.js' }),
      call('edit_file', { path: 'sum.js', old_string: 'const sum', new_string: 'const add' }),
    ],
    isDone: async (cwd) => (await sum(cwd)).includes('const add'),
  },
  {
    // Needs a tool that its kind does not bring.
    prompt: 'implement a second function, times, at the end of the file',
    calls: [
      call('read_file', { path: 'sum.js' }),
      call(
        'append_file',
        { path: 'sum.js', content: 'export const times = (a, b) => a * b;\n' },
        'append to a file',
      ),
    ],
    isDone: async (cwd) => (await sum(cwd)).includes('times'),
  },
  {
    prompt: 'how does sum work?',
    calls: [call('grep_search', { pattern: 'sum' }), call('read_file', { path: 'sum.js' })],
  },
];

/** A model that uses what it is told of, and looks for what it is not told of. */
function solver({ calls }: Task) {
  const sizes: number[] = [];
  let next = 0;
  const script = ({ body }: ServerRequest): ServerStep => {
    sizes.push(JSON.stringify({ messages: body.messages, tools: body.tools }).length);
    const names: string[] = body.tools.map(({ function: { name } }: { function: { name: string } }) => name);
    const wanted = calls[next];
    if (!wanted) return { parts: [{ text: 'Done.' }] };
    if (!names.includes(wanted.tool))
      return { parts: [{ call: 'tool_search', input: { query: wanted.search } }] };
    next += 1;
    return { parts: [{ call: wanted.tool, input: wanted.input }] };
  };
  return { script, sizes };
}

async function solve(
  task: Task,
  isByTask: boolean,
): Promise<{ isSolved: boolean; chars: number; calls: number }> {
  const { script, sizes } = solver(task);
  const { options } = await httpSession({ 'openai-chat': script });
  execFileSync('git', ['init', '-q'], { cwd: options.cwd });
  const thread = await openTestThread({
    ...options,
    settings: engineSettings.parse({ hida: { enabled: isByTask } }),
  });
  const { reason } = await thread.prompt(task.prompt);
  const results = callParts(thread.state().messages).map(({ result }) => result?.status);
  const isDone = (await task.isDone?.(options.cwd)) ?? true;
  return {
    isSolved: reason === 'done' && isDone && results.every((status) => status === 'ok'),
    chars: sizes.reduce((all, size) => all + size, 0),
    calls: sizes.length,
  };
}

test('a set of tasks is solved as well with the tools of the task alone, and asks the model for less', async () => {
  const all: { usual: number; byTask: number } = { usual: 0, byTask: 0 };
  for (const task of tasks) {
    const usual = await solve(task, false);
    const byTask = await solve(task, true);
    expect([task.prompt, usual.isSolved, byTask.isSolved]).toEqual([task.prompt, true, true]);
    all.usual += usual.chars;
    all.byTask += byTask.chars;
    // A task that needs an unusual tool looks for it, once.
    expect(byTask.calls - usual.calls).toBeLessThanOrEqual(1);
  }
  expect(all.byTask / all.usual).toBeLessThan(0.82);
});

test('a thread that goes by the task keeps its tools over a resume', async () => {
  const { servers, options } = await httpSession({
    'openai-chat': [{ parts: [{ text: 'Reviewed.' }] }, { parts: [{ text: 'Yes.' }] }],
  });
  const settings = engineSettings.parse({ hida: { enabled: true } });
  const namesOf = ({ body }: ServerRequest) =>
    body.tools.map(({ function: { name } }: { function: { name: string } }) => name);
  const thread = await openTestThread({ ...options, settings });
  await thread.prompt('review my changes');
  const { threadId } = thread.handle;
  await thread.close();
  const again = await openTestThread({ ...options, settings, origin: { kind: 'resume', threadId } });
  await again.prompt('yes, do it');
  const [first, second] = (servers.get('openai-chat')?.requests ?? []).map(namesOf);
  expect(first).toContain('git_diff');
  expect(first).not.toContain('web_fetch');
  expect(second).toEqual(first);
});

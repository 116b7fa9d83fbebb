import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectKey } from '#lib/project-key.ts';
import type { ImagePart } from '#protocol/message.ts';
import { apis, httpSession, refOf } from '../../support/engine/http-thread.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import {
  callParts,
  openGate,
  openTestThread,
  resultText,
  tempFolder,
  textOf,
} from '../../support/engine/test-thread.ts';
import type { ServerStep } from '../../support/model-servers/index.ts';

const pixel: ImagePart = {
  kind: 'image',
  id: 'i1',
  mediaType: 'image/png',
  source: {
    kind: 'inline',
    base64:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
};

/** From the task to the fix: plan, look, run, change, run again, answer. */
const fixIt: readonly ServerStep[] = [
  {
    parts: [
      { reasoning: 'A plan first.' },
      { text: 'I plan and look.' },
      { call: 'todo_write', input: { todos: [{ content: 'fix sum', status: 'in_progress' }] } },
      { call: 'read_file', input: { path: 'sum.js' } },
      { call: 'glob_search', input: { pattern: '*.js' } },
    ],
  },
  { parts: [{ reasoning: 'A minus.' }, { call: 'bash', input: { command: 'node --version' } }] },
  {
    parts: [
      { text: 'The sign is wrong.' },
      { call: 'edit_file', input: { path: 'sum.js', old_string: 'a - b', new_string: 'a + b' } },
    ],
  },
  { parts: [{ call: 'bash', input: { command: 'grep -c "a + b" sum.js' } }] },
  { parts: [{ reasoning: 'It is right now.' }, { text: 'Fixed.' }] },
];

test.each(apis)(
  '%s: a task is done with the real tools, and every request is one that the vendor takes',
  async (api) => {
    const { servers, options } = await httpSession({ [api]: fixIt });
    const thread = await openTestThread({
      ...options,
      gate: openGate(({ effect }) => (effect === 'read' || effect === 'none' ? 'allow' : 'ask')),
    });
    const asked: string[] = [];
    const answering = (async () => {
      for await (const event of thread.handle.events()) {
        if (event.kind !== 'permission-request') continue;
        asked.push(event.request.tool);
        thread.handle.submit({
          kind: 'answer-permission',
          requestId: event.request.id,
          answer: { kind: 'once' },
        });
      }
    })();
    const end = await thread.prompt('fix the sum');
    expect(end).toMatchObject({ reason: 'done', steps: 5 });
    expect(servers.get(api)?.violations).toEqual([]);
    expect(servers.get(api)?.unusedSteps()).toBe(0);
    expect(asked).toEqual(['bash', 'edit_file', 'bash']);
    expect(await readFile(path.join(options.cwd, 'sum.js'), 'utf8')).toContain('a + b');
    expect(callParts(thread.state().messages).map(({ result }) => result?.status)).toEqual(
      Array(6).fill('ok'),
    );
    expect(thread.state().todos).toEqual([{ content: 'fix sum', status: 'in_progress' }]);
    expect(textOf(thread.state().messages.at(-1))).toBe('Fixed.');
    const first = servers.get(api)?.requests[0]?.body;
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(16_000);
    await thread.close();
    await answering;
    expectSound(thread.events);
  },
);

test.each(apis)(
  '%s: killed at any moment, the thread goes on with a request that the vendor takes',
  async (api) => {
    const rich = await httpSession({ [api]: fixIt });
    const first = await openTestThread({ ...rich.options });
    first.handle.submit({
      kind: 'prompt',
      text: 'fix the sum, see the picture',
      images: [pixel],
      delivery: 'steer',
    });
    await first.turnEnds(1);
    await first.close();
    const { home, cwd } = rich.options;
    const name = `${first.handle.threadId}.jsonl`;
    const folder = path.join(home, 'threads', projectKey(cwd));
    const bytes = await readFile(path.join(folder, name));
    const start = bytes.indexOf('\n') + 1;
    const script = () => ({ parts: [{ reasoning: 'Where was I?' }, { text: 'On it.' }] });
    const { servers, options } = await httpSession({ [api]: script });
    for (let run = 0; run < 8; run += 1) {
      const copy = await tempFolder();
      const to = path.join(copy, 'threads', projectKey(cwd));
      await mkdir(path.join(to, name.replace('.jsonl', '.files')), { recursive: true });
      await writeFile(path.join(to, name), bytes.subarray(0, start + ((bytes.length - start) * run) / 7));
      const again = await openTestThread({
        ...options,
        home: copy,
        cwd,
        origin: { kind: 'resume', threadId: first.handle.threadId },
      });
      expect((await again.prompt('go on')).reason).toBe('done');
      await again.close();
    }
    expect(servers.get(api)?.violations).toEqual([]);
  },
);

test('one conversation moves through all four vendors, with an interrupt and a failed call in each', async () => {
  const step = (body: unknown): ServerStep => {
    const said = JSON.stringify(body);
    const word = (text: string) => said.lastIndexOf(text);
    if (word('please stall') > Math.max(word('please work'), word('please fail')))
      return { parts: [{ reasoning: 'Slowly.' }, { text: 'It begins' }, { stall: true }] };
    if (word('please work') > Math.max(word('please stall'), word('a - b')))
      return {
        parts: [
          { reasoning: 'Look.' },
          { text: 'Looking.' },
          { call: 'read_file', input: { path: 'sum.js' } },
          { call: 'no_such_tool', input: {} },
          { call: 'bash', rawArguments: '{"command": "ec' },
        ],
      };
    return { parts: [{ reasoning: 'Enough.' }, { text: 'Done.' }] };
  };
  const script = Object.fromEntries(
    apis.map((api) => [api, (request: { body: unknown }) => step(request.body)]),
  );
  const { servers, options } = await httpSession(script);
  const thread = await openTestThread({ ...options });
  for (const [round, api] of [...apis, ...apis.toReversed()].entries()) {
    thread.handle.submit({ kind: 'switch-model', model: refOf(api) });
    await thread.until(({ model }) => model?.provider === api);
    await writeFile(
      path.join(options.cwd, 'sum.js'),
      `// round ${round}\nexport const sum = (a, b) => a - b;\n`,
    );
    const before = thread.events.filter(({ kind }) => kind === 'turn-end').length;
    thread.handle.submit({
      kind: 'prompt',
      text: `please work, round ${round}`,
      images: [pixel],
      delivery: 'steer',
    });
    await thread.turnEnds(before + 1);
    thread.handle.submit({ kind: 'prompt', text: 'please stall', images: [], delivery: 'steer' });
    await thread.until(({ live }) => textOf(live ?? undefined).includes('It begins'));
    thread.handle.submit({ kind: 'interrupt' });
    await thread.turnEnds(before + 2);
  }
  for (const api of apis)
    expect({ api, violations: servers.get(api)?.violations }).toEqual({ api, violations: [] });
  await thread.close();
  expectSound(thread.events);
});

test('a command that runs is gone with its children when the person interrupts', async () => {
  const script: ServerStep[] = [
    { parts: [{ call: 'bash', input: { command: "sh -c 'sleep 300 & echo $! > child; wait'" } }] },
  ];
  const { options } = await httpSession({ 'openai-chat': script });
  const thread = await openTestThread({ ...options });
  void thread.prompt('wait');
  const child = await untilFile(path.join(options.cwd, 'child'));
  const pressed = performance.now();
  thread.handle.submit({ kind: 'interrupt' });
  await thread.turnEnds(1);
  expect(performance.now() - pressed).toBeLessThan(2_000);
  expect(callParts(thread.state().messages)[0]?.result?.status).toBe('aborted');
  await thread.close();
  expect(await isRunning(Number(child))).toBe(false);
});

test('a rate limit is waited out and shown; a wrong key is not tried again', async () => {
  const script: ServerStep[] = [
    { status: 429, headers: { 'retry-after': '0' } },
    { parts: [{ text: 'Here.' }] },
    { status: 401 },
  ];
  const { servers, options } = await httpSession({ 'openai-chat': script });
  const thread = await openTestThread({ ...options });
  expect((await thread.prompt('hi')).reason).toBe('done');
  expect((await thread.next('retry-wait')).error.class).toBe('rate-limit');
  expect(await thread.prompt('again')).toMatchObject({ reason: 'error', error: { class: 'auth' } });
  expect(servers.get('openai-chat')?.requests).toHaveLength(3);
});

test('an answer whose stream is cut is never taken for a whole one', async () => {
  const cut: ServerStep = { parts: [{ text: 'This is only ha' }, { cut: true }] };
  const { servers, options } = await httpSession({
    anthropic: [cut, cut, cut, { parts: [{ text: 'Whole.' }] }],
  });
  const thread = await openTestThread({ ...options });
  const end = await thread.prompt('hi');
  expect(end.reason).toBe('error');
  thread.handle.submit({ kind: 'continue' });
  await thread.turnEnds(2);
  expect(textOf(thread.state().messages.at(-1))).toBe('Whole.');
  expect(servers.get('anthropic')?.violations).toEqual([]);
});

test('an overflow is answered with a summary and the task goes on', async () => {
  const long = 'x '.repeat(3_000);
  const read = (path: string): ServerStep => ({ parts: [{ call: 'read_file', input: { path } }] });
  const script: ServerStep[] = [
    read('a.txt'),
    read('b.txt'),
    read('c.txt'),
    {
      status: 400,
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    },
    { parts: [{ text: '## Goal\nread them all' }] },
    { parts: [{ text: 'All read.' }] },
  ];
  const { servers, options } = await httpSession({ 'openai-chat': script });
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(path.join(options.cwd, name), `${long}\n`);
  const thread = await openTestThread({ ...options });
  expect(await thread.prompt('read them')).toMatchObject({ reason: 'done' });
  expect(servers.get('openai-chat')?.violations).toEqual([]);
  expect((await thread.next('thread-compacted')).summary).toContain('read them all');
  expect(resultText(callParts(thread.state().messages)[0])).toContain('x x x');
});

async function untilFile(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.trim() !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A dead process that nobody has buried yet counts as gone. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z /.test(stat);
}

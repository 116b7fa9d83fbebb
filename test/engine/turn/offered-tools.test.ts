import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { httpSession, refOf } from '../../support/engine/http-thread.ts';
import { callParts, openTestThread, resultText } from '../../support/engine/test-thread.ts';
import type { ServerRequest } from '../../support/model-servers/index.ts';

type Offered = { function: { name: string } }[];
const namesIn = ({ body }: ServerRequest) => (body['tools'] as Offered).map((tool) => tool.function.name);
const say = (text: string) => ({ parts: [{ text }] });

test('rarely needed tools are found by a search, stand behind the others from then on, and stay over a resume', async () => {
  const { servers, options } = await httpSession({
    'openai-chat': [
      { parts: [{ call: 'tool_search', input: { query: 'look at the git log' } }] },
      { parts: [{ call: 'git_status', input: {} }] },
      say('done'),
      say('again'),
    ],
  });
  const thread = await openTestThread(options);
  await thread.prompt('what was done?');
  const requests = servers.get('openai-chat')?.requests ?? [];
  const [first, second, third] = requests.map(namesIn);
  expect(first).toContain('tool_search');
  expect(first?.filter((name) => /^git_|^notebook_|^apply_patch$/.test(name))).toEqual([]);
  expect(second?.slice(0, first?.length)).toEqual(first);
  expect(second?.slice(first?.length)).toContain('git_log');
  expect(third).toEqual(second);
  // A first request: what is asked of every model before a word was said.
  const { tools, messages } = (requests[0]?.body ?? {}) as { tools?: unknown; messages?: unknown };
  expect(JSON.stringify({ tools, messages }).length).toBeLessThan(16_000);
  const search = callParts(thread.state().messages)[0];
  expect(resultText(search)).toMatch(/git_log\(limit\?, path\?\): Lists commits/);

  const { threadId } = thread.handle;
  await thread.close();
  const again = await openTestThread({ ...options, origin: { kind: 'resume', threadId } });
  await again.prompt('go on');
  expect(namesIn(requests.at(-1) as ServerRequest)).toEqual(second);
});

test('a model that does best with patches gets them in place of replaced texts', async () => {
  const patch =
    '*** Begin Patch\n*** Update File: sum.js\n-export const sum = (a, b) => a - b;\n+export const sum = (a, b) => a + b;\n*** End Patch';
  const { servers, options } = await httpSession(
    { 'openai-chat': [{ parts: [{ call: 'apply_patch', input: { patch } }] }, say('done'), say('other')] },
    {},
  );
  const { directory } = options;
  if (!directory) throw new Error('no directory');
  let wanted: 'apply_patch' | 'edit_file' = 'apply_patch';
  const thread = await openTestThread({
    ...options,
    directory: {
      open: async (ref) => {
        const client = await directory.open(ref);
        const info = { ...client.info, editTool: { value: wanted, origin: 'catalogue' as const } };
        return { info, stream: (request, more) => client.stream(request, more) };
      },
    },
  });
  await thread.prompt('mend it');
  expect(callParts(thread.state().messages)[0]?.result).toMatchObject({ status: 'ok', summary: '+1 −1' });
  wanted = 'edit_file';
  thread.handle.submit({ kind: 'switch-model', model: refOf('openai-chat') });
  await thread.prompt('and now?');
  const sent = (servers.get('openai-chat')?.requests ?? []).map((request) =>
    namesIn(request).filter((name) => /edit|patch/.test(name)),
  );
  expect(sent).toEqual([['apply_patch'], ['apply_patch'], ['edit_file', 'multi_edit']]);
});

test('secrets in what any tool shows reach neither model nor log, and a file keeps them through an edit', async () => {
  const key = `sk-${'a1b2c3d4'.repeat(4)}`;
  const { servers, options } = await httpSession({
    'openai-chat': [
      { parts: [{ call: 'bash', input: { command: 'cat fixture.txt' } }] },
      { parts: [{ call: 'read_file', input: { path: '.env' } }] },
      { parts: [{ call: 'read_file', input: { path: 'fixture.txt' } }] },
      { parts: [{ call: 'grep_search', input: { pattern: 'key' } }] },
      { parts: [{ call: 'notebook_read', input: { path: 'n.ipynb' } }] },
      {
        parts: [
          {
            call: 'edit_file',
            input: { path: 'fixture.txt', old_string: 'const key', new_string: 'let key' },
          },
        ],
      },
      say('done'),
    ],
  });
  await writeFile(path.join(options.cwd, 'fixture.txt'), `const key = '${key}';\n`);
  await writeFile(path.join(options.cwd, '.env'), `API_KEY=${key}\n`);
  const cell = { cell_type: 'code', metadata: {}, source: [`key = '${key}'`], outputs: [] };
  const notebook = { nbformat: 4, nbformat_minor: 4, metadata: {}, cells: [cell] };
  await writeFile(path.join(options.cwd, 'n.ipynb'), JSON.stringify(notebook));
  const thread = await openTestThread(options);
  await thread.prompt('look');
  expect(JSON.stringify(thread.events)).not.toContain(key);
  expect(JSON.stringify(servers.get('openai-chat')?.requests.map(({ body }) => body))).not.toContain(key);
  const shown = callParts(thread.state().messages).map(resultText);
  const marked = "const key = '[secret:provider-key]'";
  expect(shown).toEqual([
    expect.stringContaining(marked),
    expect.stringContaining('API_KEY=[secret:'),
    expect.stringContaining(`1\t${marked}`),
    expect.stringContaining(`1:${marked}`),
    expect.stringContaining("key = '[secret:provider-key]'"),
    expect.stringContaining('Edited fixture.txt'),
  ]);
  expect(await readFile(path.join(options.cwd, 'fixture.txt'), 'utf8')).toBe(`let key = '${key}';\n`);
});

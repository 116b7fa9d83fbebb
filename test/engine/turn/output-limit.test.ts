import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { httpSession } from '../../support/engine/http-thread.ts';
import { call, done, say } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText, textOf } from '../../support/engine/test-thread.ts';
import type { ServerStep } from '../../support/model-servers/index.ts';

const cut = (text: string): ServerStep => ({
  parts: [{ text }],
  finish: 'length',
  usage: { input: 900, output: 20 },
});

test('an answer that the server cuts short of the limit goes on with the whole limit asked for', async () => {
  const { servers, options } = await httpSession({
    'openai-chat': [cut('One, two, '), { parts: [{ text: 'three.' }] }, { parts: [{ text: 'Again.' }] }],
  });
  const thread = await openTestThread({ ...options });
  expect(await thread.prompt('count')).toMatchObject({ reason: 'done', steps: 2 });
  await thread.prompt('again');
  const server = servers.get('openai-chat');
  expect(server?.requests.map(({ body }) => body.max_tokens)).toEqual([undefined, 8_192, 8_192]);
  expect(server?.violations).toEqual([]);
  expect((await thread.next('notice-added')).notice.text).toContain('8,192 tokens are asked for now');
  const said = thread.state().messages.filter(({ role }) => role === 'assistant');
  expect(said.slice(0, 2).map(textOf).join('')).toBe('One, two, three.');
});

test('a server that takes no such limit is asked without it', async () => {
  const { servers, options } = await httpSession({
    'openai-chat': [
      cut('One, '),
      { status: 400, message: '`max_tokens` must be less than or equal to `4096`' },
      cut('two, '),
      { parts: [{ text: 'three.' }] },
    ],
  });
  const thread = await openTestThread({ ...options });
  expect(await thread.prompt('count')).toMatchObject({ reason: 'done' });
  const asked = servers.get('openai-chat')?.requests.map(({ body }) => body.max_tokens);
  expect(asked).toEqual([undefined, 8_192, undefined, undefined]);
});

test.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  '%s: a call that the limit cut does not run, not even one that was cut before its first argument',
  async (api) => {
    const { servers, options } = await httpSession({
      [api]: [
        { parts: [{ call: 'bash', rawArguments: '{"command":"echo ran > ran.txt' }], finish: 'length' },
        {
          parts: [
            { call: 'read_file', input: { path: 'sum.js' } },
            { call: 'list_directory', rawArguments: '' },
          ],
          finish: 'length',
        },
        { parts: [{ text: 'In small steps.' }] },
      ],
    });
    const thread = await openTestThread({ ...options });
    expect(await thread.prompt('go')).toMatchObject({ reason: 'done' });
    const parts = callParts(thread.state().messages);
    expect(parts.map(({ tool, result }) => `${tool} ${result?.status}`)).toEqual([
      'bash aborted',
      'read_file ok',
      'list_directory aborted',
    ]);
    expect(resultText(parts[0])).toContain('smaller arguments');
    expect(existsSync(path.join(options.cwd, 'ran.txt'))).toBe(false);
    expect(servers.get(api)?.violations).toEqual([]);
  },
);

test('a call that was whole when the limit came runs, and nothing says that it did not', async () => {
  const thread = await openTestThread({
    script: [
      [...call('poke', { path: 'a' }), ...done('length')],
      [...say('Poked.'), ...done()],
    ],
  });
  expect(await thread.prompt('go')).toMatchObject({ reason: 'done' });
  expect(callParts(thread.state().messages).map(({ result }) => result?.status)).toEqual(['ok']);
  expect((await thread.next('notice-added')).notice.text).toContain('its calls are whole and ran');
});

test('a model whose calls are cut again and again is stopped with the reason', async () => {
  const step = () => [...say('Writing.'), ...call('poke', {}, { rawInput: '{"path":"a' }), ...done('length')];
  const thread = await openTestThread({ script: [step(), step(), step()] });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('halted');
  expect(end.text).toContain('output limit');
  expect(thread.model.left()).toBe(0);
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpSession, refOf } from '../../support/engine/http-thread.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import { callParts, openTestThread, textOf } from '../../support/engine/test-thread.ts';
import type { ServerStep } from '../../support/model-servers/index.ts';
import { refusesTools, writtenCall } from '../../support/model-servers/text-only.ts';

const say = (text: string): ServerStep => ({ parts: [{ text }] });
const read = writtenCall('read_file', { path: 'sum.js' });
const edit = writtenCall('edit_file', { path: 'sum.js', old_string: 'a - b', new_string: 'a + b' });

async function opened(script: Parameters<typeof httpSession>[0], model = refOf('openai-chat')) {
  const session = await httpSession(script);
  const thread = await openTestThread({ ...session.options, model });
  const server = session.servers.get('openai-chat');
  const bodies = () => server?.requests.map(({ body }) => body) ?? [];
  const file = () => readFile(path.join(session.options.cwd, 'sum.js'), 'utf8');
  const notices = () =>
    thread.events.flatMap((event) => (event.kind === 'notice-added' ? [event.notice.text] : []));
  return { ...session, thread, server, bodies, file, notices };
}

describe('a model that cannot be given tools', () => {
  test('gets them by text after one refusal, does the task, and is remembered', async () => {
    const script = refusesTools([
      say(`I look first.\n\n${read}`),
      say(edit),
      say('Fixed.'),
      say('Hello again.'),
    ]);
    const { thread, server, bodies, file, notices, options } = await opened({ 'openai-chat': script });
    const before = Date.now();
    expect(await thread.prompt('fix the sum')).toMatchObject({ reason: 'done', steps: 3 });
    expect(Date.now() - before).toBeLessThan(5_000);
    expect(await file()).toContain('a + b');
    const [refused, first, second, third] = bodies();
    expect(refused.tools.length).toBeGreaterThan(0);
    expect([first.tools, second.tools, third.tools]).toEqual([undefined, undefined, undefined]);
    expect(first.messages[0].content).toContain('## read_file');
    expect(second.messages.at(-2)).toEqual({ role: 'assistant', content: `I look first.\n\n${read}` });
    expect(second.messages.at(-1).content).toMatch(
      /^<tool_response name="read_file">\n[\s\S]*a - b[\s\S]*\n<\/tool_response>$/,
    );
    expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
    expect(notices()).toEqual([expect.stringContaining('does not take tools')]);
    expect(thread.events.some(({ kind }) => kind === 'retry-wait')).toBe(false);
    expect(callParts(thread.state().messages).map(({ tool }) => tool)).toEqual(['read_file', 'edit_file']);
    expect(textOf(thread.state().messages.at(-1))).toBe('Fixed.');
    await thread.close();
    expectSound(thread.events);
    const other = await openTestThread(options);
    expect((await other.prompt('hello')).reason).toBe('done');
    expect(bodies().at(-1).tools).toBeUndefined();
    expect(server?.requests).toHaveLength(5);
    expect(server?.violations).toEqual([]);
  });

  test('is found out within an answer that had begun, and what had come is void', async () => {
    const error = { status: 400, message: 'tool calling is not supported by this model' };
    const begun: ServerStep = { parts: [{ text: 'I beg' }, { error }, { end: true }] };
    const { thread, bodies, server } = await opened({ 'openai-chat': [begun, say('Hello.')] });
    expect(await thread.prompt('hello')).toMatchObject({ reason: 'done', steps: 1 });
    expect(bodies().map(({ tools }) => tools !== undefined)).toEqual([true, false]);
    const said = thread.state().messages.filter(({ role }) => role === 'assistant');
    expect(said.map(textOf)).toEqual(['Hello.']);
    expect(server?.violations).toEqual([]);
    await thread.close();
    expectSound(thread.events);
  });

  test('takes over a conversation in which another model called its tools natively', async () => {
    const look = { parts: [{ reasoning: 'Look.' }, { call: 'read_file', input: { path: 'sum.js' } }] };
    const { thread, server, bodies, file } = await opened(
      { anthropic: [look, say('A minus.')], 'openai-chat': refusesTools([say(edit), say('Fixed.')]) },
      refOf('anthropic'),
    );
    await thread.prompt('look at the sum');
    thread.handle.submit({ kind: 'switch-model', model: refOf('openai-chat') });
    await thread.next('model-switched', ({ model }) => model.provider === 'openai-chat');
    expect((await thread.prompt('fix it')).reason).toBe('done');
    const [, first] = bodies();
    expect(first.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(first.messages[2].content).toBe(read);
    expect(await file()).toContain('a + b');
    expect(server?.violations).toEqual([]);
  });

  test('is told once, with an example, of a call that cannot be read, and nothing of it runs', async () => {
    const broken = edit.replace('</function>', '');
    const cut = broken.slice(0, broken.indexOf('a + b'));
    const { thread, bodies, file } = await opened({
      'openai-chat': refusesTools([say(`${read}\n${cut}`), say(read), say(edit), say('Fixed.')]),
    });
    expect(await thread.prompt('fix the sum')).toMatchObject({ reason: 'done', steps: 4 });
    const told = bodies()[2].messages.at(-1).content;
    expect(told).toContain('a call of edit_file that could not be read');
    expect(told).toContain('<function=edit_file>\n<parameter=path>\nthe path\n</parameter>');
    const [first] = thread.state().messages.filter(({ role }) => role === 'assistant');
    expect(textOf(first)).toContain('<function=edit_file>');
    const tools = callParts(thread.state().messages).map(({ tool }) => tool);
    expect(tools).toEqual(['read_file', 'edit_file']);
    expect(await file()).toContain('a + b');
  });

  test('is told of a call in the code block that its answer ends with, alone and beside one that ran', async () => {
    const fenced = `I change it now:\n\n\`\`\`xml\n${edit}\n\`\`\`\n`;
    const { thread, bodies, file } = await opened({
      'openai-chat': refusesTools([say(`${fenced}\n${read}`), say(fenced), say(edit), say('Fixed.')]),
    });
    expect(await thread.prompt('fix the sum')).toMatchObject({ reason: 'done', steps: 4 });
    const told = 'a call of edit_file that was not run: it stands in a code block, where calls are not run';
    for (const body of bodies().slice(2, 4)) expect(body.messages.at(-1).content).toContain(told);
    expect(callParts(thread.state().messages).map(({ tool }) => tool)).toEqual(['read_file', 'edit_file']);
    expect(await file()).toContain('a + b');
  });

  test('may make different mistakes in a row, but not the same one twice, and not for ever', async () => {
    const none = (tool: string) => say(writtenCall(tool, { path: 'sum.js' }));
    const backslash = say('<tool_call>{"name": "grep_search", "arguments": {"pattern": "\\d+"}}</tool_call>');
    const mended = await opened({
      'openai-chat': refusesTools([none('search_files'), backslash, say(edit), say('Fixed.')]),
    });
    expect((await mended.thread.prompt('fix the sum')).reason).toBe('done');
    const [, , first, second] = mended.bodies().map(({ messages }) => messages.at(-1).content);
    expect(first).toContain('there is no tool "search_files". Nothing of it was run. Did you mean');
    expect(first).toContain('grep_search');
    expect(second).toContain('(a backslash in JSON is written \\\\)');
    const stuck = async (...tools: string[]) => {
      const { thread } = await opened({ 'openai-chat': refusesTools(tools.map(none)) });
      return thread.prompt('fix the sum');
    };
    expect(await stuck('one', 'one')).toMatchObject({ reason: 'halted', steps: 2 });
    expect(await stuck('one', 'two', 'one', 'two')).toMatchObject({ reason: 'halted', steps: 4 });
  });
});

describe('a server that takes tools and returns calls as text', () => {
  const hermes = '<tool_call>\n{"name": "read_file", "arguments": {"path": "sum.js"}}\n</tool_call>';

  test('has them run, and its model gets its tools by text from then on', async () => {
    const { thread, bodies, notices, server } = await opened({
      'openai-chat': [say(`Let me look. ${hermes}`), say('It subtracts.')],
    });
    expect((await thread.prompt('what does it do?')).reason).toBe('done');
    expect(callParts(thread.state().messages)).toMatchObject([
      { tool: 'read_file', input: { path: 'sum.js' }, result: { status: 'ok' } },
    ]);
    expect(bodies().map(({ tools }) => tools !== undefined)).toEqual([true, false]);
    expect(bodies()[1].messages.at(-2).content).toBe(`Let me look.\n\n${read}`);
    expect(notices()).toEqual([expect.stringContaining('returns tool calls as text')]);
    expect(server?.violations).toEqual([]);
  });

  test('is not given up for a slip, once it has shown that it knows calls', async () => {
    const { thread, bodies, notices, server } = await opened({
      'openai-chat': [
        { parts: [{ call: 'read_file', input: { path: 'sum.js' } }] },
        say(hermes),
        say('It subtracts.'),
      ],
    });
    expect((await thread.prompt('what does it do?')).reason).toBe('done');
    expect(bodies().every(({ tools }) => tools !== undefined)).toBe(true);
    expect(bodies()[2].messages.at(-2).tool_calls).toHaveLength(1);
    expect(callParts(thread.state().messages)).toHaveLength(2);
    expect(notices()).toEqual([]);
    expect(server?.violations).toEqual([]);
  });

  test('has nothing run when the answer breaks off behind a whole call', async () => {
    const { thread, server } = await opened({
      'openai-chat': [{ parts: [{ text: `${edit}\n` }, { cut: true }] }, { parts: [{ text: 'Done.' }] }],
    });
    await thread.prompt('fix the sum');
    expect(callParts(thread.state().messages)).toEqual([]);
    expect(server?.unusedSteps()).toBe(0);
  });
});

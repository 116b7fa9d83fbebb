import { expect, test } from 'vitest';
import type { PermissionAnswer } from '#protocol/permission.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  decision,
  hooksThat,
  openGate,
  openTestThread,
  resultText,
  type TestThreadOptions,
} from '../../support/engine/test-thread.ts';
import { askTool, pokeTool, text } from '../../support/engine/test-tools.ts';

const askPokes = () => openGate(({ tool }) => (tool === 'poke' || tool === 'bash' ? 'ask' : 'allow'));

async function answered(reply: PermissionAnswer, options: TestThreadOptions = {}) {
  const thread = await openTestThread({
    gate: askPokes(),
    script: [calls(call('poke', { path: 'x' })), answer('Done.')],
    ...options,
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: reply });
  const end = await ended;
  expect(thread.model.problems).toEqual([]);
  const [part] = callParts(thread.state().messages);
  return { thread, end, request, status: part?.result?.status, text: resultText(part) };
}

test('the request shows tool, title, preview, folder and reasons', async () => {
  const { request, thread, text } = await answered({ kind: 'once' });
  expect(request).toMatchObject({
    tool: 'poke',
    title: 'x',
    input: { path: 'x' },
    cwd: thread.cwd,
    view: { kind: 'text', text: 'would change x' },
    reasons: [{ check: 'test-ask', text: 'the test says ask' }],
  });
  expect(text).toBe('changed x');
  expect(thread.state().permissions).toEqual([]);
});

/** What is written asks; reading is allowed everywhere but in `outside`. */
const doomed = (more: TestThreadOptions = {}): TestThreadOptions => ({
  gate: openGate(({ effect, input }) =>
    effect === 'write' || JSON.stringify(input).includes('outside') ? 'ask' : 'allow',
  ),
  tools: [
    {
      ...pokeTool({ run: async () => text('not reached') }),
      preview: async () => text('x has no such line', { status: 'error', code: 'not_found' }),
    },
  ],
  ...more,
});

test('nobody is asked about a call that would only fail; the model gets its error', async () => {
  const script = [calls(call('poke', { path: 'x' })), answer('Done.')];
  const thread = await openTestThread(doomed({ script }));
  await thread.prompt('go');
  const [part] = callParts(thread.state().messages);
  expect(part?.result).toMatchObject({ status: 'error', code: 'not_found', durationMs: 0 });
  expect(resultText(part)).toBe('x has no such line');
  expect(thread.events.some(({ kind }) => kind === 'permission-request')).toBe(false);
});

test('where the model may not read, the failure is shown to the person first', async () => {
  const script = [calls(call('poke', { path: 'outside' })), answer('Done.')];
  const { request, status } = await answered({ kind: 'reject' }, doomed({ script }));
  expect(request.view).toEqual({ kind: 'text', text: 'This call would fail: x has no such line' });
  expect(status).toBe('denied');
});

test('the time that the person takes to answer is not the time of the call', async () => {
  const thread = await openTestThread({
    gate: askPokes(),
    script: [calls(call('poke', { path: 'x' })), answer('Done.')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  const asked = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 600));
  const waited = performance.now() - asked;
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'once' } });
  await ended;
  expect(callParts(thread.state().messages)[0]?.result?.durationMs).toBeLessThan(waited);
});

test('a command is shown whole', async () => {
  const { request } = await answered(
    { kind: 'once' },
    {
      script: [calls(call('bash', { command: 'rm -rf dist &&\nmake' })), answer('ok')],
    },
  );
  expect(request.command).toBe('rm -rf dist &&\nmake');
});

test('a plain no is a denied result and the turn goes on', async () => {
  const { status, text, end } = await answered({ kind: 'reject' });
  expect(status).toBe('denied');
  expect(text).toContain('refused');
  expect(end.reason).toBe('done');
});

test('a no with words gives the model the words', async () => {
  const { status, text } = await answered({ kind: 'reject', feedback: 'use the helper instead' });
  expect(status).toBe('denied');
  expect(text).toContain('use the helper instead');
});

test('an edited input is run after it was decided again', async () => {
  const { status, text } = await answered({ kind: 'edit', input: { path: 'y' } });
  expect(status).toBe('ok');
  expect(text).toContain('changed y');
  expect(text).toContain('The person changed the input');
});

test('an edited input that the rules deny is not run', async () => {
  const gate = openGate(({ input }) => (JSON.stringify(input).includes('secret') ? 'deny' : 'ask'));
  const { status } = await answered({ kind: 'edit', input: { path: 'secret' } }, { gate });
  expect(status).toBe('denied');
});

test('an edited input passes the hooks as well', async () => {
  const hooks = hooksThat((event) =>
    event.event === 'tool-before' && JSON.stringify(event.input).includes('frozen')
      ? { decision: 'deny', reason: 'frozen' }
      : undefined,
  );
  const { status } = await answered({ kind: 'edit', input: { path: 'frozen' } }, { hooks });
  expect(status).toBe('denied');
});

test('an edited input that is not valid is an error result', async () => {
  const { status, text } = await answered({ kind: 'edit', input: { nothing: 1 } });
  expect(status).toBe('error');
  expect(text).toContain('The person changed the input.');
});

test('always adds the rule and decides what waits anew', async () => {
  const gate = askPokes();
  const thread = await openTestThread({
    gate,
    script: [calls(call('poke', { path: 'x' }), call('poke', { path: 'y' })), answer('Done.')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  thread.handle.submit({
    kind: 'answer-permission',
    requestId: request.id,
    answer: { kind: 'always', rule: 'poke(*)', scope: 'session' },
  });
  await ended;
  expect(gate.rules).toEqual([{ rule: 'poke(*)', scope: 'session' }]);
  expect(thread.events.filter(({ kind }) => kind === 'permission-request')).toHaveLength(1);
  expect(callParts(thread.state().messages).map((part) => resultText(part))).toEqual([
    'changed x',
    'changed y',
  ]);
});

test('several reads that wait are all let through by one rule', async () => {
  const gate = openGate(({ tool }) => (tool === 'peek' ? 'ask' : 'allow'));
  const thread = await openTestThread({
    gate,
    script: [calls(call('peek', { path: 'x' }), call('peek', { path: 'y' })), answer('Done.')],
  });
  const ended = thread.prompt('go');
  await thread.until(({ permissions }) => permissions.length === 2);
  const [first] = thread.state().permissions;
  thread.handle.submit({
    kind: 'answer-permission',
    requestId: first?.id ?? '',
    answer: { kind: 'always', rule: 'peek(*)', scope: 'project' },
  });
  await ended;
  const responses = thread.events.flatMap((event) =>
    event.kind === 'permission-response' ? [event.answer] : [],
  );
  expect(responses.map((reply) => reply?.kind)).toEqual(expect.arrayContaining(['always', undefined]));
  expect(callParts(thread.state().messages).map((part) => resultText(part))).toEqual(['saw x', 'saw y']);
});

test('a rule that cannot be saved lets the call run once and says so', async () => {
  const gate = askPokes();
  gate.allow = async () => {
    throw new Error('the file is read-only');
  };
  const { thread, status } = await answered({ kind: 'always', rule: 'poke(*)', scope: 'project' }, { gate });
  expect(status).toBe('ok');
  const notices = thread.events.flatMap((event) =>
    event.kind === 'notice-added' ? [event.notice.text] : [],
  );
  expect(notices.join()).toContain('the file is read-only');
});

test('another mode decides what waits', async () => {
  const gate = openGate(({ mode }) => (mode === 'auto_accept' ? 'allow' : 'ask'));
  const thread = await openTestThread({ gate, script: [calls(call('poke', { path: 'x' })), answer('ok')] });
  const ended = thread.prompt('go');
  await thread.next('permission-request');
  thread.handle.submit({ kind: 'set-mode', mode: 'auto_accept' });
  await ended;
  expect(resultText(callParts(thread.state().messages)[0])).toBe('changed x');
});

test('the first answer counts, later ones change nothing', async () => {
  const thread = await openTestThread({
    gate: askPokes(),
    script: [calls(call('poke', { path: 'x' })), answer('ok')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  const reply = (kind: 'once' | 'reject') =>
    thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind } });
  reply('reject');
  reply('once');
  await ended;
  expect(callParts(thread.state().messages)[0]?.result?.status).toBe('denied');
});

test('headless, what would be asked is denied and the model is told why', async () => {
  const thread = await openTestThread({
    canAsk: false,
    gate: askPokes(),
    script: [calls(call('poke', { path: 'x' })), answer('ok')],
  });
  await thread.prompt('go');
  const [part] = callParts(thread.state().messages);
  expect(part?.result?.status).toBe('denied');
  expect(resultText(part)).toContain('the test says ask');
  expect(resultText(part)).toContain('nobody can be asked');
  expect(thread.events.some(({ kind }) => kind === 'permission-request')).toBe(false);
});

test('headless, a tool that needs a person is not offered', async () => {
  const tools = [pokeTool(), { ...askTool(), needsPerson: true }];
  const offered = async (canAsk: boolean) => {
    const thread = await openTestThread({ canAsk, tools, script: [answer('ok')] });
    await thread.prompt('go');
    return thread.model.requests[0]?.tools.map(({ name }) => name);
  };
  expect([await offered(true), await offered(false)]).toEqual([['ask_user', 'poke'], ['poke']]);
});

test('a hook that asks is not answered by a rule', async () => {
  const gate = openGate();
  const thread = await openTestThread({
    gate,
    hooks: hooksThat(({ event }) =>
      event === 'tool-before' ? { decision: 'ask', reason: 'look twice' } : undefined,
    ),
    script: [calls(call('poke', { path: 'x' })), answer('ok')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  expect(request.reasons).toEqual([{ check: 'hook-ask', text: 'look twice' }]);
  thread.handle.submit({ kind: 'set-mode', mode: 'auto_accept' });
  expect(thread.state().permissions).toHaveLength(1);
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'once' } });
  await ended;
  expect(resultText(callParts(thread.state().messages)[0])).toBe('changed x');
});

test('a question of the model reaches the person and the answer the model', async () => {
  const thread = await openTestThread({
    script: [calls(call('ask_user', { question: 'which?' })), answer('ok')],
  });
  const ended = thread.prompt('go');
  const { request } = await thread.next('question-request');
  expect(request.questions[0]?.question).toBe('which?');
  thread.handle.submit({ kind: 'answer-question', requestId: request.id, answer: [['the first']] });
  await ended;
  expect(resultText(callParts(thread.state().messages)[0])).toBe('they said the first');
  expect(thread.state().questions).toEqual([]);
});

test('the suggested rule is offered', async () => {
  const gate = openGate(() => ({ ...decision('ask'), suggestedRule: 'poke(x)' }));
  const { request } = await answered({ kind: 'once' }, { gate });
  expect(request.suggestedRule).toBe('poke(x)');
});

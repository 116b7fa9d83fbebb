import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HookJudge } from '../../../src/hooks/ask-model.ts';
import type { HookOutcome } from '../../../src/protocol/hook.ts';
import { hookBench, nothing, toolBefore } from './set-up.ts';

const bench = hookBench();
const edit = toolBefore('edit_file', { path: 'a.ts', old_string: 'a', new_string: 'b' });
const form = (hook: object) => ({ PreToolUse: [{ hooks: [hook] }] });
const signal = new AbortController().signal;

type Heard = { headers: IncomingMessage['headers']; body: string };

async function server(answer: (response: ServerResponse, heard: Heard) => void) {
  const heard: Heard[] = [];
  const listening = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    heard.push({ headers: request.headers, body });
    answer(response, { headers: request.headers, body });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const { port } = listening.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, heard };
}

const sends = (json: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(json));

describe('an http hook', () => {
  const fire = (hook: object, env: Record<string, string> = {}): Promise<HookOutcome> =>
    bench.runner(form({ type: 'http', ...hook }), env).fire(edit, { signal });

  it('is posted the event, with the variables that its headers may name', async () => {
    const { url, heard } = await server(sends({}));
    const headers = { authorization: 'Bearer $HOOK_WORD', 'x-other': '${SECRET_KEY}!' };
    const outcome = await fire(
      { url, headers, allowedEnvVars: ['HOOK_WORD'] },
      { HOOK_WORD: 'open', SECRET_KEY: 'closed' },
    );
    expect(outcome).toEqual(nothing);
    expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer open', 'x-other': '!' });
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: bench.file('a.ts') },
    });
    expect(bench.runs()).toMatchObject([{ event: 'PreToolUse', exitCode: 200, decision: 'continue' }]);
  });

  it('decides as a command does', async () => {
    const special = { permissionDecision: 'deny', permissionDecisionReason: 'not today' };
    const { url } = await server(sends({ hookSpecificOutput: special }));
    expect(await fire({ url })).toMatchObject({ decision: 'deny', reason: 'not today' });
  });

  it('that fails goes in the direction of the settings, and never elsewhere', async () => {
    const other = await server(sends({}));
    const { url } = await server((response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const sentOn = await fire({ url, on_error: 'deny' });
    expect(sentOn).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining(`sent on to 127.0.0.1:${other.port}, which is not followed`),
    });
    expect(other.heard).toEqual([]);
    const broken = await server((response) => void response.writeHead(500).end('x'));
    expect(await fire({ url: broken.url })).toMatchObject({
      decision: 'continue',
      notices: [expect.stringContaining('it answered with status 500')],
    });
    const rubbish = await server((response) => void response.end('{"decision": 7'));
    expect(await fire({ url: rubbish.url })).toMatchObject({ decision: 'ask' });
    const silent = await server(() => undefined);
    expect(await fire({ url: silent.url, timeout: 0.05 })).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('did not answer within 0.05 s'),
    });
    expect(await fire({ url: 'http://127.0.0.1:9/', on_error: 'ignore' })).toEqual(nothing);
  });

  it('follows where its own host sends it', async () => {
    const { url, heard } = await server((response) => {
      if (heard.length === 1) response.writeHead(308, { location: '/moved' }).end();
      else response.end('{"decision":"block","reason":"found"}');
    });
    expect(await fire({ url })).toMatchObject({ decision: 'deny', reason: 'found' });
  });
});

describe('a prompt hook', () => {
  const fire = (answer: string | Error, hook: object = {}) => {
    const asked: Parameters<HookJudge>[0][] = [];
    const judge: HookJudge = async (question) => {
      asked.push(question);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const hooks = form({ type: 'prompt', prompt: 'Is $ARGUMENTS harmless?', ...hook });
    const scene = { model: { provider: 'p', model: 'own' } };
    return { asked, outcome: bench.runner(hooks, {}, { judge }).fire(edit, { signal, scene }) };
  };

  it('is a question to a model, whose yes lifts nothing', async () => {
    const { asked, outcome } = fire('```json\n{"ok": true}\n```', { model: 'p/judge' });
    expect(await outcome).toEqual(nothing);
    expect(asked).toMatchObject([{ model: 'p/judge', own: { provider: 'p', model: 'own' } }]);
    expect(asked[0]?.text).toContain('"tool_name":"Edit"');
  });

  it('refuses with the reason of the model', async () => {
    const { outcome } = fire('No: {"ok": false, "reason": "it deletes a test"}');
    expect(await outcome).toMatchObject({ decision: 'deny', reason: 'it deletes a test' });
  });

  it('without an answer that can be read leaves it to the person', async () => {
    expect(await fire('perhaps').outcome).toMatchObject({ decision: 'ask' });
    expect(await fire(new Error('no key')).outcome).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('no key'),
    });
    expect(await fire('perhaps', { on_error: 'deny' }).outcome).toMatchObject({ decision: 'deny' });
  });
});

describe('a hook', () => {
  const command = (more: object) => form({ type: 'command', command: 'echo x >> ran', ...more });

  it('with a condition runs for calls under its rule only', async () => {
    const isUnderRule = (rule: string) => rule === 'Edit(a.ts)';
    for (const rule of ['Edit(b.ts)', 'Edit(a.ts)'])
      await bench.runner(command({ if: rule }), {}, { isUnderRule }).fire(edit, { signal });
    expect(bench.read('ran')).toBe('x\n');
  });

  it('that is to run once does so once in a session', async () => {
    const runner = bench.runner(command({ once: true }));
    await runner.fire(edit, { signal });
    await runner.fire(edit, { signal });
    expect(bench.read('ran')).toBe('x\n');
  });

  it('in the background holds nothing up and decides nothing', async () => {
    const hooks = form({ type: 'command', async: true, command: 'cat > /dev/null; touch ran; exit 2' });
    expect(await bench.runner(hooks).fire(edit, { signal })).toEqual(nothing);
    await expect.poll(() => bench.runs().length).toBe(1);
    expect(existsSync(bench.file('ran'))).toBe(true);
    expect(bench.runs()).toMatchObject([{ exitCode: 2, decision: 'deny' }]);
  });
});

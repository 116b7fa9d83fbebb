import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { engineSettings } from '#engine/settings.ts';
import type { JsonValue } from '#protocol/json.ts';
import { answer, call, calls, done, modelError, say } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  hooksThat,
  openGate,
  openTestThread,
  resultText,
  type TestThreadOptions,
} from '../../support/engine/test-thread.ts';
import { peekTool, pokeTool, shellTool, text } from '../../support/engine/test-tools.ts';

/** One message with these calls, then an answer; resolves with the finished calls. */
async function runCalls(parts: ReturnType<typeof call>[], options: TestThreadOptions = {}) {
  const thread = await openTestThread({ script: [calls(...parts), answer('Done.')], ...options });
  const end = await thread.prompt('go');
  expect(thread.model.problems).toEqual([]);
  const found = callParts(thread.state().messages);
  return { thread, end, parts: found, texts: found.map((part) => resultText(part)) };
}

test('an event that the log cannot take still leaves the turn with one end', async () => {
  let nested: JsonValue = [];
  for (let level = 0; level < 100_000; level += 1) nested = [nested];
  const deep = call('peek', {}).map((part) =>
    part.kind === 'tool-call' ? { ...part, input: nested } : part,
  );
  const thread = await openTestThread({ script: [calls(deep)] });
  const end = await thread.prompt('go');
  expect(end).toMatchObject({ reason: 'error', text: expect.stringContaining('llmcode failed') });
  expect(thread.events.filter(({ kind }) => kind === 'turn-end')).toHaveLength(1);
});

test('an unknown tool is answered with the nearest name and the list', async () => {
  const { parts, texts } = await runCalls([call('peak', { path: 'a' })]);
  expect(parts[0]?.result?.status).toBe('error');
  expect(texts[0]).toContain('Did you mean peek?');
  expect(texts[0]).toContain('poke');
});

test('a name that shares a word with tools gets those, not what is spelt alike', async () => {
  const tools = [peekTool(), pokeTool(), shellTool()].map((tool, at) => ({
    ...tool,
    name: ['read_file', 'grep_search', 'glob_search'][at] ?? '',
    aliases: [],
  }));
  const { texts } = await runCalls([call('search_files', {}), call('searchFiles', {})], { tools });
  for (const words of texts) expect(words).toContain('Did you mean glob_search or grep_search?');
});

test('an unknown name is answered with the tools that are offered, not with one that waits', async () => {
  const tools = [peekTool(), { ...pokeTool(), needsShortenedHistory: true }];
  const { texts } = await runCalls([call('nothing', {})], { tools });
  expect(texts[0]).toBe('There is no tool "nothing". The tools are: peek.');
});

test('arguments that are no JSON are answered and not run', async () => {
  const { parts, texts } = await runCalls([call('peek', {}, { rawInput: '{"path": "a' })]);
  expect(parts[0]?.result?.status).toBe('error');
  expect(texts[0]).toContain('no JSON object');
  expect(texts[0]).toContain('Parameters: path, limit (optional).');
});

test('a wrong input is answered with the field and the nearest known one', async () => {
  const { texts } = await runCalls([call('poke', { pth: 'a' })]);
  expect(texts[0]).toContain('- path: is missing\n');
  expect(texts[0]).toContain('- pth: unknown parameter, did you mean path?');
});

test("names of other agents' tools and parameters are accepted", async () => {
  const { parts, texts } = await runCalls([call('Peek', { file_path: 'x' })]);
  expect(texts).toEqual(['saw x']);
  expect(parts[0]).toMatchObject({ tool: 'peek', title: 'x' });
});

test('a number that came as a string is understood', async () => {
  const { texts } = await runCalls([call('peek', { path: 'x', limit: '5' })]);
  expect(texts).toEqual(['saw x']);
});

test('a tool that throws gives an error result', async () => {
  const tool = peekTool({
    run: () => {
      throw new Error('no such file: x');
    },
  });
  const { parts, texts } = await runCalls([call('peek', { path: 'x' })], { tools: [tool] });
  expect(parts[0]?.result?.status).toBe('error');
  expect(texts[0]).toBe('peek failed: no such file: x');
});

test('a rule that denies gives a denied result with its reason, and a hook cannot lift it', async () => {
  const { parts, texts } = await runCalls([call('poke', { path: 'x' })], {
    gate: openGate(() => 'deny'),
    hooks: hooksThat(({ event }) => (event === 'tool-before' ? { decision: 'allow' } : undefined)),
  });
  expect(parts[0]?.result?.status).toBe('denied');
  expect(texts[0]).toContain('the test says deny');
});

test('a hook that allows skips the question', async () => {
  const { texts } = await runCalls([call('poke', { path: 'x' })], {
    gate: openGate(() => 'ask'),
    hooks: hooksThat(({ event }) => (event === 'tool-before' ? { decision: 'allow' } : undefined)),
  });
  expect(texts).toEqual(['changed x']);
});

test('a hook that denies stops the call and its reason reaches the model', async () => {
  const { parts, texts } = await runCalls([call('poke', { path: 'x' })], {
    hooks: hooksThat(({ event }) =>
      event === 'tool-before' ? { decision: 'deny', reason: 'frozen until Monday' } : undefined,
    ),
  });
  expect(parts[0]?.result?.status).toBe('denied');
  expect(texts[0]).toContain('frozen until Monday');
});

test('a hook that halts ends the turn after giving every call its result', async () => {
  const { end, parts } = await runCalls([call('poke', { path: 'x' }), call('poke', { path: 'y' })], {
    hooks: hooksThat(({ event }) =>
      event === 'tool-before' ? { decision: 'halt', reason: 'stop here' } : undefined,
    ),
  });
  expect(end).toMatchObject({ reason: 'halted', text: 'Stopped: stop here' });
  expect(parts.map((part) => part.result?.status)).toEqual(['denied', 'aborted']);
});

test('a hook may change the input; permission sees the changed one and the model is told', async () => {
  const seen: unknown[] = [];
  const { texts } = await runCalls([call('poke', { path: 'x' })], {
    gate: openGate(({ input }) => {
      seen.push(input);
      return 'allow';
    }),
    hooks: hooksThat(({ event }) => (event === 'tool-before' ? { input: { path: 'y' } } : undefined)),
  });
  expect(seen).toEqual([{ path: 'y' }]);
  expect(texts[0]).toContain('changed y');
  expect(texts[0]).toContain('A hook changed the input');
});

test('what hooks say before and after a call is added to its result', async () => {
  const { texts } = await runCalls([call('peek', { path: 'x' })], {
    hooks: hooksThat(({ event }) =>
      event === 'tool-before' || event === 'tool-after' ? { context: `from ${event}` } : undefined,
    ),
  });
  expect(texts).toEqual(['saw x\nfrom tool-before\nfrom tool-after']);
});

test('a long result is cut with a pointer to a file that holds all of it', async () => {
  const long = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n');
  const { thread, texts } = await runCalls([call('peek', { path: 'x' })], {
    tools: [peekTool({ run: async () => text(long) })],
    settings: engineSettings.parse({ max_result_chars: 2_000 }),
  });
  const [cut = ''] = texts;
  expect(cut.length).toBeLessThan(2_500);
  expect(cut).toMatch(/^line 0\n/);
  expect(cut).toMatch(/line 4999$/);
  const [, file = ''] = /The whole output is in (\S+):/.exec(cut) ?? [];
  expect(path.basename(path.dirname(file))).toBe(`${thread.handle.threadId}.files`);
  expect(await readFile(file, 'utf8')).toBe(long);
});

test('equal call ids of a vendor are told apart by ours', async () => {
  const { parts } = await runCalls([
    call('peek', { path: 'a' }, { vendorCallId: 'call_0' }),
    call('peek', { path: 'b' }, { vendorCallId: 'call_0' }),
    call('peek', { path: 'c' }, { vendorCallId: '' }),
  ]);
  expect(parts.map(({ vendorCallId }) => vendorCallId)).toEqual(['call_0', undefined, undefined]);
  expect(new Set(parts.map(({ callId }) => callId)).size).toBe(3);
  expect(parts.map((part) => resultText(part))).toEqual(['saw a', 'saw b', 'saw c']);
});

test('reads run side by side, everything else alone and in order', async () => {
  const log: string[] = [];
  const noted = (name: string) => async (input: Record<string, unknown>) => {
    log.push(`${name} ${input.path} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} ${input.path} ends`);
    return text('ok');
  };
  await runCalls(
    ['a', 'b']
      .map((at) => call('peek', { path: at }))
      .concat(['c', 'd'].map((at) => call('poke', { path: at }))),
    { tools: [peekTool({ run: noted('peek') }), pokeTool({ run: noted('poke') })] },
  );
  expect(log.slice(4)).toEqual(['poke c starts', 'poke c ends', 'poke d starts', 'poke d ends']);
  expect(log.slice(0, 4)).toEqual(expect.arrayContaining(['peek a ends', 'peek b ends']));
});

test('a read starts while its message still streams, a write never does', async () => {
  const started: string[] = [];
  const read = Promise.withResolvers<void>();
  const thread = await openTestThread({
    tools: [
      peekTool({
        run: async ({ path: at }) => {
          started.push(`peek ${at}`);
          read.resolve();
          return text('seen');
        },
      }),
      pokeTool({
        run: async ({ path: at }) => {
          started.push(`poke ${at}`);
          return text('done');
        },
      }),
    ],
    script: [
      async function* stream() {
        yield* call('peek', { path: 'a' });
        await read.promise;
        expect(started).toEqual(['peek a']);
        yield* call('poke', { path: 'b' });
        yield* call('peek', { path: 'c' });
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(started).toEqual(['peek a']);
        yield* done('tool-calls');
      },
      answer('ok'),
    ],
  });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('done');
  expect(started).toEqual(['peek a', 'poke b', 'peek c']);
});

test('a read that must be asked about waits for the end of its message', async () => {
  const gateway = Promise.withResolvers<void>();
  const thread = await openTestThread({
    gate: openGate(() => 'ask'),
    script: [
      async function* stream() {
        yield* call('peek', { path: 'a' });
        await gateway.promise;
        yield* done('tool-calls');
      },
      answer('ok'),
    ],
  });
  const ended = thread.prompt('go');
  await thread.next('tool-call-end');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(thread.events.some(({ kind }) => kind === 'permission-request')).toBe(false);
  gateway.resolve();
  const { request } = await thread.next('permission-request');
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'once' } });
  await ended;
  expect(resultText(callParts(thread.state().messages)[0])).toBe('saw a');
});

test('a message that breaks off after a call has run stays, and the call is not run again', async () => {
  const thread = await openTestThread({
    script: [
      [
        ...say('Let me look'),
        ...call('peek', { path: 'a' }),
        ...call('poke', { path: 'b' }),
        { kind: 'retry', attempt: 1, maxAttempts: 3, until: 0, error: modelError({ retryable: true }) },
        { kind: 'attempt' },
        ...calls(call('peek', { path: 'never' })),
      ],
      answer('ok'),
    ],
  });
  await thread.prompt('go');
  expect(thread.model.problems).toEqual([]);
  const { messages, activeRuns } = thread.state();
  expect(callParts(messages).map(({ result }) => result?.status)).toEqual(['ok', 'aborted']);
  expect(resultText(callParts(messages)[0])).toBe('saw a');
  expect(messages.map(({ finish }) => finish)).toEqual([undefined, 'lost', 'stop']);
  expect(callParts(thread.model.requests[1]?.messages ?? [])).toHaveLength(2);
  expect(activeRuns).toEqual({});
  const kinds = thread.events.map(({ kind }) => kind);
  expect(kinds).not.toContain('message-discarded');
  expect(kinds.indexOf('retry-wait')).toBeLessThan(kinds.indexOf('retry-end'));
});

test('the third equal call with equal results is put before the person', async () => {
  const same = () => calls(call('peek', { path: 'a' }));
  const thread = await openTestThread({ script: [same(), same(), same(), answer('ok')] });
  const ended = thread.prompt('go');
  const { request } = await thread.next('permission-request');
  expect(request.reasons).toMatchObject([{ check: 'repeated-call' }]);
  thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'reject' } });
  expect((await ended).reason).toBe('done');
  expect(callParts(thread.state().messages).map((part) => part.result?.status)).toEqual([
    'ok',
    'ok',
    'denied',
  ]);
});

test('where nobody can be asked a repeated call is refused, and one more ends the turn', async () => {
  const same = () => calls(call('peek', { path: 'a' }));
  const thread = await openTestThread({
    canAsk: false,
    script: [same(), same(), same(), same(), answer('never')],
  });
  const end = await thread.prompt('go');
  expect(end.reason).toBe('halted');
  expect(end.text).toContain('same call of peek');
  expect(callParts(thread.state().messages).map((part) => part.result?.status)).toEqual([
    'ok',
    'ok',
    'denied',
    'aborted',
  ]);
  expect(thread.model.left()).toBe(1);
});

test('equal calls with different results are no repetition', async () => {
  let count = 0;
  const tool = peekTool({ run: async () => text(`state ${count++}`) });
  const same = () => calls(call('peek', { path: 'a' }));
  const thread = await openTestThread({
    tools: [tool],
    script: [same(), same(), same(), same(), answer('ok')],
  });
  expect((await thread.prompt('go')).reason).toBe('done');
  expect(count).toBe(4);
});

test('a tool that runs too long is stopped and says so', async () => {
  const stubborn = shellTool({ run: () => new Promise(() => undefined) });
  const { parts, texts } = await runCalls([call('bash', { command: 'sleep 1000' })], {
    tools: [stubborn],
    settings: engineSettings.parse({ tool_timeout: 0.05 }),
  });
  expect(parts[0]?.result?.status).toBe('error');
  expect(texts[0]).toContain('ran longer than');
  expect(texts[0]).toContain('may have had effects');
});

test('the log is on disk before a tool with effects starts', async () => {
  let logged = '';
  const { thread } = await runCalls([call('poke', { path: 'x' })], {
    tools: [
      pokeTool({
        run: async (_input, ctx) => {
          const log = `${ctx.filesDir.slice(0, -'.files'.length)}.jsonl`;
          logged = existsSync(log) ? await readFile(log, 'utf8') : '';
          return text('ok');
        },
      }),
    ],
  });
  expect(logged).toContain('"kind":"tool-call-end"');
  expect(logged).toContain('"kind":"tool-run-start"');
  expect(logged).toContain(thread.handle.threadId);
});

test('lone surrogates in a result are mended before they reach the model', async () => {
  const { texts } = await runCalls([call('peek', { path: 'x' })], {
    tools: [peekTool({ run: async () => text('cut \ud83d here') })],
  });
  expect(texts).toEqual(['cut \ufffd here']);
});

test('what a tool returned is copied: a piece cut out of a long text must not keep all of it in memory', async () => {
  const returned = text('seen', { view: { kind: 'text', text: 'words' } });
  const { parts } = await runCalls([call('peek', { path: 'a' })], {
    hooks: { fire: async () => ({ decision: 'continue', notices: [] }) },
    tools: [peekTool({ run: async () => returned })],
  });
  const kept = parts[0]?.result;
  expect(kept?.view).toEqual(returned.view);
  expect(kept?.view).not.toBe(returned.view);
});

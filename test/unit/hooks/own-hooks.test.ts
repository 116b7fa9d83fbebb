import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hookBench, nothing, toolAfter, toolBefore } from './set-up.ts';

const bench = hookBench();
const edit = toolBefore('edit_file', { path: 'src/a.ts' });

describe('a hook of the list form', () => {
  it.each([
    ['tool_before', '*', true],
    ['tool.before', 'write_file|edit_file', true],
    ['pre_tool_use', 'edit_*', true],
    ['*', 'Edit', true],
    ['tool.*', 'write_file | edit_file', true],
    ['tool_before', 'bash', false],
    ['tool_before', 'edit', false],
    ['tool_after', '*', false],
    ['session.*', '*', false],
  ])('for %s and the tools %s runs for an edit: %s', async (event, tool_pattern, runs) => {
    await bench.fire([{ event, tool_pattern, command: 'touch ran' }], edit);
    expect(existsSync(bench.file('ran'))).toBe(runs);
  });

  it('does not look at tools where the event has none', async () => {
    const hooks = [{ event: 'session.*', tool_pattern: 'bash', command: 'echo "$HOOK_EVENT" >> ran' }];
    await bench.fire(hooks, { event: 'session-start', source: 'resume' });
    await bench.fire(hooks, { event: 'session-end', reason: 'exit' });
    expect(bench.read('ran')).toBe('session_start\nsession_end\n');
  });

  it('gets the event on standard input and in variables, and no secrets', async () => {
    const command = 'cat > in; env > env';
    const hooks = [{ event: 'post_tool_use', command }];
    const runner = bench.runner(hooks, { OPENAI_API_KEY: 'sk-1' });
    await runner.fire(toolAfter('edit_file', 'error', 'not found'), { signal: new AbortController().signal });
    expect(bench.json('in')).toEqual({
      schema_version: 1,
      event: 'post_tool_use',
      session_id: 'thread-1',
      cwd: bench.cwd,
      at: expect.any(Number),
      call_id: 'call-1',
      tool: 'edit_file',
      input: { path: 'a.ts' },
      status: 'error',
      output: 'not found',
    });
    const env = bench.read('env').split('\n');
    expect(env).toEqual(
      expect.arrayContaining([
        'HOOK_EVENT=post_tool_use',
        'LLMCODE_EVENT=post_tool_use',
        'HOOK_TOOL_NAME=edit_file',
        'HOOK_TOOL_INPUT={"path":"a.ts"}',
        'HOOK_TOOL_OUTPUT=not found',
        'HOOK_TOOL_IS_ERROR=true',
        'HOOK_SESSION_ID=thread-1',
        `CLAUDE_PROJECT_DIR=${bench.cwd}`,
        `LLMCODE_PROJECT_DIR=${bench.cwd}`,
      ]),
    );
    expect(env.join('\n')).not.toContain('sk-1');
  });

  it('may only look', async () => {
    expect(await bench.fire([{ event: '*', command: 'echo hello' }], edit)).toEqual(nothing);
  });

  it('refuses with exit code 2, standard output before standard error', async () => {
    const both = [{ event: 'tool_before', command: 'echo out; echo err >&2; exit 2' }];
    expect(await bench.fire(both, edit)).toEqual({ decision: 'deny', reason: 'out', notices: [] });
    const one = [{ event: 'tool_before', command: 'echo err >&2; exit 2' }];
    expect(await bench.fire(one, edit)).toEqual({ decision: 'deny', reason: 'err', notices: [] });
  });

  it('may answer in JSON, with its own names of the input', async () => {
    const answer = JSON.stringify({
      decision: 'ask',
      reason: 'sure?',
      input: { path: 'b.ts' },
      context: 'c',
    });
    expect(await bench.fire([{ event: 'tool_before', command: `echo '${answer}'` }], edit)).toEqual({
      decision: 'ask',
      reason: 'sure?',
      input: { path: 'b.ts' },
      context: 'c',
      notices: [],
    });
  });

  describe('that fails', () => {
    const ways: [string, object, string][] = [
      [
        'ends with another code',
        { command: 'echo broken >&2; exit 3' },
        'it failed with exit code 3: broken',
      ],
      ['hangs', { command: 'sleep 30', timeout: 0.2 }, 'it did not end within 0.2 s and was stopped'],
      ['is not there', { command: 'no-such-program-here' }, 'it failed with exit code 127'],
      ['is killed', { command: 'kill -9 $$' }, 'it was ended by SIGKILL'],
      ['answers nonsense', { command: 'echo "{nonsense"' }, 'its answer is not the JSON'],
      ['decides nonsense', { command: `echo '{"decision":"maybe"}'` }, 'its answer is not the JSON'],
    ];

    it.each(ways)('because it %s warns, keeps silent or refuses as it is set', async (_, hook, text) => {
      const set = (on_error: string) => bench.fire([{ event: 'tool_before', on_error, ...hook }], edit);
      const [warned, ignored, denied] = await Promise.all([set('warn'), set('ignore'), set('deny')]);
      expect(warned).toEqual({ decision: 'continue', notices: [expect.stringContaining(text)] });
      expect(ignored).toEqual(nothing);
      expect(denied).toMatchObject({ decision: 'deny', reason: expect.stringContaining(text) });
    });
  });
});

describe('several hooks', () => {
  const say = (decision: string, extra: object = {}) => ({
    event: 'tool_before',
    command: `echo '${JSON.stringify({ decision, reason: decision, ...extra })}'`,
  });

  it.each([
    [['allow', 'ask'], 'ask'],
    [['deny', 'allow', 'ask'], 'deny'],
    [['ask', 'halt', 'deny'], 'halt'],
    [['continue', 'allow'], 'allow'],
  ])('that say %s decide %s', async (said, decision) => {
    const outcome = await bench.fire(
      said.map((each) => say(each)),
      edit,
    );
    expect(outcome).toEqual({ decision, reason: decision, notices: [] });
  });

  it('are named with their file as far as the decision is theirs', async () => {
    const hooks = [say('allow'), say('deny'), say('deny', { reason: 'twice' }), say('continue')];
    const { signal } = new AbortController();
    const { deciders } = await bench.runner(hooks).fire(edit, { signal });
    expect(deciders).toEqual([
      { hook: `echo '{"decision":"deny","reason":"deny"}'`, file: 'config.json' },
      { hook: `echo '{"decision":"deny","reason":"twice"}'`, file: 'config.json' },
    ]);
  });

  it('run at the same time', async () => {
    const meet = (own: string, other: string) => ({
      event: 'tool_before',
      command: `touch ${own}; while [ ! -e ${other} ]; do sleep 0.02; done`,
      on_error: 'deny',
    });
    expect(await bench.fire([meet('a', 'b'), meet('b', 'a')], edit)).toEqual(nothing);
  });

  it('run a repeated command once', async () => {
    const hook = { event: 'tool_before', command: 'echo x >> ran' };
    await bench.fire([hook, { ...hook, tool_pattern: 'edit_file' }], edit);
    expect(bench.read('ran')).toBe('x\n');
  });

  it('cannot lend an allow to an input that another one made', async () => {
    const rewrite = say('continue', { input: { path: '/etc/passwd' } });
    expect(await bench.fire([say('allow'), rewrite], edit)).toEqual({
      decision: 'continue',
      input: { path: '/etc/passwd' },
      notices: [],
    });
  });

  it('that change the input differently say so; the last one counts', async () => {
    const change = (path: string) => say('continue', { input: { path } });
    const outcome = await bench.fire([change('b'), change('c')], edit);
    expect(outcome).toMatchObject({ input: { path: 'c' }, notices: [expect.stringContaining('Several')] });
  });
});

describe('an abort', () => {
  it('ends running hooks and decides nothing', async () => {
    const stop = new AbortController();
    const hooks = [{ event: 'tool_before', command: 'touch started; sleep 30', on_error: 'deny' }];
    const outcome = bench.fire(hooks, edit, stop.signal);
    while (!existsSync(bench.file('started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const startedAt = performance.now();
    stop.abort();
    expect(await outcome).toEqual(nothing);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('before the event starts nothing', async () => {
    await bench.fire([{ event: '*', command: 'touch ran' }], edit, AbortSignal.abort());
    expect(existsSync(bench.file('ran'))).toBe(false);
  });
});

describe('a session', () => {
  it('begins with one notice of the events that do not happen yet', async () => {
    const hooks = [
      { event: 'http.*', command: 'true' },
      { event: 'session_dream', command: 'true' },
      { event: 'session_start', command: 'echo remember this' },
    ];
    const outcome = await bench.fire(hooks, { event: 'session-start', source: 'startup' });
    expect(outcome).toEqual({
      decision: 'continue',
      context: 'remember this',
      notices: ['Of the hooks in the settings, these events do not happen yet: session_dream.'],
    });
  });

  it('cannot be refused: the person reads why a hook wanted to', async () => {
    const hooks = [{ event: 'session_start', command: 'echo no; exit 2' }];
    const outcome = await bench.fire(hooks, { event: 'session-start', source: 'startup' });
    expect(outcome).toEqual({ decision: 'continue', notices: ['A hook says: no'] });
  });
});

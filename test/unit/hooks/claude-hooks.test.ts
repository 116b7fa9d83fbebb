import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HookEvent } from '../../../src/protocol/hook.ts';
import { claude, hookBench, nothing, toolAfter, toolBefore } from './set-up.ts';

const bench = hookBench();
const edit = toolBefore('edit_file', { path: 'src/a.ts', old_string: 'a', new_string: 'b' });
const prompt: HookEvent = { event: 'prompt-submit', prompt: 'hello' };
const done: HookEvent = { event: 'turn-end', reason: 'done', lastText: 'finished' };
const answer = (json: unknown) => `cat > /dev/null; echo '${JSON.stringify(json)}'`;
const special = (fields: object) =>
  answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

describe("a hook of Claude's form", () => {
  it.each([
    ['', true],
    ['*', true],
    ['Edit', true],
    ['Bash|Edit', true],
    ['Write, Edit', true],
    ['edit_file', true],
    ['Ed.t', true],
    ['^E', true],
    ['dit$', true],
    ['Edi', false],
    ['Bash', false],
    ['^Bash', false],
  ])('with the matcher %j runs for an edit: %s', async (matcher, runs) => {
    await bench.fire(claude('PreToolUse', 'touch ran', matcher), edit);
    expect(existsSync(bench.file('ran'))).toBe(runs);
  });

  it("reads Claude's names on standard input", async () => {
    await bench.fire(claude('PreToolUse', 'cat > in'), edit);
    expect(bench.json('in')).toEqual({
      session_id: 'thread-1',
      cwd: bench.cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: bench.file('src/a.ts'), old_string: 'a', new_string: 'b' },
      tool_use_id: 'call-1',
    });
    await bench.fire(claude('PreToolUse', 'cat > in'), toolBefore('bash', { command: 'ls', timeout: 5 }));
    expect(bench.json('in')).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'ls', timeout: 5_000 },
    });
  });

  it.each([
    ['UserPromptSubmit', prompt, { prompt: 'hello' }],
    ['SessionStart', { event: 'session-start', source: 'resume' }, { source: 'resume' }],
    ['SessionEnd', { event: 'session-end', reason: 'exit' }, { reason: 'other' }],
    ['Stop', done, { stop_hook_active: false, last_assistant_message: 'finished' }],
    [
      'PostToolUse',
      toolAfter('edit_file', 'ok', 'fine'),
      { tool_response: { content: 'fine', success: true } },
    ],
    ['PostToolUseFailure', toolAfter('edit_file', 'error', 'bad'), { tool_name: 'Edit', error: 'bad' }],
    ['StopFailure', { event: 'turn-end', reason: 'error', lastText: '' }, { error: 'error' }],
  ] as [string, HookEvent, object][])('is told of %s', async (name, event, fields) => {
    await bench.fire(claude(name, 'cat > in'), event);
    expect(bench.json('in')).toMatchObject({ hook_event_name: name, ...fields });
  });

  it.each([
    ['PostToolUse', toolAfter('edit_file', 'error', 'bad')],
    ['PostToolUseFailure', toolAfter('edit_file', 'ok', 'fine')],
    ['Stop', { event: 'turn-end', reason: 'aborted', lastText: '' }],
    ['SessionStart', { event: 'session-end', reason: 'exit' }],
  ] as [string, HookEvent][])('for %s stays out of what is not about it', async (name, event) => {
    await bench.fire(claude(name, 'touch ran'), event);
    expect(existsSync(bench.file('ran'))).toBe(false);
  });

  it('is matched by the source of a session', async () => {
    const hooks = claude('SessionStart', 'echo x >> ran', 'resume');
    await bench.fire(hooks, { event: 'session-start', source: 'startup' });
    await bench.fire(hooks, { event: 'session-start', source: 'resume' });
    expect(bench.read('ran')).toBe('x\n');
  });

  it('with args is a program without a shell between', async () => {
    const program = bench.script('guard.sh', 'printf "%s\\n" "$@" > out');
    const args = ['$(touch PWNED)', '{path}', '${CLAUDE_PROJECT_DIR}/x'];
    await bench.fire(claude('PreToolUse', { command: program, args }), edit);
    expect(bench.read('out')).toBe(`$(touch PWNED)\n{path}\n${bench.cwd}/x\n`);
  });

  it.each([
    [
      'allow',
      { permissionDecision: 'allow', permissionDecisionReason: 'safe' },
      { decision: 'allow', reason: 'safe' },
    ],
    [
      'deny',
      { permissionDecision: 'deny', permissionDecisionReason: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    ['ask', { permissionDecision: 'ask', permissionDecisionReason: 'hm' }, { decision: 'ask', reason: 'hm' }],
    ['defer', { permissionDecision: 'defer' }, { decision: 'continue' }],
    ['context', { additionalContext: 'know this' }, { decision: 'continue', context: 'know this' }],
    [
      'another input',
      { permissionDecision: 'allow', updatedInput: { file_path: '/b.ts', old_string: 'x' } },
      { decision: 'allow', input: { path: '/b.ts', old_string: 'x' } },
    ],
  ])('answers %s', async (_, fields, outcome) => {
    expect(await bench.fire(claude('PreToolUse', special(fields)), edit)).toEqual({
      notices: [],
      ...outcome,
    });
  });

  it('gives seconds back where Claude counts milliseconds', async () => {
    const hooks = claude('PreToolUse', special({ updatedInput: { command: 'ls -l', timeout: 90_000 } }));
    const outcome = await bench.fire(hooks, toolBefore('bash', { command: 'ls' }));
    expect(outcome.input).toEqual({ command: 'ls -l', timeout: 90 });
  });

  it('halts, speaks to the person, approves and blocks in the older words', async () => {
    const halt = answer({ continue: false, stopReason: 'enough', systemMessage: 'see log' });
    expect(await bench.fire(claude('PreToolUse', halt), edit)).toEqual({
      decision: 'halt',
      reason: 'enough',
      notices: ['see log'],
    });
    const block = answer({ decision: 'block', reason: 'bad' });
    expect(await bench.fire(claude('PreToolUse', block), edit)).toMatchObject({
      decision: 'deny',
      reason: 'bad',
    });
    expect(await bench.fire(claude('UserPromptSubmit', block), prompt)).toMatchObject({ decision: 'deny' });
    const approve = answer({ decision: 'approve' });
    expect(await bench.fire(claude('PreToolUse', approve), edit)).toMatchObject({ decision: 'allow' });
  });

  it('blocks with exit code 2 and standard error', async () => {
    const command = `echo '{"decision":"approve"}'; echo "not here" >&2; exit 2`;
    const blocked = { decision: 'deny', reason: 'not here', notices: [] };
    expect(await bench.fire(claude('PreToolUse', command), edit)).toEqual(blocked);
    expect(await bench.fire(claude('PostToolUse', command), toolAfter('bash', 'ok', ''))).toEqual(blocked);
    expect(await bench.fire(claude('UserPromptSubmit', command), prompt)).toEqual(blocked);
    expect(await bench.fire(claude('Stop', command), done)).toEqual(blocked);
    expect(await bench.fire(claude('SessionEnd', command), { event: 'session-end', reason: 'exit' })).toEqual(
      {
        decision: 'continue',
        notices: ['A hook says: not here'],
      },
    );
  });

  it('adds what it prints to a prompt or a new session, and to nothing else', async () => {
    const context = { decision: 'continue', context: 'note', notices: [] };
    expect(await bench.fire(claude('UserPromptSubmit', 'echo note'), prompt)).toEqual(context);
    const start: HookEvent = { event: 'session-start', source: 'startup' };
    expect(await bench.fire(claude('SessionStart', 'echo note'), start)).toEqual(context);
    expect(await bench.fire(claude('PreToolUse', 'echo note'), edit)).toEqual(nothing);
    expect(await bench.fire(claude('Stop', 'echo note'), done)).toEqual(nothing);
  });

  it('with another exit code is only reported', async () => {
    const outcome = await bench.fire(claude('PreToolUse', 'echo oops >&2; exit 1'), edit);
    expect(outcome).toEqual({
      decision: 'continue',
      notices: [expect.stringContaining('it failed with exit code 1: oops')],
    });
  });

  it.each([
    ['cannot be started', { command: '/no/such/program', args: [] }],
    ['is not found by the shell', { command: '/no/such/program' }],
    ['hangs', { command: 'sleep 30', timeout: 0.2 }],
    ['answers nonsense', { command: `echo '{"hookSpecificOutput":{"permissionDecision":"yes"}}'` }],
  ])('that %s before a tool leaves it to the person; elsewhere it is reported', async (_, hook) => {
    const before = await bench.fire(claude('PreToolUse', hook), edit);
    expect(before).toEqual({ decision: 'ask', reason: expect.any(String), notices: [before.reason] });
    const later = await bench.fire(claude('PostToolUse', hook), toolAfter('edit_file', 'ok', ''));
    expect(later).toEqual({ decision: 'continue', notices: [expect.stringContaining('gave no verdict')] });
  });

  it('learns that a turn goes on because of a hook', async () => {
    const command = 'cat > in; exec >&2; echo more; grep -q \'"stop_hook_active":true\' in || exit 2';
    const runner = bench.runner(claude('Stop', command));
    const signal = new AbortController().signal;
    expect((await runner.fire(done, { signal })).decision).toBe('deny');
    expect((await runner.fire(done, { signal })).decision).toBe('continue');
    expect((await runner.fire(done, { signal })).decision).toBe('deny');
  });

  it('may write without end: what is kept of it is bounded', async () => {
    const outcome = await bench.fire(claude('UserPromptSubmit', 'yes | head -c 5000000'), prompt);
    expect(outcome.context?.length).toBeLessThan(11_000);
    expect(outcome.context).toContain('more characters of the hook were left out');
  });

  it('that has no effect yet is named when the session starts', async () => {
    const hooks = {
      ...(claude('TaskCreated', 'true') as object),
      ...(claude('PreToolUse', { command: 'true', asyncRewake: true, shell: 'bash' }) as object),
    };
    const outcome = await bench.fire(hooks, { event: 'session-start', source: 'startup' });
    expect(outcome.notices).toEqual([
      'Of the hooks in the settings, these events do not happen yet: TaskCreated; these keys of hooks are not heeded: asyncRewake.',
    ]);
  });

  it('can replace the result of a tool, and nothing else', async () => {
    const replaced = answer({ hookSpecificOutput: { updatedToolOutput: { text: 'clean' } } });
    const after = claude('PostToolUse', replaced);
    expect(await bench.fire(after, toolAfter('edit_file', 'ok', 'secret'))).toEqual({
      ...nothing,
      output: '{"text":"clean"}',
    });
    expect(await bench.fire(claude('PreToolUse', replaced), edit)).toEqual(nothing);
  });

  it('for PermissionRequest answers with its own form of decision', async () => {
    const request: HookEvent = {
      event: 'permission-request',
      callId: 'call-1',
      tool: 'edit_file',
      input: { path: 'a.ts' },
      reasons: [],
    };
    const decide = (decision: object) =>
      bench.fire(claude('PermissionRequest', answer({ hookSpecificOutput: { decision } })), request);
    expect(await decide({ behavior: 'allow', updatedInput: { file_path: 'b.ts' } })).toEqual({
      decision: 'allow',
      input: { path: 'b.ts' },
      notices: [],
    });
    expect(await decide({ behavior: 'deny', message: 'no' })).toEqual({
      decision: 'deny',
      reason: 'no',
      notices: [],
    });
    expect(await decide({ behavior: 'deny', interrupt: true })).toMatchObject({ decision: 'halt' });
  });
});

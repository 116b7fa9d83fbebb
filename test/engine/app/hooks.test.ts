import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { InteractiveSession } from '#app/session/interactive-session.ts';
import { createSessionPort } from '#app/session/session-port.ts';
import { claudeHookSources } from '#app/settings/claude-hooks.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { fakeHost, runLlmcode } from '../../support/app/run-llmcode.ts';
import { ThreadView } from '../../support/app/thread-view.ts';

const started = headlessTests();
const sessions: InteractiveSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

type Place = { home: string; cwd: string };

function projectHooks(cwd: string, hooks: object, more: object = {}): void {
  mkdirSync(path.join(cwd, '.claude', 'hooks'), { recursive: true });
  writeFileSync(path.join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks, ...more }));
}

function script(cwd: string, text: string): void {
  const file = path.join(cwd, '.claude', 'hooks', 'after.sh');
  writeFileSync(file, `#!/bin/sh\ncat > /dev/null\n${text}\n`);
  chmodSync(file, 0o755);
}

const afterWrite = (command: string) => ({
  PostToolUse: [{ matcher: 'Write|Edit', hooks: [{ type: 'command', command }] }],
});
const context = (text: string) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text } })}'`;
const write = (name: string) => ({
  parts: [{ call: 'write_file', input: { path: name, content: 'x' } }],
});
const run = (place: Place) => runLlmcode(['-p', 'write it', '--permission-mode', 'workspace_write'], place);
const asked = (server: { requests: { body: unknown }[] }) => JSON.stringify(server.requests.at(-1)?.body);

describe('hooks of a project', () => {
  it('run once it is trusted, tell the model what they found, and lose trust with their script', async () => {
    const step = { parts: [{ text: 'Done.' }] };
    const place = await started([write('1.txt'), step, write('2.txt'), step, write('3.txt'), step]);
    projectHooks(place.cwd, afterWrite('"$CLAUDE_PROJECT_DIR"/.claude/hooks/after.sh'));
    script(place.cwd, `touch ran; ${context('new.txt:1 has no newline')}`);
    const ran = path.join(place.cwd, 'ran');

    const before = await run(place);
    expect(before.stderr).toContain('.claude/settings.json is not trusted, so its hooks do not run');
    expect(existsSync(ran)).toBe(false);

    const trusted = await runLlmcode(['config', 'trust'], place);
    expect(trusted.stdout).toContain('.claude/hooks/after.sh');
    expect((await run(place)).stderr).toBe('');
    expect(existsSync(ran)).toBe(true);
    expect(asked(place.server)).toContain('new.txt:1 has no newline');

    script(place.cwd, 'touch swapped');
    expect((await run(place)).stderr).toContain('is not trusted');
    expect(existsSync(path.join(place.cwd, 'swapped'))).toBe(false);
  });

  it('cannot turn off those of the person', async () => {
    const { cwd } = await started([]);
    const userHome = path.join(cwd, 'me');
    projectHooks(userHome, afterWrite('true'));
    projectHooks(cwd, afterWrite('false'), { disableAllHooks: true });
    const read = () => claudeHookSources({ userHome, project: cwd, isTrusted: true });
    const user = path.join(userHome, '.claude', 'settings.json');
    expect((await read()).sources.map(({ file }) => file)).toEqual([user]);
    projectHooks(cwd, { ...afterWrite('false'), Nope: [] });
    const both = await read();
    expect(both.sources).toHaveLength(2);
    expect(both.notices).toEqual([
      expect.stringContaining('hooks.Nope: there is no such event; it is left out'),
    ]);
    projectHooks(userHome, afterWrite('true'), { disableAllHooks: true });
    expect((await read()).sources).toEqual([]);
  });
});

describe('llmcode hooks', () => {
  const hooks =
    (command: string, more: object = {}) =>
    () => ({
      hooks: [{ event: 'pre_tool_use', tool_pattern: 'bash|edit_file', command, ...more }],
    });

  it('tests an event on a sample and says what each hook answers', async () => {
    const place = await started([], hooks('echo no {path}; exit 2'));
    const { code, stdout } = await runLlmcode(['hooks', 'test', 'PreToolUse'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/pre_tool_use, exit 2, \d+ ms, deny: no src\/a\.ts/);
    expect(stdout).toContain('Together: deny: no src/a.ts');
    const json = await runLlmcode(
      ['hooks', 'test', 'tool.before', '--json', '--tool', 'Bash', '--input', '{"command":"ls"}'],
      place,
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema_version: 1,
      event: { event: 'tool-before', tool: 'bash', input: { command: 'ls' } },
      outcome: { decision: 'deny' },
      runs: [{ event: 'pre_tool_use', exitCode: 2, file: path.join(place.home, 'config.json') }],
    });
    const other = await runLlmcode(['hooks', 'test', 'session_start'], place);
    expect(other.stdout).toContain('No hook of the settings waits for this session_start.');
    const wrong = await runLlmcode(['hooks', 'test', 'PreToolUze'], place);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("did you mean 'pre_tool_use'?");
  });

  it('ends with 1 when a hook breaks, and lists them all', async () => {
    const place = await started([], hooks('no-such-program'));
    const { code, stdout } = await runLlmcode(['hooks', 'test', 'pre_tool_use'], place);
    expect(code).toBe(1);
    expect(stdout).toContain('failed: it failed with exit code 127');
    const list = await runLlmcode(['hooks', 'list'], place);
    expect(list.stdout).toBe(
      `pre_tool_use (bash|edit_file)  no-such-program  ${path.join(place.home, 'config.json')}\n`,
    );
  });

  it('heeds conditions by the rules of permissions', async () => {
    const place = await started([], () => ({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2', if: 'Bash(git push *)' }] },
        ],
      },
    }));
    const decide = async (command: string) => {
      const input = JSON.stringify({ command });
      const argv = ['hooks', 'test', 'PreToolUse', '--tool', 'bash', '--input', input, '--json'];
      return (JSON.parse((await runLlmcode(argv, place)).stdout) as { outcome: { decision: string } }).outcome
        .decision;
    };
    expect(await decide('ls && git push origin')).toBe('deny');
    expect(await decide('git status')).toBe('continue');
  });

  it('of type prompt ask the model of the settings', async () => {
    const place = await started(
      [{ parts: [{ text: '{"ok": false, "reason": "too late in the day"}' }] }],
      () => ({
        model_routing: { sub_agent: 'local/test-model' },
        hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is all done? $ARGUMENTS' }] }] },
      }),
    );
    const { stdout } = await runLlmcode(['hooks', 'test', 'Stop'], place);
    expect(stdout).toContain('Together: deny: too late in the day');
    expect(asked(place.server)).toContain('The test passes now.');
  });

  it('run for a tool that is run by hand', async () => {
    const place = await started([], hooks('echo by hand; exit 2', { tool_pattern: '*' }));
    const argv = ['tool', 'run', 'read_file', '--input', '{"path":"package.json"}'];
    const { code, stdout } = await runLlmcode(argv, place);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'denied',
      forModel: [{ text: 'A hook refused this call: by hand' }],
    });
  });
});

describe('in a session', () => {
  it('/hooks lists hooks with their runs, and a hook can refuse a command and changed settings', async () => {
    const place = await started([], () => ({
      hooks: [
        { event: 'pre_command', command: `case {name} in mode) echo not now; exit 2;; esac` },
        { event: 'config_change', command: 'echo frozen; exit 2' },
      ],
    }));
    const { host } = fakeHost(['x'], place);
    const session = new InteractiveSession({ host, flags: {}, cwd: place.cwd, mode: 'prompt' });
    sessions.push(session);
    const port = createSessionPort(session, { theme: 'auto', mode: 'prompt' });
    const view = new ThreadView(port.handle);
    session.begin();
    expect(await port.runCommand('/mode plan')).toMatchObject({ text: 'A hook refused `/mode`: not now' });
    port.handle.submit({ kind: 'shell', command: 'touch shell-ran' });
    await view.until(() => existsSync(path.join(place.cwd, 'shell-ran')));
    await expect(port.runCommand('/config set max_steps 7')).rejects.toThrow(
      'A hook refused the changed settings (max_steps); the old ones stay: frozen',
    );
    expect(readFileSync(path.join(place.home, 'config.json'), 'utf8')).toContain('max_steps');
    expect((await session.composition()).settings.values.max_steps).not.toBe(7);
    const said = await port.runCommand('/hooks');
    expect(said).toMatchObject({ kind: 'notice', level: 'info' });
    expect(JSON.stringify(said)).toMatch(
      /`config_change`: `echo frozen; exit 2`\\n {2}- \d\d:\d\d:\d\d config_change, exit 2, \d+ ms, deny: frozen/,
    );
    expect(JSON.stringify(said)).toContain(path.join(place.home, 'config.json'));
  });

  it('/clear is told as the end of one thread and the start of another', async () => {
    const place = await started([], () => ({
      hooks: [
        { event: 'session_start', command: 'echo start {source} >> told' },
        { event: 'session_end', command: 'echo end {reason} >> told' },
      ],
    }));
    const { host } = fakeHost(['x'], place);
    const session = new InteractiveSession({ host, flags: {}, cwd: place.cwd, mode: 'prompt' });
    const port = createSessionPort(session, { theme: 'auto', mode: 'prompt' });
    session.begin();
    await session.state();
    const told = path.join(place.cwd, 'told');
    await expect.poll(() => existsSync(told)).toBe(true);
    await port.runCommand('/clear');
    await expect
      .poll(() => readFileSync(told, 'utf8').split('\n').sort())
      .toEqual(['', 'end clear', 'start clear', 'start startup']);
    await session.close();
    expect(readFileSync(told, 'utf8').trimEnd().split('\n').at(-1)).toBe('end exit');
  });
});

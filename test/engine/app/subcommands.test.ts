import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { threadLogs } from '../../support/e2e/home.ts';
import { brokenTotal } from '../../support/e2e/sample-repo.ts';

const started = headlessTests();

it('a subcommand that needs another one names those there are', async () => {
  const { home, cwd } = await started([]);
  const { code, stderr } = await runLlmcode(['threads'], { home, cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'llmcode: llmcode threads needs one of: list, show, context, export, search, reindex, import, rename, archive, delete (llmcode threads --help lists what there is)\n',
  });
});

it('an error in the words of a subcommand points to the help of that subcommand', async () => {
  const { home, cwd } = await started([]);
  const { code, stderr } = await runLlmcode(['permissions', 'check', 'rm'], { home, cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('(llmcode permissions check --help lists what there is)');
});

describe('llmcode permissions check', () => {
  const calls = [
    { id: 'a', tool: 'bash', input: { command: 'git status' } },
    { id: 'b', tool: 'Bash', input: { command: 'rm -rf src' } },
    { id: 'c', tool: 'edit_file', input: { file_path: 'src/total.mjs', old_string: 'a', new_string: 'b' } },
    { id: 'd', tool: 'bash', input: {} },
    { id: 5, tool: 'mcp__db__query', input: { sql: 'drop' } },
  ];
  const input = calls.map((call) => JSON.stringify(call)).join('\n');
  const decisions = (stdout: string) => jsonLines(stdout).map(({ id, decision }) => [id, decision]);

  it('decides each line in order, with reasons', async () => {
    const { home, cwd } = await started([]);
    const { code, stdout } = await runLlmcode(['permissions', 'check'], { home, cwd, stdin: input });
    expect(code).toBe(0);
    expect(decisions(stdout)).toEqual([
      ['a', 'allow'],
      ['b', 'ask'],
      ['c', 'ask'],
      ['d', 'deny'],
      [5, 'ask'],
    ]);
    for (const line of jsonLines(stdout)) {
      expect(Object.keys(line)).toEqual(['id', 'decision', 'reasons']);
      expect(line['reasons']).not.toEqual([]);
    }
  });

  it('goes by the mode that is asked for and by the rules of the settings', async () => {
    const { home, cwd } = await started([], () => ({ permissions: { deny: ['Bash(git status)'] } }));
    const plan = await runLlmcode(['permissions', 'check', '--mode', 'plan'], { home, cwd, stdin: input });
    expect(decisions(plan.stdout)).toEqual([
      ['a', 'deny'],
      ['b', 'deny'],
      ['c', 'deny'],
      ['d', 'deny'],
      [5, 'deny'],
    ]);
    const auto = await runLlmcode(['permissions', 'check', '--mode', 'auto', '--json'], {
      home,
      cwd,
      stdin: input,
    });
    expect(jsonLines(auto.stdout)[2]).toMatchObject({ schema_version: 1, id: 'c', decision: 'allow' });
  });

  it('refuses a line that is no call, and a mode that there is not', async () => {
    const { home, cwd } = await started([]);
    const bad = await runLlmcode(['permissions', 'check'], { home, cwd, stdin: '{"id": 1}\n' });
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('line 1') });
    const mode = await runLlmcode(['permissions', 'check', '--mode', 'plna'], { home, cwd });
    expect(mode).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean 'plan'?") });
  });
});

describe('llmcode tool run', () => {
  const edit = JSON.stringify({
    path: 'src/total.mjs',
    old_string: 'sum + coupon',
    new_string: 'sum - coupon',
  });

  it('prints the result of the tool and exits by its status', async () => {
    const { home, cwd } = await started([]);
    const read = await runLlmcode(['tool', 'run', 'read_file', '--input', '{"path": "src/total.mjs"}'], {
      home,
      cwd,
    });
    expect(read.code).toBe(0);
    expect(jsonLines(read.stdout)).toMatchObject([{ status: 'ok', durationMs: expect.any(Number) }]);
    const missing = await runLlmcode(['tool', 'run', 'Read', '--input', '-'], {
      home,
      cwd,
      stdin: '{"file_path": "none"}',
    });
    expect(missing.code).toBe(1);
    expect(jsonLines(missing.stdout)).toMatchObject([{ status: 'error' }]);
  });

  it('denies what would be asked, unless --yes', async () => {
    const { home, cwd, repo } = await started([]);
    const denied = await runLlmcode(['tool', 'run', 'edit_file', '--input', edit, '--assume-read'], {
      home,
      cwd,
    });
    expect(denied.code).toBe(1);
    expect(jsonLines(denied.stdout)).toMatchObject([{ status: 'denied' }]);
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(brokenTotal);
    const unread = await runLlmcode(['tool', 'run', 'edit_file', '--input', edit, '--yes'], { home, cwd });
    expect(jsonLines(unread.stdout)).toMatchObject([{ status: 'error' }]);
    const done = await runLlmcode(['tool', 'run', 'edit_file', '--input', edit, '--yes', '--assume-read'], {
      home,
      cwd,
    });
    expect(done.code).toBe(0);
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toContain('sum - coupon');
  });

  it('keeps a denial a denial also with --yes', async () => {
    const { home, cwd } = await started([], () => ({ permissions: { deny: ['Bash(echo *)'] } }));
    const { code, stdout } = await runLlmcode(
      ['tool', 'run', 'bash', '--yes', '--input', '{"command": "echo hi"}'],
      { home, cwd },
    );
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([{ status: 'denied' }]);
  });

  it('runs hooks', async () => {
    const { home, cwd } = await started([], () => ({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo not today >&2; exit 2' }] },
        ],
      },
    }));
    const { stdout } = await runLlmcode(
      ['tool', 'run', 'bash', '--yes', '--input', '{"command": "echo hi"}'],
      { home, cwd },
    );
    expect(jsonLines(stdout)).toMatchObject([{ status: 'denied' }]);
    expect(stdout).toContain('not today');
  });

  it('names the nearest tool', async () => {
    const { home, cwd } = await started([]);
    const { code, stdout } = await runLlmcode(['tool', 'run', 'reed_file', '--input', '{}'], { home, cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('Did you mean read_file?');
  });
});

describe('llmcode config', () => {
  it('explains, gets and sets, and says what wins', async () => {
    const { home, cwd } = await started([]);
    const set = await runLlmcode(['config', 'set', 'permissions.mode', 'plan'], { home, cwd });
    expect(set).toMatchObject({
      code: 0,
      stdout: `permissions.mode = "plan" in ${path.join(home, 'config.json')}\n`,
    });
    const get = await runLlmcode(['config', 'get', 'permissions.mode'], { home, cwd });
    expect(get).toMatchObject({ code: 0, stdout: 'plan\n' });
    const explain = await runLlmcode(['config', 'explain', 'permissions', '--json'], { home, cwd });
    expect(jsonLines(explain.stdout)).toContainEqual({
      schema_version: 1,
      key: 'permissions.mode',
      value: 'plan',
      origin: path.join(home, 'config.json'),
    });
    const env = { LLMCODE_PERMISSION_MODE: 'auto' };
    const shadowed = await runLlmcode(['config', 'set', 'permissions.mode', 'prompt'], { home, cwd, env });
    expect(shadowed.stdout).toContain('LLMCODE_PERMISSION_MODE sets it too and wins');
  });

  it('writes no secret in plain text', async () => {
    const { home, cwd } = await started([]);
    const { code, stderr } = await runLlmcode(['config', 'set', 'providers.local.api_key', 'sk-123'], {
      home,
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('{env:NAME}');
  });

  it('refuses an unknown key with the nearest one, and a value that is not valid', async () => {
    const { home, cwd } = await started([]);
    const before = readFileSync(path.join(home, 'config.json'), 'utf8');
    const unknown = await runLlmcode(['config', 'set', 'permissions.mod', 'plan'], { home, cwd });
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean 'permissions.mode'?"),
    });
    const invalid = await runLlmcode(['config', 'set', 'max_steps', 'many'], { home, cwd });
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining("'max_steps'") });
    expect(readFileSync(path.join(home, 'config.json'), 'utf8')).toBe(before);
  });

  it('writes into the project, where it counts once the project is trusted', async () => {
    const { home, cwd } = await started([]);
    const set = await runLlmcode(['config', 'set', 'max_steps', '5', '--project'], { home, cwd });
    expect(set.stdout).toContain('llmcode config trust');
    const get = (): Promise<{ stdout: string }> => runLlmcode(['config', 'get', 'max_steps'], { home, cwd });
    expect((await get()).stdout).toBe('200\n');
    await runLlmcode(['config', 'trust'], { home, cwd });
    expect((await get()).stdout).toBe('5\n');
  });
});

describe('llmcode threads', () => {
  it('lists, shows, exports and deletes', async () => {
    const { home, cwd } = await started([{ parts: [{ text: 'It is **fine**.' }] }]);
    await runLlmcode(['-p', 'how is it?'], { home, cwd });
    const list = await runLlmcode(['threads', 'list', '--json'], { home, cwd });
    const [thread] = jsonLines(list.stdout);
    expect(thread).toMatchObject({ schema_version: 1, title: 'how is it?', model: 'local/test-model', cwd });
    const id = String(thread?.['id']);
    const show = await runLlmcode(['threads', 'show', id], { home, cwd });
    expect(show.stdout).toContain('how is it?');
    expect(show.stdout).toContain('It is **fine**.');
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'llmcode-export-')), 'thread.json');
    const context = await runLlmcode(['threads', 'context', id], { home, cwd });
    expect(context.stdout).toMatch(
      /^The next request takes about [\d,]+ of [\d,]+ tokens of \S+ \((<1|\d+) %\)\.\n/,
    );
    expect(context.stdout).toMatch(/▓░+ +conversation +\d+/);
    const parts = JSON.parse((await runLlmcode(['threads', 'context', id, '--json'], { home, cwd })).stdout);
    expect(parts).toMatchObject({ schema_version: 1, id, usable: expect.any(Number) });
    await runLlmcode(['threads', 'export', id, '--format', 'json', '-o', file], { home, cwd });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      schema_version: 1,
      state: { threadId: id },
    });
    const unconfirmed = await runLlmcode(['threads', 'delete', id], { home, cwd });
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const removed = await runLlmcode(['threads', 'delete', id, '--yes', '--json'], { home, cwd });
    expect(jsonLines(removed.stdout)).toEqual([{ schema_version: 1, id, deleted: true }]);
    expect(threadLogs(home)).toEqual([]);
  });

  it('say when there is no such thread', async () => {
    const { home, cwd } = await started([]);
    const { code, stderr } = await runLlmcode(['threads', 'show', 'nope'], { home, cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('nope');
  });
});

describe('llmcode models, doctor and completion', () => {
  it('list models with the origin of each value', async () => {
    const { home, cwd } = await started([]);
    const { stdout } = await runLlmcode(['models', '--json'], { home, cwd });
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({
        schema_version: 1,
        ref: 'local/test-model',
        source: 'config',
        context_window: { value: 200_000, origin: 'config' },
      }),
    );
    const table = await runLlmcode(['models', 'test-model'], { home, cwd });
    expect(table.stdout).toContain('200,000 (config)');
  });

  it('examine the machine without showing any key', async () => {
    const { home, cwd } = await started([]);
    const { code, stdout } = await runLlmcode(['doctor', '--json'], {
      home,
      cwd,
      env: { OPENAI_API_KEY: 'sk-very-secret', LLMCODE_TYPO: '1' },
    });
    expect(code).toBe(0);
    const findings = jsonLines(stdout);
    expect(findings.find((each) => each['check'] === 'keys')).toMatchObject({ text: 'set: OPENAI_API_KEY' });
    expect(findings.find((each) => each['check'] === 'environment')).toMatchObject({
      text: 'no settings: LLMCODE_TYPO',
    });
    expect(findings.find((each) => each['check'] === 'model')).toMatchObject({ text: 'local/test-model' });
    expect(stdout).not.toContain('very-secret');
  });

  it('name a configured provider that offers no model', async () => {
    const { home, cwd } = await started([], () => ({
      providers: { mine: { base_url: 'http://127.0.0.1:1/v1' } },
    }));
    const { stdout } = await runLlmcode(['doctor', '--json'], { home, cwd });
    expect(jsonLines(stdout)).toContainEqual(
      expect.objectContaining({
        check: 'provider',
        level: 'warning',
        text: 'mine: no model found at http://127.0.0.1:1/v1; is the server running and the address right?',
      }),
    );
  });

  it('report a broken config as an error', async () => {
    const { home, cwd } = await started([]);
    writeFileSync(path.join(home, 'config.json'), '{"modle": 1}');
    const { code, stdout } = await runLlmcode(['doctor'], { home, cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("did you mean 'model'?");
  });

  it('print a completion script that bash reads', async () => {
    const { home, cwd } = await started([]);
    const { stdout } = await runLlmcode(['completion', 'bash'], { home, cwd });
    const complete = (...words: string[]) =>
      execFileSync('bash', ['--norc'], {
        input: `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _llmcode; echo "\${COMPREPLY[@]}"\n`,
        encoding: 'utf8',
      }).trim();
    expect(complete('llmcode', 'thr')).toBe('threads');
    expect(complete('llmcode', 'threads', 'sh')).toBe('show');
    expect(complete('llmcode', '--output-format', 'str')).toBe('stream-json');
    expect(complete('llmcode', '--perm')).toBe('--permission-mode');
    for (const shell of ['zsh', 'fish']) {
      const { code, stdout: script } = await runLlmcode(['completion', shell], { home, cwd });
      expect(code).toBe(0);
      expect(script).toContain('threads');
    }
  });

  it('have help of their own', async () => {
    const { home, cwd } = await started([]);
    const { code, stdout } = await runLlmcode(['threads', '--help'], { home, cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('export');
    const unknown = await runLlmcode(['threads', 'lsit'], { home, cwd });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('list') });
  });
});

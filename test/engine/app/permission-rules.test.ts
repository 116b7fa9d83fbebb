import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';

const started = headlessTests();

const config = `{
  // mine
  "permissions": {
    "allow": [
      { "rule": "Bash(echo:*)", "match": ["echo a"], "not_match": ["echoes"] }, // kept
      "Bash(git push:*)"
    ],
    "deny": ["Bash(git:*)"]
  }
}
`;

async function withRules() {
  const place = await started([]);
  const file = path.join(place.home, 'config.json');
  writeFileSync(file, config);
  const permissions = (...args: string[]) => runLlmcode(['permissions', ...args], place);
  return { ...place, file, permissions };
}

describe('llmcode permissions', () => {
  it('lists rules with file and line, and says which can never decide anything', async () => {
    const { file, permissions } = await withRules();
    const { code, stdout } = await permissions('list', '--json');
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([
      { schema_version: 1, action: 'deny', rule: 'Bash(git:*)', file, line: 8, problem: null },
      { action: 'allow', rule: 'Bash(echo:*)', line: 5, problem: null },
      { action: 'allow', rule: 'Bash(git push:*)', line: 6, problem: { kind: 'shadowed' } },
    ]);
  });

  it('adds and removes rules, and the rest of the file stays as it was', async () => {
    const { file, permissions } = await withRules();
    await permissions('add', 'allow', 'Bash(make lint:*)', '--scope', 'user');
    await permissions('remove', 'Bash(git push:*)');
    expect(readFileSync(file, 'utf8')).toBe(config.replace('"Bash(git push:*)"', '"Bash(make lint:*)"'));
    expect(await permissions('remove', 'Bash(git push:*)')).toMatchObject({ code: 2 });
    expect(await permissions('add', 'allow', 'Bash(ls', '--scope', 'user')).toMatchObject({ code: 2 });
    expect(await permissions('add', 'allow', 'Bash(ls)', '--scope', 'shared')).toMatchObject({ code: 2 });
  });

  it('runs the examples beside rules and fails with the one that is wrong', async () => {
    const { file, permissions } = await withRules();
    expect(await permissions('test')).toMatchObject({ code: 0, stdout: '2 passed, 0 failed\n' });
    writeFileSync(file, config.replace('"echoes"', '"echo b"'));
    const wrong = await permissions('test');
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('echo b: it matches') });
  });

  it('explains what was decided and replays it against other rules', async () => {
    const { file, permissions, home, cwd } = await withRules();
    const call = (command: string) =>
      runLlmcode(['tool', 'run', 'bash', '--input', JSON.stringify({ command })], { home, cwd });
    await call('git push');
    await call('npm publish');
    const explained = await permissions('explain', '--json');
    expect(jsonLines(explained.stdout)).toMatchObject([
      {
        what: 'git push',
        decision: 'deny',
        outcome: 'refused',
        by: 'rules',
        reasons: [{ check: 'rule-deny', rule: 'Bash(git:*)', source: file, line: 8 }],
      },
      { what: 'npm publish', decision: 'ask', outcome: 'refused', by: 'nobody' },
    ]);
    const replayed = await permissions('replay', '--without', 'Bash(git:*)', '--json');
    expect(jsonLines(replayed.stdout)).toMatchObject([{ what: 'git push', before: 'deny', after: 'allow' }]);
  });
});

import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { threadLogs } from '../../support/e2e/home.ts';

const started = headlessTests();

describe('a session made from the settings', () => {
  it('tells a hook of its start which thread it is', async () => {
    const { home, cwd } = await started([{ parts: [{ text: 'ok' }] }], () => ({
      hooks: [{ event: 'session_start', command: 'cat > started.json' }],
    }));
    await runLlmcode(['-p', 'go'], { home, cwd });
    const payload = JSON.parse(readFileSync(path.join(cwd, 'started.json'), 'utf8')) as {
      session_id: string;
    };
    const [[header] = []] = threadLogs(home);
    expect(header?.['threadId']).toMatch(/^[0-9A-Z]{26}$/);
    expect(payload.session_id).toBe(header?.['threadId']);
  });

  it('works in the configured folders as in its own, and says which rules do not count', async () => {
    const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-more-')));
    try {
      writeFileSync(path.join(outside, 'there.txt'), 'found there\n');
      const read = { call: 'read_file', input: { path: path.join(outside, 'there.txt') } };
      const { home, cwd, server } = await started([{ parts: [read] }, { parts: [{ text: 'ok' }] }], () => ({
        permissions: { additional_directories: [outside, '/nowhere/at/all'], allow: ['Bash('] },
      }));
      const { code, stderr } = await runLlmcode(['-p', 'go'], { home, cwd });
      expect(code).toBe(0);
      expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('found there');
      expect(stderr).toContain('the rule Bash( does not count');
      expect(stderr).toContain('permissions.additional_directories: the folder /nowhere/at/all');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('that is kept nowhere still reads the whole of its own outputs without asking', async () => {
    const asked = ({ body }: { body: unknown }) =>
      /\/[^\s"\\]*\/llmcode-[^\s"\\]*\.txt/.exec(JSON.stringify(body))?.[0] ?? 'no file was named';
    const { home, cwd, server } = await started((request, index) => {
      if (index === 0)
        return { parts: [{ call: 'bash', input: { command: 'seq 1 30000', description: 'count' } }] };
      if (index > 1) return { parts: [{ text: 'ok' }] };
      return { parts: [{ call: 'read_file', input: { path: asked(request), offset: 15_000, limit: 1 } }] };
    });
    const argv = ['-p', 'go', '--no-session', '--allowed-tools', 'Bash(seq:*)', '--output-format', 'json'];
    const { stdout } = await runLlmcode(argv, { home, cwd });
    expect(jsonLines(stdout)[0]).toMatchObject({ permission_denials: [], num_turns: 3 });
    expect(JSON.stringify(server.requests[2]?.body.messages)).toContain('15000\\t15000');
  });
});

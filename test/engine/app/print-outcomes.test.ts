import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultLineSchema } from '#app/print/schemas.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { llmcodeHome, threadLogs } from '../../support/e2e/home.ts';
import { sampleRepo } from '../../support/e2e/sample-repo.ts';

const started = headlessTests();

describe('a headless run that cannot succeed', () => {
  it('exits with 3 when the key is refused', async () => {
    const { home, cwd } = await started([{ status: 401, message: 'bad key' }]);
    const { code, stderr } = await runLlmcode(['-p', 'go'], { home, cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('llmcode: ');
  });

  it('prints the part that came before the model was lost, marked as a part', async () => {
    const step = { parts: [{ text: 'The first half' }, { cut: true }] } as const;
    const { home, cwd } = await started([step, step], () => ({ max_retries: 1 }));
    const { code, stdout } = await runLlmcode(['-p', 'go'], { home, cwd });
    expect(code).toBe(1);
    expect(stdout).toBe('The first half\n\n[The answer broke off here; it is not whole.]\n');
  });

  it('exits with 1 and names the address when the server is not there', async () => {
    const { home, cwd, server } = await started([], () => ({ max_retries: 0 }));
    const { url } = server;
    await server.close();
    const { code, stderr } = await runLlmcode(['-p', 'go'], { home, cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(new URL(url).host);
  });

  it('exits with 2 for a model that is not known, and names the nearest', async () => {
    const { home, cwd } = await started([]);
    const { code, stderr } = await runLlmcode(['-p', 'go', '-m', 'lokal/test-model'], { home, cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('local/test-model');
  });

  it('exits with 2 for a config that is not valid, with a result line for readers of json', async () => {
    const { home, cwd } = await started([]);
    writeFileSync(path.join(home, 'config.json'), '{\n  // mine\n  "max_stps": 3\n}\n');
    const { code, stdout, stderr } = await runLlmcode(['-p', 'go', '--output-format', 'json'], { home, cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`config.json:3 unknown key 'max_stps'; did you mean 'max_steps'?`);
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({
      is_error: true,
      terminal_reason: 'not-started',
      session_id: '',
      exit_code: 2,
    });
  });

  it('exits with 2 when the folder is not there', async () => {
    const { home, cwd } = await started([]);
    const { code, stderr } = await runLlmcode(['-p', 'go', '--cwd', 'nowhere'], { home, cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`${path.join(cwd, 'nowhere')} does not exist`);
  });

  it('exits with 2 when no model can be found', async () => {
    const repo = sampleRepo();
    const { code, stderr } = await runLlmcode(['-p', 'go'], { home: llmcodeHome([]), cwd: repo.folder });
    expect(code).toBe(2);
    expect(stderr).toContain('no model is configured and none was found');
  });
});

describe('threads of headless runs', () => {
  it('go on with --continue, with what was said before', async () => {
    const { home, cwd, server } = await started([{ parts: [{ text: 'one' }] }, { parts: [{ text: 'two' }] }]);
    await runLlmcode(['-p', 'first'], { home, cwd });
    const { stdout } = await runLlmcode(['-p', 'second', '-c'], { home, cwd });
    expect(stdout).toBe('two\n');
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('first');
    expect(threadLogs(home)).toHaveLength(1);
  });

  it('go on in a copy with --fork', async () => {
    const { home, cwd } = await started([{ parts: [{ text: 'one' }] }, { parts: [{ text: 'two' }] }]);
    await runLlmcode(['-p', 'first'], { home, cwd });
    await runLlmcode(['-p', 'second', '-c', '--fork'], { home, cwd });
    expect(threadLogs(home)).toHaveLength(2);
  });

  it('are not kept with --no-session', async () => {
    const { home, cwd } = await started([{ parts: [{ text: 'one' }] }]);
    await runLlmcode(['-p', 'first', '--no-session'], { home, cwd });
    expect(threadLogs(home)).toEqual([]);
  });

  it('cannot be continued where there are none', async () => {
    const { home, cwd } = await started([]);
    const { code, stderr } = await runLlmcode(['-p', 'first', '-c'], { home, cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('no thread to continue');
  });
});

describe('the answer of a headless run', () => {
  it('gets standard input as a block of the prompt', async () => {
    const { home, cwd, server } = await started([{ parts: [{ text: 'ok' }] }]);
    await runLlmcode(['-p', 'explain'], { home, cwd, stdin: 'the log\n' });
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('<stdin>\\nthe log\\n</stdin>');
  });

  it('fits the schema after one correction', async () => {
    const { home, cwd, server } = await started([
      { parts: [{ text: 'It is fine.' }] },
      { parts: [{ text: '{"ok": true}' }] },
    ]);
    const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-schema-'));
    const file = path.join(folder, 'schema.json');
    writeFileSync(file, '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}');
    const { code, stdout } = await runLlmcode(
      ['-p', 'is it?', '--json-schema', file, '--output-format', 'json'],
      { home, cwd },
    );
    expect(code).toBe(0);
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({
      structured_output: { ok: true },
      num_turns: 2,
    });
    expect(JSON.stringify(server.requests[0]?.body.messages[0])).toContain('JSON Schema');
  });

  it('is an error when it never fits the schema', async () => {
    const { home, cwd } = await started([{ parts: [{ text: 'no' }] }, { parts: [{ text: 'still no' }] }]);
    const { code, stdout } = await runLlmcode(
      ['-p', 'is it?', '--json-schema', '{"type":"object"}', '--output-format', 'json'],
      { home, cwd },
    );
    expect(code).toBe(1);
    expect(resultLineSchema.parse(jsonLines(stdout)[0])).toMatchObject({
      subtype: 'error_max_structured_output_retries',
    });
  });

  it('comes from the offline demo without any network', async () => {
    const repo = sampleRepo();
    const { code, stdout } = await runLlmcode(
      ['-p', '--demo', 'fix the failing test', '--permission-mode', 'auto_accept'],
      {
        home: llmcodeHome([]),
        cwd: repo.folder,
      },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('all 6 tests pass');
  });
});

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

/** Living processes that this bench's commands started. */
function survivors(bench: ToolBench): string[] {
  const home = `HOME=${bench.ctx.childEnv['HOME']}`;
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
      return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(home);
    } catch {
      return false;
    }
  });
}

describe('bash', () => {
  test('gives output, summary and a terminal view', async () => {
    const bench = toolBench();
    expect(await bench.run('bash', { command: 'echo one; echo two >&2' })).toEqual({
      status: 'ok',
      forModel: [{ kind: 'text', text: 'one\ntwo' }],
      summary: '2 lines',
      view: {
        kind: 'terminal',
        command: 'echo one; echo two >&2',
        output: 'one\ntwo\n',
        omittedLines: 0,
        exitCode: 0,
        signal: null,
        running: false,
      },
    });
    expect(textOf(await bench.run('bash', { command: 'true' }))).toBe('(no output)');
  });

  test('a failed command is an error with its output', async () => {
    const bench = toolBench();
    const failed = await bench.run('bash', { command: 'echo broken; exit 3' });
    expect([failed.status, failed.code, failed.summary, textOf(failed)]).toEqual([
      'error',
      'exit',
      'exit 3',
      'broken\n[exit code 3]',
    ]);
    const killed = await bench.run('bash', { command: 'kill -SEGV $$' });
    expect([killed.summary, textOf(killed)]).toEqual(['SIGSEGV', '(no output)\n[It was ended by SIGSEGV.]']);
  });

  test.each([
    'cat',
    'read x',
    'git commit',
    'ssh nobody@127.0.0.1 -p 1',
    'python3 -c "input()"',
    'sudo -k true </dev/tty',
  ])('nothing waits for a person: %s', async (command) => {
    const bench = toolBench();
    const start = performance.now();
    await bench.run('bash', { command, timeout: 8 });
    expect(performance.now() - start).toBeLessThan(7_000);
  });

  test('an editor that cannot work ends at its limit, with advice', async () => {
    const bench = toolBench();
    const result = await bench.run('bash', { command: 'vi x || sleep 9', timeout: 0.5 });
    expect(textOf(result)).toContain('If it waited for input: nobody can type');
  });

  test('a timeout ends everything and says what to do', async () => {
    const bench = toolBench();
    const result = await bench.run('bash', {
      command: 'echo begun; (sleep 71; echo no) & sleep 72',
      timeout: 0.3,
    });
    expect([result.status, result.code, result.summary]).toEqual([
      'error',
      'timeout',
      'timed out after 0.3 s',
    ]);
    expect(textOf(result)).toContain('begun\n[It was ended after its timeout of 0.3 s.');
    expect(survivors(bench)).toEqual([]);
  });

  test('milliseconds given for seconds are understood, and 600 s is the most', async () => {
    const bench = toolBench();
    const result = await bench.run(
      'bash',
      { command: 'sleep 73', timeout: 10_000 },
      { signal: AbortSignal.timeout(100) },
    );
    expect(result.status).toBe('aborted');
  });

  test('an interrupt ends grandchildren and keeps the output', async () => {
    const bench = toolBench();
    const running = bench.run('bash', { command: 'echo begun; (sleep 74 & sleep 75); echo never' });
    while (bench.progress.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const start = performance.now();
    bench.abort.abort();
    const result = await running;
    expect(performance.now() - start).toBeLessThan(2_000);
    expect([result.status, result.summary, textOf(result)]).toEqual([
      'aborted',
      'stopped',
      'begun\n[It was stopped by the person before it ended.]',
    ]);
    expect(survivors(bench)).toEqual([]);
  });

  test('background processes end with the call, and the model is told', async () => {
    const bench = toolBench();
    const result = await bench.run('bash', { command: 'sleep 76 & echo started' });
    expect(textOf(result)).toBe('started\n[Processes it left running in the background were ended.]');
    expect(survivors(bench)).toEqual([]);
  });

  test('long output: beginning and end for the model, the whole in a file, the newest lines on screen', async () => {
    const bench = toolBench();
    const result = await bench.run('bash', { command: 'seq 1 20000' });
    const file = path.join(bench.ctx.filesDir, 'bash-CALL1.txt');
    const text = textOf(result);
    expect(text.length).toBeLessThan(24_000);
    expect(text.startsWith('1\n2\n3\n')).toBe(true);
    expect(text.endsWith('\n19999\n20000')).toBe(true);
    expect(text).toContain(
      `[… left out here: output of 20,000 lines, 109 KB in all. All of it is in ${file}:`,
    );
    expect(readFileSync(file, 'utf8').split('\n').length).toBe(20_001);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(result.view).toMatchObject({ omittedLines: 19_800, outputPath: file });
    expect(result.view?.kind === 'terminal' && result.view.output.split('\n').length).toBe(201);
  });

  test('what it gives fits where a model takes less, and is cut once', async () => {
    const bench = toolBench();
    const text = textOf(
      await bench.run('bash', { command: 'seq 1 20000; exit 3' }, { maxResultChars: 3_000 }),
    );
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text.length).toBeGreaterThan(2_400);
    expect(text).toMatch(/^1\n2\n[\s\S]*left out here[\s\S]*\n20000\n\[exit code 3\]$/);
  });

  test('200 MB of output stay in bounded memory and a bounded file', async () => {
    const bench = toolBench();
    const before = process.memoryUsage().rss;
    const result = await bench.run('bash', { command: 'yes | head -c 200000000; echo end' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    expect(result.summary).toBe('100,000,001 lines');
    expect(statSync(path.join(bench.ctx.filesDir, 'bash-CALL1.txt')).size).toBe(50_000_000);
    expect(textOf(result)).toContain('Its first 50 MB are in');
    expect(textOf(result).endsWith('\ny\nend')).toBe(true);
  });

  test('one endless line without a newline is cut to whole characters', async () => {
    const bench = toolBench();
    const result = await bench.run('bash', { command: `printf '%.0s😀' $(seq 1 60000)` });
    expect(textOf(result).isWellFormed()).toBe(true);
    expect(result.view?.kind === 'terminal' && result.view.output.length).toBeLessThanOrEqual(16_000);
  });

  test('progress is shown at most twenty times a second and ends with the call', async () => {
    const bench = toolBench();
    const start = performance.now();
    await bench.run('bash', { command: 'for i in $(seq 1 60); do echo $i; sleep 0.01; done' });
    const shown = bench.progress.length;
    expect(shown).toBeGreaterThan(2);
    expect(shown).toBeLessThanOrEqual((performance.now() - start) / 50 + 1);
    expect(bench.progress[0]).toMatchObject({ kind: 'terminal', running: true, exitCode: null });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(bench.progress.length).toBe(shown);
  });

  test('the model gets no escape sequences, the screen gets what was printed', async () => {
    const bench = toolBench();
    const command = String.raw`printf '\033[31mred\033[0m\r\n10%%\r100%%\nbell\007 title\033]0;x\007\n'`;
    const result = await bench.run('bash', { command });
    expect(textOf(result)).toBe('red\n100%\nbell title');
    expect(result.view?.kind === 'terminal' && result.view.output.includes('\u001b[31m')).toBe(true);
  });

  test('cwd is a folder inside the workspace', async () => {
    const bench = toolBench();
    mkdirSync(path.join(bench.folder, 'sub'));
    writeFileSync(path.join(bench.folder, 'file'), '');
    symlinkSync('/', path.join(bench.folder, 'out'));
    expect(textOf(await bench.run('bash', { command: 'pwd', cwd: 'sub' }))).toBe(
      path.join(bench.folder, 'sub'),
    );
    const codes: unknown[] = [];
    for (const cwd of ['/', '..', 'out', 'out/tmp', 'nowhere', 'file'])
      codes.push((await bench.run('bash', { command: 'touch ran', cwd })).code);
    expect(codes).toEqual([
      'outside_workspace',
      'outside_workspace',
      'outside_workspace',
      'outside_workspace',
      'folder_missing',
      'folder_missing',
    ]);
    expect(bench.tool('bash').touches({ command: 'ls', cwd: 'sub' }, { cwd: '/w', roots: ['/w'] })).toEqual([
      { kind: 'command', command: 'ls', cwd: '/w/sub' },
    ]);
  });

  test('a working folder that is gone is said plainly', async () => {
    const bench = toolBench();
    rmSync(bench.folder, { recursive: true });
    const result = await bench.run('bash', { command: 'ls' });
    expect([result.code, textOf(result)]).toEqual([
      'folder_missing',
      `The folder ${bench.folder} does not exist. Nothing was run.`,
    ]);
    expect(await bench.preview('bash', { command: 'ls' })).toEqual(result);
  });

  test('a command with a NUL or beyond the system’s length is an error, not a crash', async () => {
    const bench = toolBench();
    const nul = await bench.run('bash', { command: 'echo \0' });
    const long = await bench.run('bash', { command: `: ${'x'.repeat(3_000_000)}` });
    expect([nul.code, long.code]).toEqual(['not_started', 'not_started']);
    expect(textOf(long)).toContain('too long');
  });

  test('an output file that cannot be written costs the file, not the command', async () => {
    const bench = toolBench();
    writeFileSync(bench.ctx.filesDir, '');
    const result = await bench.run('bash', { command: 'seq 1 20000' });
    expect([result.status, textOf(result).includes('could not be kept on disk')]).toEqual(['ok', true]);
    expect(result.view).not.toHaveProperty('outputPath');
  });

  test('the title is one line', () => {
    const { title } = toolBench().tool('bash');
    expect(title({ command: 'cat <<E\n  a\nE' }, { cwd: '/w', roots: [] })).toBe('cat <<E a E');
  });
});

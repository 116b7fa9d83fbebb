import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProcess } from '#lib/spawn.ts';

let folder: string;
const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'spawn-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Processes whose environment names this test's folder. */
function survivors(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
      return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TEST_HOME=${folder}`);
    } catch {
      return false;
    }
  });
}

const bash = (command: string, more: Partial<Parameters<typeof runProcess>[0]> = {}) =>
  runProcess({ command, cwd: folder, env: { ...env, TEST_HOME: folder }, ...more });

describe('runProcess', () => {
  test('returns exit code and both streams', async () => {
    const end = await bash('echo out; echo err >&2; exit 3');
    expect(end).toEqual({
      cause: 'exited',
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      isTruncated: false,
      hadLeftovers: false,
    });
  });

  test('names the signal that ended the child', async () => {
    const end = await bash('kill -9 $$');
    expect([end.cause, end.exitCode, end.signal]).toEqual(['exited', null, 'SIGKILL']);
  });

  test('gives arguments to a program as they are', async () => {
    const end = await runProcess({
      file: '/bin/echo',
      args: ['$(id)', '*', "a'b"],
      cwd: folder,
      env,
    });
    expect(end.stdout).toBe("$(id) * a'b\n");
  });

  test('a missing program, a missing folder and a NUL are values with advice', async () => {
    const program = await runProcess({ file: 'no-such-program', args: [], cwd: folder, env });
    const place = await bash('true', { cwd: path.join(folder, 'gone') });
    const nul = await bash('echo \0');
    expect(program).toMatchObject({ cause: 'not-started', exitCode: null });
    expect(program.error).toContain('no program no-such-program');
    expect(place.error).toContain('does not exist any more');
    expect(nul.error).toContain('NUL');
  });

  test('standard input is closed, so that a command that asks ends at once', async () => {
    const end = await bash('read answer || echo "nobody"; cat; echo done');
    expect(end.stdout).toBe('nobody\ndone\n');
  });

  test('there is no terminal to ask on', async () => {
    const end = await bash('echo hi > /dev/tty');
    expect(end.exitCode).not.toBe(0);
  });

  test('hands input over and closes it, also when the child does not read it', async () => {
    const read = await bash('cat', { input: '{"a":"ä"}' });
    const ignored = await bash('true', { input: 'x'.repeat(5_000_000) });
    expect(read.stdout).toBe('{"a":"ä"}');
    expect(ignored.exitCode).toBe(0);
  });

  test('merged output keeps the order and real pipes can be opened by name', async () => {
    const end = await bash('echo 1; echo 2 >&2; echo 3; echo 4 | tee /dev/stderr; echo 5 > /dev/stdout', {
      mergeOutput: true,
    });
    expect([end.stdout, end.stderr]).toEqual(['1\n2\n3\n4\n4\n5\n', '']);
  });

  test('merged output keeps the exit code and $0 of a plain shell', async () => {
    const end = await bash('echo "$0 $#"; exit 7', { mergeOutput: true });
    expect([end.stdout, end.exitCode]).toEqual(['/bin/bash 0\n', 7]);
  });

  test('never splits a character, whatever the chunks', async () => {
    const pieces: string[] = [];
    const text = 'äöü€😀'.repeat(20_000);
    const end = await bash(
      `for i in 1 2 3; do printf '\\360\\237'; sleep 0.02; printf '\\230\\200'; done; cat`,
      {
        input: text,
        onOutput: (piece) => pieces.push(piece),
        captureChars: 0,
      },
    );
    expect(end).toMatchObject({ stdout: '', isTruncated: true });
    expect(pieces.join('') === `😀😀😀${text}`).toBe(true);
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false);
  });

  test('keeps only the beginning of much output', async () => {
    const end = await bash('yes | head -c 50000000', { captureChars: 10 });
    expect([end.stdout, end.isTruncated, end.exitCode]).toEqual(['y\ny\ny\ny\ny\n', true, 0]);
  });

  test.each([false, true])(
    'a background process that holds the pipe delays nothing (merged: %s)',
    async (mergeOutput) => {
      const start = performance.now();
      const end = await bash('sleep 60 & echo done', { mergeOutput });
      expect(end).toMatchObject({ cause: 'exited', exitCode: 0, stdout: 'done\n', hadLeftovers: true });
      expect(performance.now() - start).toBeLessThan(2_000);
      expect(survivors()).toEqual([]);
    },
  );

  test('output of the last moment is complete although the event loop was blocked', async () => {
    const running = bash('seq 1 30000; echo end', { mergeOutput: true });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const until = performance.now() + 600;
    while (performance.now() < until);
    expect((await running).stdout.endsWith('\n30000\nend\n')).toBe(true);
  });

  test('an abort ends grandchildren within 300 ms', async () => {
    // The shortest of three: a busy machine only adds, and an end that waits out its grace is late each time.
    const times: number[] = [];
    while (times.length < 3 && !times.some((time) => time < 300)) {
      const abort = new AbortController();
      const running = bash('(sleep 61 & sleep 62); echo never', {
        signal: abort.signal,
        mergeOutput: true,
        onOutput: () => undefined,
      });
      while (survivors().length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
      const start = performance.now();
      abort.abort();
      const end = await running;
      times.push(performance.now() - start);
      expect(end).toMatchObject({ cause: 'aborted', exitCode: null, signal: 'SIGTERM' });
      expect(survivors()).toEqual([]);
    }
    expect(Math.min(...times)).toBeLessThan(300);
  });

  test('what ignores SIGTERM, or hides in a session of its own, is killed', async () => {
    const end = await bash(
      `trap '' TERM; setsid sleep 63 & setsid nohup bash -c 'trap "" TERM; sleep 64' & sleep 65; sleep 66`,
      {
        timeoutMs: 300,
      },
    );
    expect(end).toMatchObject({ cause: 'timeout', signal: 'SIGKILL' });
    expect(survivors()).toEqual([]);
  });

  test('what hides in a session of its own ends with a command that ends by itself', async () => {
    const end = await bash('setsid sleep 67 & setsid -f sleep 68; echo ok', { mergeOutput: true });
    expect(end).toMatchObject({ cause: 'exited', exitCode: 0, stdout: 'ok\n', hadLeftovers: true });
    await expect.poll(survivors).toEqual([]);
  });

  test('last words after SIGTERM still arrive', async () => {
    const end = await bash(`trap 'echo cleaned; exit 9' TERM; touch ready; while :; do sleep 0.01; done`, {
      mergeOutput: true,
      timeoutMs: 300,
    });
    expect(existsSync(path.join(folder, 'ready'))).toBe(true);
    expect(end).toMatchObject({
      cause: 'timeout',
      exitCode: 9,
      stdout: expect.stringContaining('cleaned\n'),
    });
  });

  test('an aborted signal starts nothing', async () => {
    const end = await bash('touch made', { signal: AbortSignal.abort() });
    expect(end.cause).toBe('aborted');
    expect(existsSync(path.join(folder, 'made'))).toBe(false);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../support/e2e/running-program.ts';
import { answers, say, soundAtRest, stageTests, turnEnds } from '../support/e2e/stage.ts';

const stage = stageTests();

describe('a home that cannot be written', () => {
  it('costs the log and nothing else: one line says so', async () => {
    const { server, home, repo } = await stage.start(answers('One.', 'Two.', 'Three.'));
    const env = {
      LLMCODE_HOME: path.join(repo.file('package.json'), 'home'),
      LLMCODE_MODEL: 'local/test-model',
      LLMCODE_PROVIDERS: JSON.stringify(JSON.parse(configIn(home)).providers),
    };
    const headless = await runProgram(['-p', 'hello'], { home: env.LLMCODE_HOME, cwd: repo.folder, env });
    expect(headless).toMatchObject({ code: 0, stdout: 'One.\n' });
    expect(headless.stderr).toMatch(/^llmcode: This thread cannot be saved \(ENOTDIR.*\n$/);

    const screen = stage.open({ repo, home: env.LLMCODE_HOME }, { env, columns: 150 });
    await screen.waitFor('test-model');
    await say(screen, 'hello');
    await screen.waitFor('Two.');
    await say(screen, 'again');
    await screen.waitFor('Three.');
    expect(screen.screen().match(/cannot be saved/g)).toHaveLength(1);
    expect(screen.screen()).toMatch(/check the disk and the rights of/);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toContain('Two.');
  });

  it('ends no run in an endless wait, even where the system makes no folder at all', async ({ skip }) => {
    if (process.platform !== 'linux') return skip('there is no /proc');
    const { home, repo } = await stage.start(answers('One.'));
    const env = {
      LLMCODE_HOME: '/proc/llmcode',
      LLMCODE_MODEL: 'local/test-model',
      LLMCODE_PROVIDERS: JSON.stringify(JSON.parse(configIn(home)).providers),
    };
    const run = await runProgram(['-p', 'hello'], { home: env.LLMCODE_HOME, cwd: repo.folder, env });
    expect(run).toMatchObject({ code: 0, stdout: 'One.\n' });
    const saved = await runProgram(['config', 'set', 'theme', 'dark'], {
      home: env.LLMCODE_HOME,
      cwd: repo.folder,
      env,
    });
    expect(saved.code).not.toBe(0);
    expect(saved.stderr).toContain('/proc/llmcode');
  });

  it('is named as read-only, and a full one is written again as soon as there is room', async ({ skip }) => {
    const disk = mountDisk();
    if (disk === undefined) return skip('no disk can be mounted here');
    const { home, repo } = await stage.start(answers('One.', 'Two.', 'Three.', 'Four.'));
    writeFileSync(path.join(disk.folder, 'config.json'), configIn(home));

    disk.remount('ro');
    const headless = await runProgram(['-p', 'hello'], { home: disk.folder, cwd: repo.folder });
    expect(headless).toMatchObject({ code: 0, stdout: 'One.\n' });
    expect(headless.stderr).toMatch(
      /^llmcode: This thread cannot be saved \(EROFS: read-only file system.*\n$/,
    );
    disk.remount('rw');

    const screen = stage.open({ repo, home: disk.folder });
    await screen.waitFor('test-model');
    disk.fill();
    await say(screen, 'hello');
    await screen.waitFor('Two.');
    await screen.waitFor(/cannot be saved \(ENOSPC/);
    await say(screen, 'again');
    await screen.waitFor('Three.');
    expect(screen.screen().match(/cannot be saved/g)).toHaveLength(1);
    disk.free();
    await say(screen, 'and now');
    await screen.waitFor('Four.');
    await screen.waitFor('This thread is saved again.');
    await turnEnds(disk.folder, 3);
    await soundAtRest(disk.folder);
  });
});

describe('a workspace on a full disk', () => {
  it('keeps the file as it was, and the model is told why', async ({ skip }) => {
    const disk = mountDisk();
    if (disk === undefined) return skip('no disk can be mounted here');
    const { server, home } = await stage.start([
      { parts: [{ call: 'read_file', input: { path: 'a.txt' } }] },
      { parts: [{ call: 'write_file', input: { path: 'a.txt', content: 'new '.repeat(3_000) } }] },
      ...answers('The disk is full.'),
    ]);
    const file = path.join(disk.folder, 'a.txt');
    writeFileSync(file, 'old\n');
    disk.fill();
    const args = ['-p', 'write', '--permission-mode', 'auto_accept'];
    const end = await runProgram(args, { home, cwd: disk.folder });
    expect(end).toMatchObject({ code: 0, stdout: 'The disk is full.\n' });
    expect(String(server.requests[2]?.body.messages.at(-1).content)).toMatch(
      /a\.txt.*(ENOSPC|no space|full)/s,
    );
    expect(readFileSync(file, 'utf8')).toBe('old\n');
    expect(readdirSync(disk.folder).sort()).toEqual(['a.txt', 'filler']);
    await soundAtRest(home);
  });
});

function configIn(home: string): string {
  return readFileSync(path.join(home, 'config.json'), 'utf8');
}

type Disk = { folder: string; remount(how: 'ro' | 'rw'): void; fill(): void; free(): void };

/** A disk of one megabyte; undefined where nothing can be mounted. */
function mountDisk(): Disk | undefined {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-disk-')));
  const run = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
  try {
    run('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  stage.onEnd(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const filler = path.join(folder, 'filler');
  return {
    folder,
    remount: (how) => run('-o', `remount,${how}`, folder),
    fill: () => expect(() => writeFileSync(filler, Buffer.alloc(2_000_000))).toThrow('ENOSPC'),
    free: () => rmSync(filler),
  };
}

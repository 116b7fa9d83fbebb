import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createLanguages } from '#bridges/lsp/languages.ts';
import { SafeWriter } from '#bridges/lsp/safe-writer.ts';
import { lspSettings } from '#bridges/lsp/settings.ts';
import { systemClock } from '#lib/clock.ts';

const program = path.resolve(import.meta.dirname, '../../support/lying-server.mjs');

async function withServer(way: string) {
  const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'llmcode-lsp-')));
  const file = path.join(cwd, 'a.py');
  const started = path.join(cwd, 'started');
  await writeFile(file, 'total = 1\nprint(total)\n');
  await writeFile(started, '');
  const servers = {
    liar: { command: process.execPath, args: [program, way, started], languages: ['python'] },
  };
  const languages = createLanguages({
    roots: [cwd],
    env: { PATH: '/usr/bin:/bin' },
    settings: () => lspSettings.parse({ lsp: { servers } }),
    isTrusted: () => false,
    clock: systemClock,
    timeouts: { start: 3_000, request: 400, afterWrite: 400 },
  });
  onTestFinished(async () => {
    await languages.close();
    await rm(cwd, { recursive: true, force: true });
  });
  const pids = async () => (await readFile(started, 'utf8')).trim().split('\n').map(Number);
  const ask = (signal = new AbortController().signal) =>
    languages.definition({ file, symbol: 'total' }, { signal });
  return { languages, file, ask, pids };
}

async function expectGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each([
  ['exits', /license expired/],
  ['garbage', /does not speak the language server protocol/],
  ['gigabyte', /announced a message of 1000000000 bytes/],
])('says what is wrong with a server that %s, and ends it', async (way, said) => {
  const { ask, pids } = await withServer(way);
  await expect(ask()).rejects.toThrow(said);
  await expectGone(await pids());
});

it('does not wait longer than its limit for a server that never answers', async () => {
  const { ask } = await withServer('mute');
  await expect(ask()).rejects.toMatchObject({ code: 'lsp_timeout' });
});

it('stops waiting at once when the person interrupts, also while the server starts', async () => {
  const { ask } = await withServer('silent');
  const stop = new AbortController();
  const asked = ask(stop.signal);
  stop.abort();
  await expect(asked).rejects.toMatchObject({ code: 'lsp_aborted' });
});

it('gives up on a server that crashes again and again', async () => {
  const { ask, pids } = await withServer('crashes');
  for (const _ of [1, 2, 3]) await expect(ask()).rejects.toMatchObject({ code: 'lsp_failed' });
  await expect(ask()).rejects.toThrow(/failed 3 times and is not started again/);
  const started = await pids();
  expect(started).toHaveLength(3);
  await expectGone(started);
});

it('leaves out of an answer what is no place', async () => {
  const { ask } = await withServer('lies');
  expect(await ask()).toEqual([]);
});

it('leaves no process behind when it is closed', async () => {
  const { languages, ask, pids } = await withServer('lies');
  await ask();
  const started = await pids();
  expect(started.map(isAlive)).toEqual([true]);
  await languages.close();
  await expectGone(started);
});

it('tells which command a question would start, and nothing once that runs', async () => {
  const { languages, file, ask } = await withServer('lies');
  expect(languages.wouldStart(file)).toContain('lying-server.mjs lies');
  await ask();
  expect(languages.wouldStart(file)).toBeUndefined();
});

it('takes a message that can no longer be sent for the end of the server, not for an error of its own', async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  stream.on('error', () => undefined);
  const writer = new SafeWriter(stream);
  const heard: string[] = [];
  writer.onError(([error]) => heard.push(error.message));
  await writer.write({ jsonrpc: '2.0' });
  expect(heard).toContain('EPIPE');
});

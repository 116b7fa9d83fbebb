import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { answerDialog } from '../support/e2e/answer-dialog.ts';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { attackMarks, hostileTexts } from '../support/e2e/hostile-strings.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, startModelServer } from '../support/model-servers/index.ts';
import { strangeOutput } from '../support/pty/strange-output.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

// About 320 MB where nothing else runs; a busy machine collects garbage later.
const maxMemoryKb = 450 * 1_024;
/** A key that shows later than this feels like a program that hangs. */
const hangMs = 1_000;
const patient = { timeoutMs: 40_000 };

let server: ModelServer | undefined;
const sessions: TerminalSession[] = [];
let repo: SampleRepo | undefined;

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
  await server?.close();
  repo?.remove();
});

it('takes huge lines, binary files, 100,000 files, endless output and escape sequences', async () => {
  repo = sampleRepo();
  plantFiles(repo);
  server = await startModelServer({
    api: 'openai-chat',
    script: [
      {
        parts: [
          { call: 'read_file', input: { path: 'one-line.txt' } },
          { call: 'grep_search', input: { pattern: 'NEEDLE', path: 'one-line.txt' } },
          { call: 'read_file', input: { path: 'blob.bin' } },
          { call: 'grep_search', input: { pattern: 'NEEDLE' } },
          { call: 'grep_search', input: { pattern: '^leaf$', path: 'tree' } },
          { call: 'glob_search', input: { pattern: 'tree/**/*-999.txt' } },
          { call: 'list_directory', input: { path: 'tree/d42' } },
        ],
      },
      {
        parts: [
          { call: 'bash', input: { command: 'cat one-line.txt' } },
          { call: 'bash', input: { command: 'cat blob.bin' } },
          { call: 'bash', input: { command: 'cat wide.txt' } },
        ],
      },
      {
        parts: [
          { call: 'edit_file', input: { path: 'one-line.txt', old_string: 'NEEDLE', new_string: 'THREAD' } },
        ],
      },
      { parts: [{ call: 'bash', input: { command: 'yes', timeout: 2 } }] },
      { parts: [{ call: 'bash', input: { command: 'cat hostile.txt' } }] },
      { parts: [{ text: 'I have seen it all.' }] },
    ],
  });
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  const session = open(repo, home);
  await session.waitFor('test-model');
  session.type('look at it all\r');
  await session.waitFor(/edit_file wants to/, patient);
  await answerDialog(session, 'y', /edit_file wants to/);
  await session.waitFor(/bash wants to run/, patient);
  await answerDialog(session, 'y', /bash wants to run/);

  await session.waitFor('running yes');
  const echoes = await typed(session, '@tree/d99/file-12');
  await session.waitFor(/tree\/d99\/file-12\d\.txt/);
  session.press('escape');
  await session.waitFor((screen) => !/tree\/d99\/file-12\d/.test(screen));
  session.type(' ');
  echoes.push(...(await typed(session, '@file-98', '@tree/d99/file-12 ')));
  await session.waitFor(/tree\/d\d+\/file-98\d?\.txt/);
  await session.waitFor('seen it all', patient);
  await session.waitFor((screen) => !screen.includes('esc stops'));
  expect(Math.max(...echoes)).toBeLessThan(hangMs);

  expect(server.violations).toEqual([]);
  const ends = threadLogs(home).flatMap((log) => log.filter(({ kind }) => kind === 'tool-run-end'));
  const results = ends.map(({ result }) => result as { status: string; summary?: string });
  // A fast machine comes to the limit of the output before that of the time.
  const stopped = /^(?:timed out after 2 s|ended after 1\.0 GB of output)$/;
  const told = results.map(({ status, summary = '' }) => `${status}: ${summary.replace(stopped, 'stopped')}`);
  expect(told.toSorted()).toEqual([
    'error: not text',
    'error: stopped',
    'ok: +1 −1',
    'ok: 1 hit in 1 file',
    'ok: 1 hit in 1 file',
    'ok: 1 line',
    'ok: 1 line',
    'ok: 1 line',
    'ok: 1,000 entries',
    'ok: 100 files',
    'ok: 2,000 lines',
    'ok: 5,000+ hits in 5,000 files',
    `ok: ${hostileOutput().split('\n').length - 1} lines`,
  ]);
  expect(readFileSync(repo.file('one-line.txt'), 'latin1').includes('THREAD')).toBe(true);

  // Everything that came passes over the screen, here and when the thread is opened again.
  session.press('ctrl+o');
  await pageThrough(session, 'look at it all');
  expectHarmless(session);
  session.kill('SIGTERM');
  await session.exited;
  const again = open(repo, home, ['--continue']);
  await again.waitFor('seen it all', patient);
  await pageThrough(again, 'look at it all');
  expectHarmless(again);
}, 120_000);

function expectHarmless({ raw, pid }: TerminalSession): void {
  expect(strangeOutput(raw)).toEqual([]);
  expect(attackMarks.filter((mark) => raw.includes(mark))).toEqual([]);
  expect(peakMemoryKb(pid)).toBeLessThan(maxMemoryKb);
}

function open({ folder }: SampleRepo, home: string, args: readonly string[] = []): TerminalSession {
  const session = new TerminalSession({
    args,
    cwd: folder,
    env: { LLMCODE_HOME: home },
    columns: 100,
    rows: 40,
  });
  sessions.push(session);
  return session;
}

function hostileOutput(): string {
  return hostileTexts()
    .map((text, index) => `${index} ${text} end\n`)
    .join('');
}

function plantFiles({ file }: SampleRepo): void {
  const half = 'words in one line \x1b]52;c;UExBTlRFRA==\x07\x1b[38;2;1;2;3m '.repeat(100_000);
  writeFileSync(file('one-line.txt'), `${half}NEEDLE${half}`);
  const bytes = Buffer.alloc(300_000, 'NEEDLE\x00\x01\x1b]0;PLANTED\x07\x9b2J\xff\xfe\x80', 'latin1');
  writeFileSync(file('blob.bin'), bytes);
  writeFileSync(file('hostile.txt'), hostileOutput());
  writeFileSync(file('wide.txt'), '漢字かな交じり文 👨‍👩‍👧‍👦 🇩🇪 é ｆｕｌｌ 한국어 👍🏽\n'.repeat(2_000));
  for (let folder = 0; folder < 100; folder += 1) {
    const leaf = (index: number) => file(`tree/d${folder}/file-${index}.txt`);
    mkdirSync(file(`tree/d${folder}`), { recursive: true });
    writeFileSync(leaf(0), 'leaf\n');
    // Links cost a fraction of what files do.
    for (let index = 1; index < 1_000; index += 1) linkSync(leaf(0), leaf(index));
  }
}

/** Types one key after the other; the milliseconds until each shows. */
async function typed(session: TerminalSession, text: string, before = ''): Promise<number[]> {
  const times: number[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const start = performance.now();
    session.type(text[length - 1] ?? '');
    await session.waitFor(`❯ ${before}${text.slice(0, length)}`);
    times.push(performance.now() - start);
  }
  return times;
}

async function pageThrough(session: TerminalSession, top: string): Promise<void> {
  while (!session.screen().includes(top)) {
    const before = session.screen();
    session.press('pageup');
    await session.waitFor((screen) => screen !== before);
  }
}

function peakMemoryKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

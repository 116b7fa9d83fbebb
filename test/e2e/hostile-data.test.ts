import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { answerDialog } from '../support/e2e/answer-dialog.ts';
import { llmcodeHome } from '../support/e2e/home.ts';
import { attackMarks, hostileTexts } from '../support/e2e/hostile-strings.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, startModelServer } from '../support/model-servers/index.ts';
import { strangeOutput } from '../support/pty/strange-output.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

const maxMemoryKb = 400 * 1024;
/** What a person takes for a program that hangs. */
const hangMs = 1_500;
const slow = { timeoutMs: 40_000 };

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
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
          { call: 'bash', input: { command: 'cat hostile.txt' } },
          { call: 'bash', input: { command: 'cat wide.txt' } },
        ],
      },
      {
        parts: [
          {
            call: 'edit_file',
            input: { path: 'one-line.txt', old_string: 'NEEDLE', new_string: 'THREAD' },
          },
        ],
      },
      { parts: [{ call: 'bash', input: { command: 'yes', timeout: 2 } }] },
      { parts: [{ text: 'I have seen it all.' }] },
    ],
  });
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  session = new TerminalSession({ cwd: repo.folder, env: { LLMCODE_HOME: home }, columns: 100, rows: 40 });
  const t0 = performance.now();
  const lap = (what: string) => console.log(what, Math.round(performance.now() - t0));

  await session.waitFor('test-model');
  session.type('look at it all\r');
  await session.waitFor(/edit_file wants to/, slow);
  await answerDialog(session, 'y', /edit_file wants to/);
  lap('edit asked');
  console.log(session.screen());
  await session.waitFor(/bash wants to run/, slow);
  await answerDialog(session, 'y', /bash wants to run/);
  await session.waitFor('running yes');
  lap('yes runs');
  const echoes = await typed(session, '@file-12', 200);
  lap('typed');
  console.log(echoes);
  await session.waitFor('seen it all', slow);
  lap('done');
  await session.waitFor((screen) => !screen.includes('esc stops'));
  console.log(session.screen());

  expect(Math.max(...echoes)).toBeLessThan(hangMs);
  expect(server.violations).toEqual([]);
  console.log((server.requests.at(-1)?.body.messages as any[]).filter(m=>m.role==='tool').map(m=>m.content.slice(0,300)+' ... '+m.content.slice(-300)));
  for (let i = 0; i < 8; i++) { session.press('pageup'); await new Promise(r=>setTimeout(r,200)); console.log(session.screen()); }
  expect(strangeOutput(session.raw)).toEqual([]);
  const { raw } = session;
  expect(attackMarks.filter((mark) => raw.includes(mark))).toEqual([]);
  console.log(peakMemoryKb(session.pid));
  expect(peakMemoryKb(session.pid)).toBeLessThan(maxMemoryKb);
});

function plantFiles({ file }: SampleRepo): void {
  const half = 'words in one line \x1b]52;c;UExBTlRFRA==\x07\x1b[38;2;1;2;3m '.repeat(120_000);
  writeFileSync(file('one-line.txt'), `${half}NEEDLE${half}`);
  const bytes = Buffer.alloc(300_000, 'NEEDLE\x00\x01\x1b]0;PLANTED\x07\x9b2J\xff\xfe\x80', 'latin1');
  writeFileSync(file('blob.bin'), bytes);
  writeFileSync(file('hostile.txt'), hostileTexts().map((text, index) => `${index} ${text} end\n`).join(''));
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
async function typed(terminal: TerminalSession, text: string, pauseMs = 0): Promise<number[]> {
  const times: number[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const start = performance.now();
    terminal.type(text[length - 1] ?? '');
    await terminal.waitFor(`❯ ${text.slice(0, length)}`);
    times.push(Math.round(performance.now() - start));
    await new Promise((r) => setTimeout(r, pauseMs));
  }
  return times;
}

function peakMemoryKb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

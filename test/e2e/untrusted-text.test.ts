import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cleanText } from '#lib/terminal-text.ts';
import { armedDialog, armedKeyRow } from '../support/e2e/answer-dialog.ts';
import { codeColoured } from '../support/e2e/code-coloured.ts';
import { llmcodeHome, threadLogFiles } from '../support/e2e/home.ts';
import { attackMarks, attacks, hostileTexts } from '../support/e2e/hostile-strings.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, type ServerScript, startModelServer } from '../support/model-servers/index.ts';
import { strangeOutput } from '../support/pty/strange-output.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

/** `attacks.title` as a name is shown. */
const shown = '\\x1b]0;PLANTED\\x07';

const servers: ModelServer[] = [];
const sessions: TerminalSession[] = [];
const repos: SampleRepo[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
  for (const server of servers.splice(0)) await server.close();
  for (const repo of repos.splice(0)) repo.remove();
});

/** Strings that have no end swallow what follows up to the next end, so they come last. */
const texts = hostileTexts().toSorted((a, b) => openness(a) - openness(b));

function openness(text: string): number {
  return cleanText(`${text} x\x07`).endsWith(' x') ? 0 : 1;
}

it('looks the same as harmless words of a model, a tool and a server would', async () => {
  const [hostile, harmless] = await Promise.all([conversation((text) => text), conversation(cleanText)]);
  expect(hostile).toEqual(harmless);
});

/** The same conversation with other words; all of it on one screen. */
async function conversation(wordsOf: (text: string) => string): Promise<string[]> {
  const repo = repository();
  writeFileSync(
    repo.file('output.txt'),
    wordsOf(texts.map((text, index) => `${index} ${text} .\n`).join('')),
  );
  const answer = [
    '# A heading \x1b[38;2;1;2;3m with colours',
    `| a | b |\n| - | - |\n| ${attacks.palette}x | \x1b[7mreverse |`,
    `\`\`\`js\nconst a = '\x1b]52;c;UExBTlRFRA==\x07'; // \x1b[38;2;1;2;3m\n\`\`\``,
    '**bold \x1b[0m\x1b[38;2;1;2;3m text** and [a link\x1b]8;;x\x07](https://example.com/\x9b2J) and `code \x1b[7m`',
    ...texts.map((text, index) => `- ${index} ${text} .`),
  ].join('\n\n');
  const session = await start(
    repo,
    [
      {
        parts: [
          { reasoning: wordsOf(texts.join('\n\n')) },
          { text: wordsOf(answer) },
          { call: 'bash', input: { command: 'cat output.txt' } },
        ],
      },
      {
        parts: [
          {
            call: 'todo_write',
            input: {
              todos: texts.slice(0, 5).map((text) => ({ content: wordsOf(text) || 'x', status: 'pending' })),
            },
          },
        ],
      },
      {
        status: 400,
        message: wordsOf(`The model says ${attacks.clipboard}${attacks.colours}${attacks.screen} no.`),
      },
    ],
    { rows: 320 },
  );
  await session.waitFor('test-model');
  session.type('go\r');
  await session.waitFor((screen) => / no\./.test(screen) && !screen.includes('esc stops'));
  await codeColoured(session, 'const');
  expect(session.screen()).toContain('▌ go');
  expectHarmless(session);
  return pictureOf(session);
}

it('shows names of files, folders, branches, models and threads as letters', async () => {
  const title = attacks.title ?? '';
  const names = [`bad${title}.txt`, 'two\nlines.txt', 'photo\u202egpj.exe', 'c1\x9b2J.txt'];
  const repo = repository();
  const folder = path.join(repo.folder, `work${title}`);
  mkdirSync(folder);
  for (const name of names) writeFileSync(path.join(folder, name), 'find me\n');
  execFileSync('git', ['checkout', '-q', '-b', 'branch\u202e\x9b2J'], { cwd: repo.folder });
  const server = await serve(
    [
      {
        parts: [
          { call: 'list_directory', input: { path: '.' } },
          { call: 'glob_search', input: { pattern: `*${title}*` } },
          { call: 'grep_search', input: { pattern: 'find me', output_mode: 'files_with_matches' } },
          { call: 'read_file', input: { path: `${names[0]}${attacks.clipboard}` } },
          { call: `tool${title}`, input: {} },
        ],
      },
      {
        parts: [
          { call: 'bash', input: { command: `rm x ${title}${attacks.colours}\n# \u202e${attacks.screen}` } },
        ],
      },
      {
        parts: [
          { call: 'write_file', input: { path: `new${title}`, content: `a${title}\n${attacks.bidi}\n` } },
        ],
      },
      {
        parts: [
          {
            call: 'ask_user',
            input: {
              questions: [
                {
                  question: `Which${title}${attacks.colours}?`,
                  options: [{ label: `one${title}`, description: attacks.modes }],
                },
              ],
            },
          },
        ],
      },
      { parts: [{ text: 'All seen.' }] },
    ],
    [`model${title}`, 'model\u202e\x9b2J'],
  );
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  const session = open(folder, home, { rows: 50, columns: 150 });
  await session.waitFor('test-model');
  session.type('look around\r');
  await armedDialog(session, 'bash wants to run');
  expect(session.screen()).toContain(`rm x ${shown}\\x1b[38;2;1;2;3m`);
  expect(session.screen()).toContain('# \\u{202e}\\x1b[2J');
  session.type('n');
  await armedDialog(session, `wants to create new${shown}`);
  expect(session.screen()).toContain(`a${shown}`);
  expect(session.screen()).toContain('user\\u{202e}');
  session.type('n');
  await session.waitFor(/Which\?/);
  await armedKeyRow(session, 'Esc decline');
  session.press('escape');
  await session.waitFor('All seen.');
  await session.waitFor(`work${shown} branch\\u{202e}\\x9b2J`);

  session.type('@bad');
  await session.waitFor(`❯ bad${shown}.txt`);
  session.press('tab');
  await session.waitFor(`❯ @bad${shown}.txt`);
  session.press('ctrl+c');
  session.type('/model\r');
  await session.waitFor(/local +test-model/);
  await session.waitFor('model\\u{202e}\\x9b2J');
  await armedKeyRow(session, 'Enter choose');
  session.press('down', 'enter');
  await session.waitFor(`prompt ⇧⇥   model${shown} · local`);
  session.kill('SIGTERM');
  await session.exited;
  expectHarmless(session);

  nameThreads(home, `title${title}`);
  const again = open(folder, home, { args: ['--resume'], columns: 150 });
  await again.waitFor(`title${shown}`);
  again.press('down', 'enter');
  // The picker shows the end of a thread too.
  await again.waitFor((screen) => screen.includes('All seen.') && screen.includes('say what to do'));
  again.type('/exit\r');
  await again.exited;
  expect(again.raw).toContain(`ome back to title${shown}: llmcode --resume`);
  expectHarmless(again);
});

it('sends nothing but text to a terminal without the screen', async () => {
  const repo = repository();
  const words = `${texts.join('\n')}\nThe end.`;
  const { url } = await serve(() => ({ parts: [{ reasoning: words }, { text: words }] }));
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url, model: 'test-model' }]);
  const say = async (args: readonly string[], answer?: { to: string; with: string }) => {
    const session = open(repo.folder, home, { args, rows: 300 });
    if (answer) {
      await session.waitFor(answer.to);
      session.type(answer.with);
    }
    await session.exited;
    // A tab is text; only the screen does without.
    expectHarmless({ raw: session.raw.replaceAll('\t', ' ') });
    return session.screen().replaceAll('\n', '');
  };
  expect(await say(['-p', 'go'])).toContain('The end.');
  for (const format of ['json', 'stream-json', 'events'])
    expect(await say(['-p', 'go', '--output-format', format])).toContain('The end.');

  nameThreads(home, `title${attacks.title}`);
  const id = path.basename(threadLogFiles(home)[0] ?? '', '.jsonl');
  expect(await say(['threads', 'list'])).toContain(`title${shown}`);
  expect(await say(['threads', 'list', '--json'])).toContain('title\\u001b]0;PLANTED\\u0007');
  for (const command of ['show', 'export']) expect(await say(['threads', command, id])).toContain('The end.');
  expect(await say(['threads', 'export', id, '--format', 'events'])).toContain('The end.');
  const asked = await say(['threads', 'delete', id], { to: 'for good?', with: 'n\r' });
  expect(asked).toContain(`title${shown}`);

  writeFileSync(repo.file('c1.txt'), `a${attacks['clipboard in C1']}${attacks.bidi}b\n`);
  const read = await say(['tool', 'run', 'read_file', '--input', '{"path": "c1.txt"}']);
  expect(read).toContain('a\\u009d52;c;');
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ [`key${attacks.title}`]: 1 }));
  expect(await say(['config', 'explain'])).toContain("unknown key 'key");
});

/** The name that a thread has in its log, in the place of none. */
function nameThreads(home: string, name: string): void {
  for (const file of threadLogFiles(home)) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as { threadId: string; seq: number; at: number };
    const { threadId, seq, at } = last;
    lines.push(JSON.stringify({ threadId, turnId: null, seq: seq + 1, at, kind: 'thread-renamed', name }));
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
}

function expectHarmless({ raw }: Pick<TerminalSession, 'raw'>): void {
  expect(strangeOutput(raw)).toEqual([]);
  expect(attackMarks.filter((mark) => raw.includes(mark))).toEqual([]);
}

/** What may differ between two runs is left out: durations, the folder's name, how a tool counts its lines. */
function pictureOf(session: TerminalSession): string[] {
  return session.picture().map((row) =>
    row
      .replace(/(?:\s|\{[^}]*\})*(?:\d+(?:\.\d)?s)?(?:\s|\{[^}]*\})*$/, '')
      .replace(/llmcode-repo-\w+/, 'the folder')
      .replace(/\d+( earlier)? lines/, 'n$1 lines'),
  );
}

function repository(): SampleRepo {
  const repo = sampleRepo();
  repos.push(repo);
  return repo;
}

async function serve(script: ServerScript, models: readonly string[] = []): Promise<ModelServer> {
  const server = await startModelServer({ api: 'openai-chat', script, models });
  servers.push(server);
  return server;
}

async function start(
  repo: SampleRepo,
  script: ServerScript,
  size: { rows: number },
): Promise<TerminalSession> {
  const { url } = await serve(script);
  return open(
    repo.folder,
    llmcodeHome([{ id: 'local', api: 'openai-chat', url, model: 'test-model' }]),
    size,
  );
}

function open(
  cwd: string,
  home: string,
  options: { args?: readonly string[]; rows?: number; columns?: number } = {},
): TerminalSession {
  const session = new TerminalSession({ cwd, env: { LLMCODE_HOME: home }, columns: 100, ...options });
  sessions.push(session);
  return session;
}

import { writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { cleanText } from '#lib/terminal-text.ts';
import { llmcodeHome } from '../support/e2e/home.ts';
import { attackMarks, attacks, hostileTexts } from '../support/e2e/hostile-strings.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, type ServerScript, startModelServer } from '../support/model-servers/index.ts';
import { strangeOutput } from '../support/pty/strange-output.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

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
    ...texts.map((text, index) => `- ${index} ${text} .`),
    `| a | b |\n| - | - |\n| ${attacks.palette}x | \x1b[7mreverse |`,
    `\`\`\`js\nconst a = '\x1b]52;c;UExBTlRFRA==\x07'; // \x1b[38;2;1;2;3m\n\`\`\``,
    '**bold \x1b[0m\x1b[38;2;1;2;3m text** and [a link\x1b]8;;x\x07](https://example.com/\x9b2J) and `code \x1b[7m`',
  ].join('\n\n');
  const session = await start(repo, [
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
  ]);
  await session.waitFor('test-model');
  session.type('go\r');
  await session.waitFor((screen) => / no\./.test(screen) && !screen.includes('esc stops'));
  expect(session.screen()).toContain('▌ go');
  expectHarmless(session);
  return pictureOf(session);
}

function expectHarmless({ raw }: TerminalSession): void {
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

async function start(repo: SampleRepo, script: ServerScript, rows = 40): Promise<TerminalSession> {
  const server = await startModelServer({ api: 'openai-chat', script });
  servers.push(server);
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  const session = new TerminalSession({
    cwd: repo.folder,
    env: { LLMCODE_HOME: home },
    columns: 100,
    rows: 40,
  });
  sessions.push(session);
  return session;
}

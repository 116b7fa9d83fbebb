import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { codeColoured } from '../support/e2e/code-coloured.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { llmcodeHome } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, type ServerScript, startModelServer } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let server: ModelServer | undefined;
const sessions: TerminalSession[] = [];
let repo: SampleRepo | undefined;

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.end();
  await server?.close();
  repo?.remove();
});

const paragraphs = [
  'Plain words that go on and on until they fill more than one row of a window that is not very wide at all.',
  '漢字と仮名が混ざった文章は幅が二倍になるので、折り返しの場所がずれないことを確かめます。終わり。',
  '한국어 문장도 같은 방법으로 줄이 바뀌어야 하며 글자가 반으로 잘리면 안 됩니다. 끝.',
  'Families 👨‍👩‍👧‍👦 and 👩🏽‍💻 and flags 🇩🇪🇯🇵 and hearts ❤️ and keys 1️⃣ and thumbs 👍🏿 stand among words.',
  'Marks: e\u0301 a\u030a o\u0308\u0304 and n\u0303; ｆｕｌｌｗｉｄｔｈ letters; สวัสดีครับ; नमस्ते; שלום; مرحبا.',
];
const code = 'const 合計 = items.reduce((all, item) => all + item.price, 0); // 合計 👍';
const table = ['| name | 数量 |', '| --- | --- |', '| りんご | 1,200 |', '| pear 🍐 | 7 |'];
const blocks = [...paragraphs, ...paragraphs.toReversed(), `\`\`\`js\n${code}\n\`\`\``, table.join('\n')];
const stormSteps = 100;
const stepMs = 20;

it('has the right cells after a storm of resizes, in every size and in a fresh session', async () => {
  const storm = Promise.withResolvers<void>();
  const text = blocks.join('\n\n');
  const home = await start([
    {
      parts: [
        { reasoning: '考えています 👩‍🔬' },
        { text },
        { wait: storm.promise },
        { text: '\n\nThe end.' },
      ],
      gapMs: 10,
    },
  ]);
  const session = open(home);
  await session.waitFor('test-model');
  session.type('erzähle 漢字 👨‍👩‍👧\r');
  await session.waitFor('Plain words');
  const startedAt = performance.now();
  for (let step = 1; step <= stormSteps; step += 1) {
    session.resize(30 + ((step * 37) % 140), 6 + ((step * 13) % 50));
    await pause(Math.max(0, startedAt + step * stepMs - performance.now()));
  }
  expect(performance.now() - startedAt).toBeLessThan(stormSteps * stepMs + 500);
  await resized(session, 80, 24);
  expect(session.screen()).toContain('esc stops');
  storm.resolve();
  await session.waitFor((screen) => screen.includes('The end.') && !screen.includes('esc stops'));
  await codeColoured(session, 'const');
  await expectSettled(session);

  await resized(session, 200, 60);
  await expectSettled(session);
  const shown = withoutBlanks(session.screen());
  for (const block of [...paragraphs, code, '│1,200', '🍐│7', 'The end.']) {
    expect(shown).toContain(withoutBlanks(block));
  }

  session.resize(30, 8);
  await session.waitFor('window too small');
  expect(session.lines().filter((line) => line !== '')).toEqual([
    expect.stringContaining('window too small'),
    expect.stringContaining('30x8, needs 40x10'),
  ]);
  await resized(session, 40, 10);
  await expectSettled(session);
  expect(session.screen()).toContain('The end.');
  await resized(session, 120, 45);
  await expectSettled(session);

  const seen = transcriptRows(session);
  session.kill('SIGTERM');
  await session.exited;
  const fresh = open(home, { args: ['--continue'], columns: 120, rows: 45 });
  await fresh.waitFor('The end.');
  await codeColoured(fresh, 'const');
  await settled(fresh);
  expect(transcriptRows(fresh)).toEqual(seen);
});

it('keeps all rows in place in a terminal that takes emoji for wider than they are', async () => {
  const text = `Above.\n\n${'👨‍👩‍👧‍👦'.repeat(70)}\n\n${'🇩🇪 👍🏽 '.repeat(40)}\n\nBelow.`;
  const session = open(await start([{ parts: [{ text }] }]), { widths: 'old' });
  await session.waitFor('test-model');
  session.type('go\r');
  await session.waitFor((screen) => screen.includes('Below.') && !screen.includes('esc stops'));
  await expectSettled(session);
  const lines = session.lines();
  expect(lines[0]).toBe('  ▌ go');
  expect(lines.indexOf('    Below.') - lines.indexOf('  ● Above.')).toBe(10);
  expect(lines.at(-3)).toContain('❯ say what to do');
  expect(lines.at(-1)).toContain('prompt ⇧⇥   test-model');
});

it('folds a paste of 5,000 lines into a chip and sends all of it', async () => {
  const session = open(await start([{ parts: [{ text: 'I have read it.' }] }]));
  await session.waitFor('test-model');
  session.type('漢字👨‍👩‍👧e\u0301');
  await session.waitFor('漢字');
  await eventually(() => session.cursor().column === 11, {
    what: 'the cursor behind 7 wide and 1 narrow cells',
  });
  session.type(' ');
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `${index}\t漢字 👩🏽‍💻 ${'word '.repeat(index % 9)}`,
  );
  // Terminals send a return for each line end of a paste.
  session.paste(lines.join('\r'));
  await session.waitFor('[pasted 5,000 lines]');
  session.type(' read it');
  await session.waitFor('lines] read it');
  await expectSettled(session);
  session.press('enter');
  await session.waitFor('I have read it.');
  expect(lastUserText(server)).toBe(`漢字👨‍👩‍👧e\u0301 ${lines.join('\n')} read it`);
});

async function start(script: ServerScript): Promise<string> {
  repo = sampleRepo();
  server = await startModelServer({ api: 'openai-chat', script });
  return llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
}

type Opened = { args?: readonly string[]; columns?: number; rows?: number; widths?: 'graphemes' | 'old' };

function open(home: string, options: Opened = {}): TerminalSession {
  const session = new TerminalSession({ cwd: repo?.folder ?? '', env: { LLMCODE_HOME: home }, ...options });
  sessions.push(session);
  return session;
}

const redraw = '\x1b[H\x1b[J';

/** Another size, and the redraw that follows as soon as the size stays as it is. */
async function resized(session: TerminalSession, columns: number, rows: number): Promise<void> {
  const before = session.raw.length;
  session.resize(columns, rows);
  await eventually(() => session.raw.includes(redraw, before), { what: 'a redraw after the resize' });
  await settled(session);
}

/** What is on the screen is what is there when everything is drawn anew. */
async function expectSettled(session: TerminalSession): Promise<void> {
  await settled(session);
  const picture = session.picture();
  const before = session.raw.length;
  session.press('ctrl+l');
  await eventually(() => session.raw.includes(redraw, before), { what: 'a redraw after Ctrl+L' });
  await settled(session);
  expect(session.picture()).toEqual(picture);
}

/** All that was under way is on the screen: a key that is typed now shows, and goes again. */
async function settled(session: TerminalSession): Promise<void> {
  session.type('§');
  await session.waitFor('§');
  session.press('backspace');
  await session.waitUntilGone('§');
}

/** The conversation as it looks, without the prompt and the status line below it. */
function transcriptRows(session: TerminalSession): string[] {
  return session.picture().slice(0, -4);
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function lastUserText(from: ModelServer | undefined): string {
  const messages: { role: string; content: unknown }[] = from?.requests.at(-1)?.body.messages ?? [];
  const { content } = messages.findLast(({ role }) => role === 'user') ?? {};
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}

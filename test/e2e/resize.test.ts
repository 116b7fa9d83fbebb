import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/e2e/eventually.ts';
import { llmcodeHome } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { type ModelServer, startModelServer } from '../support/model-servers/index.ts';
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
const code = ['```js', 'const 合計 = items.reduce((all, item) => all + item.price, 0); // 合計 👍', '```'];
const table = ['| name | 数量 |', '| --- | --- |', '| りんご | 1,200 |', '| pear 🍐 | 7 |'];
const answer = [
  ...paragraphs,
  ...paragraphs.toReversed(),
  code.join('\n'),
  table.join('\n'),
  'The end.',
].join('\n\n');

it('draws the right cells after a storm of resizes, in every size, and in a fresh session', async () => {
  repo = sampleRepo();
  server = await startModelServer({
    api: 'openai-chat',
    script: [{ parts: [{ reasoning: '考えています 👩‍🔬 …' }, { text: answer }], gapMs: 15 }],
  });
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  const session = open(home);
  await session.waitFor('test-model');
  session.type('erzähle 漢字 👨‍👩‍👧\r');
  await session.waitFor('Plain words');

  const start = performance.now();
  for (let step = 0; step < 100; step += 1) {
    session.resize(30 + ((step * 37) % 140), 6 + ((step * 13) % 50));
    await pause(Math.max(0, start + (step + 1) * 20 - performance.now()));
  }
  console.log('storm', Math.round(performance.now() - start));
  for (const [columns, rows] of [
    [80, 24],
    [200, 60],
    [40, 10],
    [80, 24],
  ] as const) {
    await resized(session, columns, rows);
    if (columns === 80) {
      await session.waitFor('The end.');
      await session.waitFor((screen) => !screen.includes('esc stops'));
    }
    await settled(session);
    console.log(session.screen());
    const before = session.picture();
    await redrawn(session);
    expect(session.picture()).toEqual(before);
  }
});

function open(home: string, args: readonly string[] = []): TerminalSession {
  const cwd = repo?.folder ?? '';
  const session = new TerminalSession({ args, cwd, env: { LLMCODE_HOME: home } });
  sessions.push(session);
  return session;
}

const clear = '\x1b[H\x1b[J';

/** Another size, and the redraw that follows when the size stays as it is. */
async function resized(session: TerminalSession, columns: number, rows: number): Promise<void> {
  const before = session.raw.length;
  session.resize(columns, rows);
  await eventually(() => session.raw.indexOf(clear, before) >= 0, { what: 'a redraw after the resize' });
}

async function redrawn(session: TerminalSession): Promise<void> {
  const before = session.raw.length;
  session.press('ctrl+l');
  await eventually(() => session.raw.indexOf(clear, before) >= 0, { what: 'a redraw after Ctrl+L' });
  await settled(session);
}

/** All that was under way has been drawn: a key that is typed now shows, and goes again. */
async function settled(session: TerminalSession): Promise<void> {
  session.type('§');
  await session.waitFor('§');
  session.press('backspace');
  await session.waitUntilGone('§');
}

import { afterEach, expect, test } from 'vitest';
import { terminal } from './scene.ts';
import { Screen } from './screen.tsx';

let screen = new Screen();
const open = (options: ConstructorParameters<typeof Screen>[0] = {}) => {
  screen.close();
  screen = new Screen(options);
  return screen;
};
afterEach(() => screen.close());

test('an empty transcript says who is there and which keys help', async () => {
  open();
  expect(await screen.rows()).toEqual([
    '',
    '  ▌ llmcode 1.2.3   ~/shop',
    '  ▌ demo/demo',
    '  ▌',
    '  ▌ /  commands',
  ]);
});

test('a notice before the first word leaves the welcome where it is', async () => {
  open();
  screen.store.addNotice({ level: 'info', text: 'one model found' });
  expect((await screen.rows()).slice(-2)).toEqual(['', '  · one model found']);
  expect((await screen.rows())[1]).toBe('  ▌ llmcode 1.2.3   ~/shop');
});

test('a turn reads from the words of the person to the answer', async () => {
  open({ height: 40 });
  screen.scene
    .user('fix it')
    .turn()
    .begin()
    .thought('Let me see.')
    .text('I look.')
    .tool('grep_search', 'coupon', { summary: '9 hits in 4 files', durationMs: 120 })
    .tool('bash', 'npm test', {
      summary: '1 failed',
      durationMs: 2_400,
      view: terminal('expected 1\ngot 2\n', { exitCode: 1 }),
    })
    .tool('edit_file', 'src/a.ts', {
      view: {
        kind: 'diff',
        path: 'src/a.ts',
        change: 'modify',
        added: 1,
        removed: 1,
        hunks: [
          {
            oldStart: 9,
            newStart: 9,
            lines: [
              { op: ' ', text: 'a' },
              { op: '-', text: 'const b = one' },
              { op: '+', text: 'const b = two' },
            ],
          },
        ],
      },
    })
    .tool('write_file', 'x.ts', { status: 'denied' })
    .tool('bash', 'sleep 9', { status: 'aborted' })
    .end('tool-calls')
    .begin()
    .text('Done.')
    .end()
    .turnEnd();
  expect(await screen.rows()).toMatchInlineSnapshot(`
    [
      "  ▌ fix it",
      "",
      "    thought for 8s ▸",
      "",
      "  ● I look.",
      "",
      "    ▸ grep_search  coupon               9 hits in 4 files                 0.1s",
      "    ✗ bash         npm test             exit 1 · 1 failed                 2.4s",
      "        expected 1",
      "        got 2",
      "    ▸ edit_file    src/a.ts             +1 −1",
      "         9     a",
      "        10  −  const b = one",
      "        10  +  const b = two",
      "    ⊘ write_file   x.ts                 denied",
      "    ■ bash         sleep 9              stopped",
      "",
      "  ● Done.",
    ]
  `);
});

test('text that streams is there while it comes, and the same when it is complete', async () => {
  open();
  const text = 'One **two**\n\n- three\n- four\n\n```\ncode\n```\n';
  screen.scene.user('go').turn().begin().textStart();
  for (const piece of text.match(/.{1,5}/gs) ?? []) screen.scene.delta(piece);
  const streamed = await screen.rows();
  screen.scene.textEnd(text).end().turnEnd();
  expect(await screen.rows()).toEqual(streamed);
  expect(streamed).toEqual(['  ▌ go', '', '  ● One two', '', '    • three', '    • four', '', '      code']);
});

test('thinking is one line that opens', async () => {
  open();
  screen.scene.user('go').turn().begin().thought('First this.\n\nThen that.').end().turnEnd();
  expect(await screen.rows()).toEqual(['  ▌ go', '', '    thought for 8s ▸']);
  screen.actions.toggleExpand();
  expect(await screen.rows()).toEqual([
    '  ▌ go',
    '',
    '    thought for 8s ▾',
    '      First this.',
    '',
    '      Then that.',
  ]);
  screen.actions.toggleExpand();
  expect(await screen.rows()).toHaveLength(3);
});

test('more than six quiet calls in a row become one line that opens', async () => {
  open({ height: 30 });
  screen.scene.user('go').turn().begin();
  for (let at = 1; at <= 7; at += 1) screen.scene.tool('read_file', `f${at}.ts`, { summary: '1 line' });
  expect((await screen.rows()).slice(2).map((row) => row.trim().split(/\s+/).slice(0, 3).join(' '))).toEqual([
    '▸ 4 calls',
    '▸ read_file f5.ts',
    '▸ read_file f6.ts',
    '▸ read_file f7.ts',
  ]);
  screen.scene.text('So.').end().turnEnd();
  const folded = await screen.rows();
  expect(folded[2]).toMatch(/^ {4}▸ 7 calls {6}read_file ×7 +0\.1s$/);
  expect(folded).toHaveLength(5);
  screen.actions.toggleExpand();
  expect(await screen.rows()).toHaveLength(12);
});

test('a running call shows the newest output, and what waits says so', async () => {
  open();
  screen.scene.user('go').turn().begin();
  const first = screen.scene.call('bash', 'make');
  const second = screen.scene.call('edit_file', 'a.ts');
  screen.scene
    .end('tool-calls')
    .run(first)
    .progress(first, terminal('1\n2\n3\n4\n5\n6\n7\n', { running: true, exitCode: null }));
  screen.scene.send({
    kind: 'permission-request',
    request: { id: 'p', callId: second, tool: 'edit_file', title: 'a.ts', input: {}, cwd: '/', reasons: [] },
  });
  const rows = await screen.rows();
  expect(rows.map((row) => row.trim().replaceAll(/\s+/g, ' '))).toEqual([
    '▌ go',
    '',
    expect.stringMatching(/^⠋ bash make \d+s$/),
    '… 2 earlier lines ctrl+o',
    '3',
    '4',
    '5',
    '6',
    '7',
    '? edit_file a.ts asks you',
  ]);
});

test('what llmcode itself tells the model is no message of the person', async () => {
  open();
  const note = 'Plan mode is on. Read and search\nas you need.';
  screen.scene.user('plan it').user(`<engine-note>\n${note}\n</engine-note>`, { origin: 'engine' }).turn();
  expect(await screen.rows()).toEqual(['  ▌ plan it', '', '  · told the model: Plan mode is on.']);
});

test('an error is said once, wrapped as prose, and hidden lines are counted right', async () => {
  open({ height: 30 });
  const words = 'old_string was not found in src/a.ts. White space and every character count, read it again.';
  const output = Array.from({ length: 40_000 }, (_, at) => `line ${at + 1}\n`).join('');
  screen.scene
    .user('go')
    .turn()
    .begin()
    .tool('edit_file', 'src/a.ts', { status: 'error', forModel: [{ kind: 'text', text: words }] })
    .tool('bash', 'seq', { summary: '40,000 lines', view: terminal(output) })
    .tool('poke', 'x', {
      status: 'denied',
      summary: 'you said: not now',
      forModel: [{ kind: 'text', text: words }],
    })
    .end('tool-calls');
  const rows = await screen.rows();
  expect(rows.map((row) => row.trim().replaceAll(/\s+/g, ' '))).toEqual([
    '▌ go',
    '',
    '✗ edit_file src/a.ts failed',
    'old_string was not found in src/a.ts. White space and every character',
    'count, read it again.',
    '▸ bash seq 40,000 lines',
    '… 39,997 earlier lines ctrl+o',
    'line 39998',
    'line 39999',
    'line 40000',
    '⊘ poke x you said: not now',
  ]);
});

test('whoever scrolls up stays where they read, and is told what came', async () => {
  open({ height: 8 });
  screen.scene.user('go').turn().begin().textStart();
  for (let at = 1; at <= 30; at += 1) screen.scene.delta(`line ${at}\n\n`);
  expect((await screen.rows()).at(-1)).toBe('    line 30');
  screen.actions.scroll(-10);
  const before = await screen.rows();
  expect(screen.actions.isFollowing()).toBe(false);
  expect(before.at(-1)).toBe('  ↓ more below  ctrl+end follows');
  screen.scene.delta('line 31\n\nline 32');
  const after = await screen.rows();
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  expect(after.at(-1)).toBe('  ↓ 4 new rows below  ctrl+end follows');
  screen.actions.toNewest();
  expect((await screen.rows()).at(-1)).toBe('    line 32');
  screen.actions.toTop();
  expect((await screen.rows())[0]).toBe('  ▌ go');
  for (let at = 0; at < 20; at += 1) screen.actions.page('down');
  expect(screen.actions.isFollowing()).toBe(true);
});

test('another width keeps the cell that is read on the screen', async () => {
  open({ height: 6, width: 80 });
  for (let at = 1; at <= 20; at += 1) screen.scene.user(`message ${at} ${'word '.repeat(20)}`);
  await screen.settle();
  screen.actions.toTop();
  screen.actions.scroll(12);
  const first = (await screen.rows()).find((row) => row.includes('message'));
  screen.resize(50, 6);
  expect((await screen.rows()).some((row) => row.includes((first ?? '').trim().slice(2, 12)))).toBe(true);
  screen.resize(12, 3);
  for (const row of await screen.rows()) expect(row.length).toBeLessThanOrEqual(12);
});

test('a command of the person runs under their own bar and stays there', async () => {
  open();
  const view = (output: string) => terminal(output, { command: 'make\ntest', running: true, exitCode: null });
  screen.scene.send({ kind: 'tool-run-start', messageId: 'm', callId: 'shell_1' });
  screen.scene.send({ kind: 'tool-run-progress', messageId: 'm', callId: 'shell_1', view: view('one\n') });
  expect((await screen.rows()).map((row) => row.trim())).toEqual([
    expect.stringMatching(/^▌ ! make ⏎ test {2}\d+s$/),
    'one',
  ]);
  screen.scene.send({
    kind: 'tool-run-end',
    messageId: 'm',
    callId: 'shell_1',
    result: { status: 'ok', forModel: [], durationMs: 3 },
  });
  const text = `<shell-command>make\ntest</shell-command>\n<shell-output exit="2">\none\ntwo\n</shell-output>`;
  screen.scene.user(text, { origin: 'shell' });
  expect(await screen.rows()).toEqual(['  ▌ ! make ⏎ test  exit 2', '        one', '        two']);
});

test('how a turn ended is told with what to do, and stays when the next one runs', async () => {
  open();
  screen.scene.user('go').turn().begin().textStart().delta('Half a sen').end('aborted').turnEnd('aborted');
  expect(await screen.rows()).toEqual(['  ▌ go', '', '  ● Half a sen', '', '  ■ interrupted']);
  screen.scene.user('again').turn().turnEnd('error', 'The key was refused (401).\nSet OPENAI_API_KEY.');
  screen.scene.user('third').turn();
  expect((await screen.rows()).slice(6)).toEqual([
    '  ▌ again',
    '',
    '  ✗ The key was refused (401).',
    '    Set OPENAI_API_KEY.',
    '',
    '  ▌ third',
  ]);
});

test('notices and summaries stand where they happened', async () => {
  open();
  screen.scene.user('one');
  screen.store.addNotice({ level: 'warning', text: 'mind `this`' });
  screen.scene.send({
    kind: 'thread-compacted',
    summary: 'We did one.',
    keptFrom: null,
    tokensBefore: 41_000,
    tokensAfter: 6_000,
  });
  screen.scene.user('two');
  const rows = await screen.rows();
  expect(rows.slice(0, 3)).toEqual(['  ▌ one', '', '  ! mind this']);
  expect(rows[4]).toMatch(/^ {2}── summarised from here up · 41\.0k tok → 6\.0k tok ▸ ─+$/);
  expect(rows.at(-1)).toBe('  ▌ two');
});

test('nothing that a model or a tool says reaches the terminal as a command', async () => {
  open({ height: 60 });
  const evil = 'x\x1b]52;c;QUJD\x07\x1b[2J\x9b31m\u202ey\x00';
  screen.scene
    .user(evil)
    .turn()
    .begin()
    .thought(evil)
    .text(`${evil}\n\n\`\`\`\n${evil}\n\`\`\`\n[l](${evil})`);
  screen.scene.tool(evil, evil, { summary: evil, view: terminal(evil) });
  screen.scene.tool('a', 'b', { status: 'error', forModel: [{ kind: 'text', text: evil }] });
  screen.scene.tool('a', 'b', { view: { kind: 'table', columns: [evil], rows: [[evil]] } });
  screen.scene.tool('a', 'b', { view: { kind: 'markdown', text: evil } });
  screen.scene.turnEnd('error', evil);
  screen.store.addNotice({ level: 'error', text: evil });
  await screen.settle();
  for (let at = 0; at < 3; at += 1) {
    screen.actions.toggleExpand();
    await screen.settle();
  }
  const bytes = screen.output.frames.join('');
  // Only colours and Ink's own cursor and mode sequences are left.
  const rest = bytes.replaceAll(/\x1b\[[0-9;?]*[mhl]/g, '');
  expect(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.exec(rest)?.[0]).toBeUndefined();
});

test('a long thread costs a frame no more than a short one', async () => {
  open({ height: 30 });
  for (let at = 0; at < 1_000; at += 1)
    screen.scene.user(`message ${at}`).begin().text(`**answer** ${at}\n\n- a\n- b`).end();
  await screen.settle();
  const { transcriptModel } = await import('../../../src/ui/transcript/transcript-model.ts');
  const model = transcriptModel(screen.store);
  const before = model.renders;
  expect(before).toBeLessThan(60);
  screen.scene.begin().textStart();
  for (let at = 0; at < 20; at += 1) {
    screen.scene.delta(`token ${at} `);
    await screen.settle();
  }
  expect(model.renders - before).toBeLessThan(30);
  screen.actions.page('up');
  await screen.settle();
  expect(model.renders - before).toBeLessThan(60);
});

import { expect, onTestFinished, test, vi } from 'vitest';
import type { EventBody } from '#protocol/event.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { rmRequest } from '../../support/ui/permission-request.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const model = { provider: 'ollama', model: 'qwen3-coder:30b' };
const delta = (text: string): EventBody => ({ kind: 'text-delta', messageId: 'a', partId: 't', text });
const answer: EventBody[] = [
  { kind: 'turn-start' },
  { kind: 'message-start', messageId: 'a', model },
  { kind: 'text-start', messageId: 'a', partId: 't' },
];

test('a window below 40x10 says so and comes back when it is large enough', async () => {
  const { terminal } = await mountScreen({ columns: 30, rows: 8 });
  await terminal.shows('window too small');
  await terminal.shows('30x8, needs 40x10');
  terminal.type('typed meanwhile');
  terminal.resize(80, 24);
  await terminal.shows('❯ typed meanwhile');
  await terminal.hides('window too small');
});

test('the smallest window shows transcript, activity, prompt and status', async () => {
  const { terminal, port } = await mountScreen({ columns: 40, rows: 10 });
  port.handle.emit(...answer, delta('I look at it.'));
  await terminal.shows('I look at it.');
  await terminal.shows('⠋ writing');
  const rows = terminal.rows();
  expect(rows[7]).toMatch(/^ \S writing +0s · esc stops$/);
  expect(rows[8]).toBe(' ❯ say more');
  expect(rows[9]).toMatch(/^ prompt {3}qwen3-coder:30b +esc stops$/);
});

test('a storm of resizes while text streams ends in a right screen', async () => {
  const { terminal, port } = await mountScreen({ columns: 100, rows: 30 });
  port.handle.emit(...answer);
  terminal.type('日本語 👩‍👩‍👧‍👦 draft');
  for (let turn = 0; turn < 100; turn += 1) {
    const size = [
      [80, 24],
      [200, 60],
      [30, 8],
      [61, 17],
    ][turn % 4] as [number, number];
    terminal.resize(...size);
    port.handle.emit(delta(`word${turn} `));
    if (turn % 5 === 0) await new Promise(setImmediate);
  }
  terminal.resize(90, 28);
  port.handle.emit(delta('the-last-word'));
  await terminal.shows('the-last-word');
  await waitFor(() => terminal.rows()[25]?.startsWith('  ❯ 日本語'));
  await waitFor(() => terminal.rows()[26] === `  ${'─'.repeat(86)}`);
  const rows = terminal.rows();
  expect(rows).toHaveLength(28);
  expect(rows[24]).toBe(`  ${'─'.repeat(86)}`);
  expect(rows[27]).toMatch(/^ {2}prompt ⇧⇥ {3}qwen3-coder:30b · ollama .*⏎ steers/);
  expect(rows.filter((row) => row.includes('❯'))).toHaveLength(1);
  expect(rows.filter((row) => row.includes('writing'))).toHaveLength(1);
});

test('the cursor of the terminal stands where the next character goes, also behind wide ones', async () => {
  const { terminal } = await mountScreen();
  terminal.type('日本語');
  await terminal.shows('日本語');
  await waitFor(() => terminal.cursor().x === 10);
  terminal.type('\x1b[D');
  await waitFor(() => terminal.cursor().x === 8);
  expect(terminal.cursor()).toEqual({ x: 8, y: 21, isShown: true });
});

test('a long draft wraps, grows to a third of the window, and scrolls with the cursor', async () => {
  const { terminal } = await mountScreen();
  const lines = Array.from({ length: 12 }, (_, index) => `row${index + 1}`);
  for (const [index, line] of lines.entries()) {
    terminal.type(index === 0 ? line : `\n${line}`);
    await terminal.shows(line);
  }
  expect(terminal.rows().slice(13, 23)).toEqual([
    `  ${'─'.repeat(76)}`,
    ...lines.slice(4).map((line) => `    ${line}`),
    `  ${'─'.repeat(76)}`,
  ]);
  for (let step = 0; step < 11; step += 1) terminal.type('\x1b[A');
  await terminal.shows('❯ row1');
  expect(terminal.cursor()).toMatchObject({ y: 14 });
});

test('a paste of 5,000 lines is one chip at once', async () => {
  const { terminal, port } = await mountScreen();
  const text = 'a line of the paste\n'.repeat(5_000);
  terminal.type(`\x1b[200~${text}\x1b[201~`);
  await terminal.shows('❯ [pasted 5,000 lines]');
  terminal.type('\x7f');
  await terminal.hides('pasted');
  terminal.type('\x1f');
  await terminal.shows('[pasted 5,000 lines]');
  terminal.type('\r');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toMatchObject([{ text: text.trim() }]);
});

test('typing while text streams costs few bytes and no full clear', async () => {
  const { terminal, port } = await mountScreen({ columns: 120, rows: 40 });
  port.handle.emit(...answer);
  for (let word = 0; word < 400; word += 1) {
    port.handle.emit(delta(`word${word} `));
    if (word % 20 === 0) {
      terminal.type('x');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  await terminal.shows('word399');
  await terminal.shows(`❯ ${'x'.repeat(20)}`);
  const start = terminal.output().length;
  terminal.type('y');
  await terminal.shows(`${'x'.repeat(20)}y`);
  expect(terminal.output().length - start).toBeLessThan(800);
  const drawn = terminal.output().slice(terminal.output().indexOf('word0'));
  expect(drawn).not.toMatch(/\x1b\[2J|\x1b\[3J|\x1b\[H\x1b\[J/);
});

test('a key in a quiet screen writes only what changed', async () => {
  const { terminal } = await mountScreen({ columns: 120, rows: 40 });
  terminal.type('ab');
  await terminal.shows('❯ ab');
  const start = terminal.output().length;
  terminal.type('c');
  await terminal.shows('❯ abc');
  await waitFor(() => terminal.output().endsWith('\x1b[?2026l'));
  expect(terminal.output().length - start).toBeLessThan(90);
});

test('an idle screen writes nothing and waits for nothing', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
  });
  const { terminal } = await mountScreen();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  await terminal.shows('main ±2');
  await vi.advanceTimersByTimeAsync(2_000);
  const written = terminal.output().length;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(terminal.output().length).toBe(written);
  expect(vi.getTimerCount()).toBe(0);
});

test('ctrl+l draws everything anew', async () => {
  const { terminal } = await mountScreen();
  await terminal.shows('main ±2');
  terminal.streams.stdout.write('\x1b[5;5Hgarbage of another program\x1b[23;1H');
  await terminal.shows('garbage');
  terminal.type('\x0c');
  await terminal.hides('garbage');
  await terminal.shows('❯ say what to do');
  expect(terminal.rows()[21]).toBe('  ❯ say what to do · @ file · / command · ! shell');
  await waitFor(() => terminal.cursor().y === 21);
});

test('the wheel and the page keys scroll, ctrl+end goes back to the newest', async () => {
  const { terminal, port } = await mountScreen();
  for (let index = 0; index < 40; index += 1)
    port.handle.emit({
      kind: 'message-added',
      message: {
        id: `m${index}`,
        role: 'user',
        parts: [{ id: `p${index}`, kind: 'text', text: `question ${index}` }],
        createdAt: 0,
      },
    });
  await terminal.shows('question 39');
  terminal.type('\x1b[<64;10;5M');
  await terminal.hides('question 39');
  await terminal.shows('ctrl+end');
  terminal.type('\x1b[5~\x1b[5~');
  await terminal.shows('question 15');
  terminal.type('\x1b[1;5F');
  await terminal.shows('question 39');
  terminal.type('\x1b[1;5H');
  await terminal.shows('question 0');
  terminal.type('\x1b');
  await terminal.shows('question 39');
});

test('a question in a window too small to show it is not answered by a key', async () => {
  const { terminal, port } = await mountScreen({ columns: 80, rows: 24 });
  port.handle.emit({ kind: 'turn-start' });
  port.handle.emit(rmRequest);
  await terminal.shows('bash wants to run');
  // The keys of the dialog light up when it takes them.
  await waitFor(() => terminal.output().includes('\x1b[1my'));
  terminal.resize(20, 5);
  await terminal.shows('window too small');
  terminal.type('y\r');
  terminal.resize(80, 24);
  await terminal.shows('bash wants to run');
  expect(port.handle.submitted).toEqual([]);
  terminal.type('y');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([
    { kind: 'answer-permission', requestId: 'r', answer: { kind: 'once' } },
  ]);
});

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import { emptyTotals } from '#protocol/usage-totals.ts';
import { compactOutput } from '#ui/frame/compact-output.ts';
import { farewellLines } from '#ui/frame/farewell.ts';
import { createThemeChoice } from '#ui/frame/theme-choice.ts';

const thread = emptyThreadState({ threadId: '01J', cwd: '/w', mode: 'prompt' });
const question = {
  id: 'm',
  role: 'user' as const,
  parts: [{ id: 'p', kind: 'text' as const, text: 'hi' }],
  createdAt: 0,
};

test('steps over unchanged rows and the parts of a frame are written as one, everything else as it is', () => {
  const written: string[] = [];
  const stream = Object.assign(new EventEmitter(), {
    columns: 80,
    write: (chunk: string) => written.push(chunk) > 0,
  });
  const compact = compactOutput(stream as unknown as NodeJS.WriteStream);
  compact.write('\x1b[?2026h\x1b[E\x1b[E\x1b[Erow\n\x1b[Elast');
  expect(written).toEqual(['\x1b[?2026h\x1b[3Erow\n\x1b[Elast']);
  for (const part of ['\x1b[?2026h', 'row\n', '\x1b[?2026l', 'alone']) compact.write(part);
  expect(written.slice(1)).toEqual(['\x1b[?2026hrow\n\x1b[?2026l', 'alone']);
  let resized = 0;
  const onResize = () => {
    resized += 1;
  };
  compact.on('resize', onResize);
  stream.emit('resize');
  compact.off('resize', onResize);
  stream.emit('resize');
  stream.columns = 100;
  expect({ resized, columns: compact.columns }).toEqual({ resized: 1, columns: 100 });
});

test('the farewell tells how to come back, but not to a conversation that never began', () => {
  expect(farewellLines(thread)).toEqual([]);
  expect(farewellLines({ ...thread, messages: [question] })).toEqual(['To come back: llmcode --resume 01J']);
  const named = {
    ...thread,
    name: 'totals',
    messages: [question],
    totals: { ...emptyTotals, steps: 2, costUsd: 0.5 },
  };
  expect(farewellLines({ ...thread, messages: [question] }, 'npm start --')).toEqual([
    'To come back: npm start -- --resume 01J',
  ]);
  expect(farewellLines(named)).toEqual(['To come back to totals: llmcode --resume 01J   ($0.50)']);
});

const themes: Record<string, string> = {
  dark: JSON.stringify({ name: 'dark', appearance: 'dark', colors: {} }),
  light: JSON.stringify({ name: 'light', appearance: 'light', colors: {} }),
  broken: '{',
};

function choose(themeId: string, env: Record<string, string> = {}, reply?: string) {
  let answer = (_reply: string): void => undefined;
  const asked: string[] = [];
  const choice = createThemeChoice({
    themeId,
    loadText: (id) => themes[id],
    env: { TERM: 'xterm-256color', ...env },
    clock: systemClock,
    write: (text) => {
      asked.push(text);
      if (reply) answer(reply);
    },
    onReply: (listener) => {
      answer = listener;
      return () => undefined;
    },
  });
  return { choice, asked };
}

test('a theme that cannot be read or found gives way to the base one', () => {
  expect(choose('broken').choice.first().name).toBe('base');
  expect(choose('missing').choice.first().name).toBe('base');
  expect(choose('missing').choice.find('missing')).toBeUndefined();
  expect(choose('light').choice.first().name).toBe('light');
});

test('the automatic theme goes by what the terminal says of its background', async () => {
  const found: string[] = [];
  const { choice, asked } = choose('auto', {}, '11;rgb:ffff/ffff/ffff');
  expect(choice.first().name).toBe('dark');
  await choice.askTerminal((theme) => found.push(theme.name));
  expect(asked).toHaveLength(1);
  expect(found).toEqual(['light']);
});

test('what the terminal said is known when the automatic theme is chosen later', async () => {
  const found: string[] = [];
  const { choice } = choose('dark', {}, '11;rgb:ffff/ffff/ffff');
  await choice.askTerminal((theme) => found.push(theme.name));
  expect(found).toEqual([]);
  expect(choice.find('auto')?.name).toBe('light');
});

test('a terminal is asked only when the answer would change something', async () => {
  for (const { choice, asked } of [
    choose('auto', { COLORFGBG: '0;15' }),
    choose('auto', { NO_COLOR: '1' }),
  ]) {
    await choice.askTerminal(() => undefined);
    expect(asked).toEqual([]);
  }
  expect(choose('auto', { COLORFGBG: '0;15' }).choice.first().name).toBe('light');
});

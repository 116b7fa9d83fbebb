import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import {
  appearanceHint,
  backgroundQuery,
  parseBackgroundReply,
  queryBackground,
} from '../../../../src/ui/theme/background.ts';
import { type ColorLevel, detectColorLevel } from '../../../../src/ui/theme/color-level.ts';
import { paintSpans, span } from '../../../../src/ui/theme/span.ts';
import { parseHex } from '../../../../src/ui/theme/style-spec.ts';
import { fallbackTheme, loadTheme, parseThemeFile } from '../../../../src/ui/theme/theme.ts';
import { themeTokens } from '../../../../src/ui/theme/tokens.ts';

const folder = path.resolve(import.meta.dirname, '../../../../themes');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

describe.each(files)('themes/%s', (name) => {
  const theme = parseThemeFile(read(name));

  test('names every token and itself', () => {
    expect(theme.name).toBe(path.basename(name, '.json'));
    expect(Object.keys(theme.colors).sort()).toEqual([...themeTokens].sort());
  });

  /** Lines of frames and the empty part of a meter carry no words. */
  const wordless = new Set(['border', 'meterEmpty']);

  // A theme of named colours leaves the mixing to the terminal.
  if (theme.background === undefined) return;
  test('every word can be read on its background', () => {
    const poor = Object.entries(theme.colors).flatMap(([token, style]) => {
      const { foreground, background } = style ?? {};
      const behind = background ?? theme.background;
      if (!foreground || !behind || wordless.has(token)) return [];
      const ratio = contrast(foreground, behind);
      return ratio >= 4.5 ? [] : [`${token}: ${ratio.toFixed(2)}`];
    });
    expect(poor).toEqual([]);
  });
});

test('the theme for sixteen colours names no other colour', () => {
  expect(read('ansi16.json')).not.toContain('#');
});

test('a style opens and closes what it changes, at each colour level', () => {
  const json = JSON.stringify({ name: 't', colors: { accent: '#ff8000 on #000000 bold' } });
  const painted = (colorLevel: ColorLevel) =>
    paintSpans(loadTheme(json, { colorLevel }), [span('x', 'accent')]);
  expect(painted('truecolor')).toBe('\x1b[38;2;255;128;0;48;2;0;0;0;1mx\x1b[22;49;39m');
  expect(painted('ansi256')).toBe('\x1b[38;5;208;48;5;16;1mx\x1b[22;49;39m');
  expect(painted('ansi16')).toBe('\x1b[36mx\x1b[39m');
  expect(painted('none')).toBe('\x1b[1mx\x1b[22m');
});

test('a broken theme file says which entry is wrong', () => {
  const load = (value: unknown) => () => loadTheme(JSON.stringify(value), { colorLevel: 'none' });
  expect(load({ name: 't', colors: { nope: 'red' } })).toThrow('unknown token "nope"');
  expect(load({ name: 't', colors: { text: 'reddish' } })).toThrow('"text" is no style: "reddish"');
  expect(load([])).toThrow('"name"');
  expect(() => loadTheme('{', { colorLevel: 'none' })).toThrow('not valid JSON');
});

test('an error in a theme file shows the line with a caret below the place', () => {
  const json = '{\n  "name": "t",\n  "colors": {\n    "acent": "red"\n  }\n}';
  const message = (text: string) => {
    try {
      loadTheme(text, { colorLevel: 'none' });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(message(json)).toContain('did you mean "accent"');
  expect(message(json)).toContain('line 4\n    "acent": "red"\n    ^');
  expect(message(json.replace('"t",', '"t"'))).toContain('line 3\n  "colors": {\n  ^');
});

test('a theme whose file was changed is another one for what was drawn', () => {
  const load = (color: string) =>
    loadTheme(JSON.stringify({ name: 't', colors: { accent: color } }), { colorLevel: 'truecolor' });
  expect(load('#112233').id).not.toBe(load('#332211').id);
  expect(load('#112233').id).toBe(load('#112233').id);
});

test('whatever a span holds, only the sequences of the theme leave it', () => {
  const theme = fallbackTheme({ colorLevel: 'ansi16' });
  expect(paintSpans(theme, [span('a\x1b[2Jb\tc\nd', 'accent')])).toBe('\x1b[36mab c d\x1b[39m');
});

test.each([
  [{ NO_COLOR: '1', COLORTERM: 'truecolor' }, 'none'],
  [{ NO_COLOR: '', TERM: 'xterm-256color' }, 'ansi256'],
  [{ TERM: 'dumb' }, 'none'],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, 'ansi16'],
  [{ FORCE_COLOR: '0', COLORTERM: 'truecolor' }, 'none'],
  [{ FORCE_COLOR: '3' }, 'truecolor'],
  [{ COLORTERM: 'truecolor', TERM: 'screen' }, 'truecolor'],
  [{ TERM: 'xterm-kitty' }, 'truecolor'],
  [{ TERM: 'xterm' }, 'ansi16'],
  [{}, 'ansi16'],
] as const)('the environment %j means %s colours', (env, level) => {
  expect(detectColorLevel(env)).toBe(level);
});

test('the background is read from the reply of the terminal, or from a hint', () => {
  expect(parseBackgroundReply('11;rgb:1e1e/1e1e/2e2e')).toBe('dark');
  expect(parseBackgroundReply('\x1b]11;rgb:ff/ff/ff\x07')).toBe('light');
  expect(parseBackgroundReply('11;?')).toBeUndefined();
  expect(appearanceHint({ COLORFGBG: '15;0' })).toBe('dark');
  expect(appearanceHint({ COLORFGBG: '0;default;15' })).toBe('light');
  expect(appearanceHint({})).toBeUndefined();
});

test('asking for the background takes the first fitting reply and gives up in time', async () => {
  const written: string[] = [];
  let reply: (text: string) => void = () => undefined;
  let timeout: () => void = () => undefined;
  const clock: Clock = {
    now: () => 0,
    wait: () => Promise.resolve(),
    after: (_ms, callback) => {
      timeout = callback;
      return () => undefined;
    },
  };
  const ask = () =>
    queryBackground({
      write: (text) => written.push(text),
      onReply: (listener) => {
        reply = listener;
        return () => undefined;
      },
      clock,
      timeoutMs: 100,
    });
  const first = ask();
  reply('10;rgb:ffff/ffff/ffff');
  reply('11;rgb:0000/0000/0000');
  expect(await first).toBe('dark');
  const second = ask();
  timeout();
  expect(await second).toBeUndefined();
  expect(written).toEqual([backgroundQuery, backgroundQuery]);
});

/** WCAG 2: relative luminance of both colours. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (parseHex(color) ?? []).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

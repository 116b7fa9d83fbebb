import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultKeymap } from '../../../../src/ui/input/keymap.ts';
import { createUiStore } from '../../../../src/ui/store/ui-store.ts';
import { fallbackTheme } from '../../../../src/ui/theme/theme.ts';
import {
  cellText,
  countMatches,
  markMatches,
  searchPattern,
} from '../../../../src/ui/transcript/search/matches.ts';
import { TranscriptModel } from '../../../../src/ui/transcript/transcript-model.ts';
import { Scene } from '../../../ui/transcript/scene.ts';

const theme = fallbackTheme({ colorLevel: 'none' });
const pattern = (query: string) => searchPattern(query) ?? /(?!)/g;
const typed = (text: string) => ({ name: text, text, ctrl: false, alt: false, shift: false });
const pressed = (name: string, shift = false) => ({ name, text: '', ctrl: false, alt: false, shift });

test('small letters find both cases, a capital only itself, and signs stand for themselves', () => {
  const text = cellText(['Total total TOTAL', 'a.b axb']);
  expect(['total', 'Total', 'a.b', ' '].map((query) => countMatches(text, pattern(query)))).toEqual([
    3, 1, 1, 0,
  ]);
});

test('a match that was wrapped is marked in both rows, over the colours in it', () => {
  const rows = ['  a \u001b[31mgift\u001b[39m', '  card, gift'];
  expect(markMatches(rows, pattern('gift card'), 0)).toEqual([
    '  a \u001b[31m\u001b[7m\u001b[4mgift\u001b[24m\u001b[27m\u001b[39m',
    '  \u001b[7m\u001b[4mcard\u001b[24m\u001b[27m, gift',
  ]);
});

test('marks change no character of a row', () => {
  const row = fc.array(fc.constantFrom('a', 'b', ' ', '界', '\u001b[1m', '\u001b[22m'), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.constantFrom('a', 'ab', 'b a', '界'), (cells, query) => {
      const rows = cells.map((cell) => cell.join(''));
      const marked = markMatches(rows, pattern(query), 0);
      expect(marked.map((each) => stripVTControlCharacters(String(each)))).toEqual(
        rows.map((each) => stripVTControlCharacters(each)),
      );
    }),
  );
});

/** A long thread, a clock of which each look takes a millisecond, and the slices that wait. */
function longThread(messages: number) {
  let now = 0;
  const waiting: (() => void)[] = [];
  const clock = {
    now: () => now++,
    wait: async () => undefined,
    after: (_ms: number, callback: () => void) => {
      waiting.push(callback);
      return () => void waiting.splice(waiting.indexOf(callback) >>> 0, 1);
    },
  };
  const store = createUiStore();
  const scene = new Scene({ threadId: '', onEvent: (event) => store.apply(event) });
  for (let at = 0; at < messages; at += 1) scene.user(`prompt ${at} ${at % 10 === 0 ? 'needle' : 'hay'}`);
  store.publishNow();
  const model = new TranscriptModel(store, { clock });
  const layout = () => model.layout({ width: 80, height: 10, theme });
  const key = (each: ReturnType<typeof typed>) => model.searchKey(each, defaultKeymap);
  const read = () => {
    for (const each of waiting.splice(0)) each();
  };
  layout();
  return { store, model, layout, key, waiting, read };
}

test('a search reads a slice a time, from the newest up, and its count grows', () => {
  const { model, layout, waiting, read } = longThread(100);
  model.openSearch('needle');
  expect(model.search()).toMatchObject({ isComplete: false, count: 0 });
  while (waiting.length > 0) read();
  expect(model.search()).toMatchObject({ isComplete: true, count: 10, at: 10 });
  expect(layout().rows.join('\n')).toContain('prompt 90 \u001b[7m\u001b[4mneedle');
});

test('matches are walked around; before Enter Escape goes back, after it the match stays', () => {
  const { store, model, layout, key, waiting, read } = longThread(100);
  model.openSearch('');
  for (const letter of 'needle') key(typed(letter));
  while (waiting.length > 0) read();
  key(pressed('up'));
  expect(model.search()).toMatchObject({ query: 'needle', at: 9 });
  key(pressed('escape'));
  expect(store.getView()).toMatchObject({ search: null, scroll: { kind: 'follow' } });

  model.openSearch('needle');
  while (waiting.length > 0) read();
  key(typed('N'));
  expect(model.search()).toMatchObject({ at: 1 });
  key(typed('n'));
  key(pressed('enter'));
  key(pressed('enter', true));
  expect(model.search()).toMatchObject({ at: 10 });
  key(typed('n'));
  key(pressed('escape'));
  expect(model.search()).toBeNull();
  expect(layout().rows.join('\n')).toContain('prompt 80 needle');
});

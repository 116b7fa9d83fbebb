import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUiStore } from '../../../../src/ui/store/ui-store.ts';
import { fallbackTheme } from '../../../../src/ui/theme/theme.ts';
import { markRow } from '../../../../src/ui/transcript/mark-row.ts';
import { TranscriptModel } from '../../../../src/ui/transcript/transcript-model.ts';
import { Scene, terminal } from '../../../ui/transcript/scene.ts';

const theme = fallbackTheme({ colorLevel: 'none' });

function open({ width = 60, height = 40 } = {}) {
  const store = createUiStore();
  const scene = new Scene({ threadId: '', onEvent: (event) => store.apply(event) });
  const model = new TranscriptModel(store);
  const layout = () => {
    store.publishNow();
    return model.layout({ width, height, theme }).rows.map(String);
  };
  const rows = () => layout().map((row) => stripVTControlCharacters(row));
  const at = (words: string, column = 0) => {
    const row = rows().findIndex((each) => each.includes(words));
    return { row, column: (rows()[row]?.indexOf(words) ?? 0) + column };
  };
  /** From the first character of the one to the last one of the other. */
  const select = (from: string, to: string) => {
    model.press(at(from));
    model.dragTo(at(to, to.length - 1));
    return model.selectedText();
  };
  return { store, scene, model, layout, rows, at, select };
}

const prose =
  'The gift card is taken off before the percentage of the coupon, so the total is wrong when **both** are used.';
const code = `const total = subtotal.minus(card.amount).times(${'rate.'.repeat(8)}value);`;

test('a paragraph that was wrapped is one line again, code keeps its own indentation and loses that of the screen', () => {
  const { scene, rows, select } = open();
  scene
    .user('fix it')
    .begin()
    .text(`${prose}\n\n\`\`\`ts\nif (x) {\n  ${code}\n}\n\`\`\`\n\n- one\n- two`)
    .end();
  expect(rows().filter((row) => row.includes('gift card') || row.includes('both are used'))).toHaveLength(2);
  expect(select('The gift', 'used.')).toBe(prose.replaceAll('**', ''));
  expect(select('if (x)', '• two')).toBe(`  if (x) {\n    ${code}\n  }\n\n• one\n• two`);
  expect(select('if (x)', 'value);')).toBe(`if (x) {\n  ${code}`);
});

test('over several cells: no bar, no mark, and a line of output that is longer than the screen is one line', () => {
  const { scene, select } = open();
  const long = `error: ${'/projects/shop/src/'.repeat(4)}a.ts`;
  scene
    .user('first line\nsecond line')
    .begin()
    .tool('bash', 'npm test', { view: terminal(`${long}\nend`), summary: 'done' })
    .text('Done.')
    .end();
  const text = select('first line', 'Done.').split('\n');
  expect(text.slice(0, 2)).toEqual(['first line', 'second line']);
  expect(text.find((line) => line.startsWith('bash'))).toContain('npm test');
  expect(text.map((line) => line.trim())).toContain(long);
  expect(text.at(-1)).toBe('Done.');
});

test('what is selected stays on its words while more is said and while the window scrolls', () => {
  const { scene, model, layout, select } = open({ height: 8 });
  scene.user('one').begin().text('alpha beta gamma').end();
  expect(select('beta', 'gamma')).toBe('beta gamma');
  expect(layout().join('\n')).toContain('\u001b[7mbeta gamma\u001b[27m');
  scene
    .begin()
    .text(Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n\n'))
    .end();
  layout();
  expect(model.selectedText()).toBe('beta gamma');
  model.clearSelection();
  expect(model.selectedText()).toBe('');
});

test('a selection from below to above is the same, and wide characters are taken whole', () => {
  const { scene, model, at } = open();
  scene.user('one').begin().text('a 界面 b').end();
  const end = at('a 界面', 7);
  model.press(end);
  model.dragTo({ ...end, column: at('a 界面', 3).column });
  expect(model.selectedText()).toBe('界面 b');
});

test('a click opens what is folded and closes it at its head only', () => {
  const { scene, model, rows, at } = open();
  scene.user('go').begin();
  scene.tool('bash', 'npm test', {
    view: terminal(Array.from({ length: 30 }, (_, n) => `out ${n}`).join('\n')),
  });
  expect(rows().some((row) => row.includes('out 3 '.trim()))).toBe(false);
  model.click(at('out 29'));
  expect(at('out 3').row).toBeGreaterThan(0);
  model.click(at('out 20'));
  expect(at('out 3').row).toBeGreaterThan(0);
  model.click(at('npm test'));
  expect(rows().some((row) => row.trim() === 'out 3')).toBe(false);
});

test('reversing changes no character of a row', () => {
  const row = fc.array(fc.constantFrom('a', ' ', '界', '\u001b[1m', '\u001b[22m'), { maxLength: 20 });
  fc.assert(
    fc.property(row, fc.nat(20), fc.nat(20), (cells, from, to) => {
      expect(stripVTControlCharacters(markRow(cells.join(''), [{ from, to, looks: ['inverse'] }]))).toBe(
        stripVTControlCharacters(cells.join('')),
      );
    }),
  );
});

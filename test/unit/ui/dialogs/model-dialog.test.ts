import { describe, expect, test } from 'vitest';
import type { ModelChoice, ModelInfo } from '#protocol/model-ref.ts';
import { endSearch, openModels, reduceModels, withChoices } from '#ui/dialogs/model/model-dialog.ts';
import { factsText, priceText } from '#ui/dialogs/model/model-facts.ts';
import { currentRowId, modelRows, noMarks, rowIds } from '#ui/dialogs/model/model-rows.ts';
import type { KeyPress } from '#ui/input/key-press.ts';
import { ctrl, down, enter, esc, named, press, up } from './support.ts';

function choice(
  provider: string,
  model: string,
  source: ModelChoice['source'] = 'local-server',
): ModelChoice {
  return { ref: { provider, model }, label: model, source, detail: 'running here' };
}

const coder = choice('ollama', 'coder:30b');
const small = choice('ollama', 'small:3b');
const large = choice('anthropic', 'large-1', 'environment');
const closed = openModels({ isFirstRun: false, current: null });
const listed = endSearch(withChoices(closed, [coder, large, small]), null);
const pressed = (...entries: (string | KeyPress)[]) => press(reduceModels, listed, entries);
const chosen = (provider: string, model: string) => [
  { kind: 'close' },
  { kind: 'choose-model', ref: { provider, model } },
];

describe('the rows of the model picker', () => {
  test('are grouped by provider, and end with the two ways that are always open', () => {
    expect(rowIds(modelRows({ choices: [coder, large, small], current: null, marks: noMarks }, ''))).toEqual([
      'ollama/coder:30b',
      'ollama/small:3b',
      'anthropic/large-1',
      ':add',
      ':demo',
    ]);
  });

  test('leave out the demo model, which has a row of its own', () => {
    expect(
      rowIds(modelRows({ choices: [choice('demo', 'demo', 'demo')], current: null, marks: noMarks }, '')),
    ).toEqual([':add', ':demo']);
  });

  test('hold the model in use also where nobody lists it, and only once', () => {
    const current = { provider: 'mine', model: 'big' };
    expect(rowIds(modelRows({ choices: [coder], current, marks: noMarks }, ''))).toEqual([
      'mine/big',
      'ollama/coder:30b',
      ':add',
      ':demo',
    ]);
    const thinking = { ...coder.ref, effort: 'high' } as const;
    expect(rowIds(modelRows({ choices: [coder], current: thinking, marks: noMarks }, ''))).toEqual([
      'ollama/coder:30b',
      ':add',
      ':demo',
    ]);
    expect(currentRowId({ current: thinking })).toBe('ollama/coder:30b');
  });

  test('put the way that is searched for first', () => {
    expect(rowIds(modelRows({ choices: [coder], current: null, marks: noMarks }, 'demo'))).toEqual([
      ':demo',
      ':add',
    ]);
    // All the letters in order, but far apart.
    const scattered = choice('mock', 'mock-model', 'config');
    expect(rowIds(modelRows({ choices: [scattered], current: null, marks: noMarks }, 'demo'))[0]).toBe(
      ':demo',
    );
  });

  test('match what is typed, the best first', () => {
    expect(
      rowIds(modelRows({ choices: [coder, large, small], current: null, marks: noMarks }, 'sml')),
    ).toEqual(['ollama/small:3b', ':add', ':demo']);
    expect(
      rowIds(modelRows({ choices: [coder, large, small], current: null, marks: noMarks }, 'anthro')),
    ).toEqual(['anthropic/large-1', ':add', ':demo']);
    expect(rowIds(modelRows({ choices: [coder], current: null, marks: noMarks }, 'zzz'))).toEqual([
      ':add',
      ':demo',
    ]);
  });

  test('offer a model that is typed in full at a known provider', () => {
    expect(
      rowIds(modelRows({ choices: [coder], current: null, marks: noMarks }, 'ollama/other:7b#high')),
    ).toEqual([':typed ollama/other:7b#high', ':add', ':demo']);
    expect(rowIds(modelRows({ choices: [coder], current: null, marks: noMarks }, 'unknown/other'))).toEqual([
      ':add',
      ':demo',
    ]);
  });
});

describe('the model picker', () => {
  test('begins on the model in use, else on the first', () => {
    const current = openModels({ isFirstRun: false, current: large.ref });
    expect(withChoices(current, [coder, large]).picker.list.selected).toBe('anthropic/large-1');
    expect(listed.picker.list.selected).toBe('ollama/coder:30b');
  });

  test('Enter chooses the selected model', () => {
    expect(pressed(enter).effects).toEqual(chosen('ollama', 'coder:30b'));
    expect(pressed(down, down, enter).effects).toEqual(chosen('anthropic', 'large-1'));
  });

  test('typing filters, and Enter chooses the best match', () => {
    expect(pressed('large', enter).effects).toEqual(chosen('anthropic', 'large-1'));
    expect(pressed('ollama/other:7b', enter).effects).toEqual(chosen('ollama', 'other:7b'));
  });

  test('keeps the selected row while servers answer, at its height in the window', () => {
    const moved = press(reduceModels, listed, [down]).state;
    const grown = withChoices(moved, [choice('ollama', 'a'), choice('ollama', 'b'), coder, small, large]);
    expect(grown.picker.list).toEqual({ selected: 'ollama/small:3b', top: 2 });
  });

  test('keeps a selection at the end of the list too', () => {
    const onDemo = press(reduceModels, closed, [named('end')]).state;
    expect(withChoices(onDemo, [coder]).picker.list.selected).toBe(':demo');
    expect(withChoices(onDemo, [coder, large]).picker.list.selected).toBe(':demo');
  });

  test('the last rows open the form and start the demo', () => {
    expect(pressed(named('end'), enter).effects).toEqual([{ kind: 'close' }, { kind: 'start-demo' }]);
    expect(pressed(named('end'), up, enter).state.form).not.toBeNull();
  });

  test('Ctrl+R looks again', () => {
    const { state, effects } = pressed(ctrl('r'));
    expect([state.isSearching, effects]).toEqual([true, [{ kind: 'find-models' }]]);
  });

  test('Escape takes the filter away, then closes', () => {
    const cleared = pressed('large', esc);
    expect([cleared.state.picker.filter.text, cleared.effects]).toEqual(['', []]);
    expect(cleared.state.picker.list.selected).toBe('anthropic/large-1');
    expect(pressed(esc).effects).toEqual([{ kind: 'close' }]);
    expect(pressed(ctrl('c')).effects).toEqual([{ kind: 'close' }]);
  });

  test('Enter before anything is found chooses nothing', () => {
    expect(press(reduceModels, closed, [enter]).effects).toEqual([]);
  });

  test('a search that finds nothing ends on the first way out', () => {
    expect(endSearch(closed, null).picker.list.selected).toBe(':add');
  });

  test('on the first run Escape leaves the program, and Ctrl+C is not taken', () => {
    const first = endSearch(openModels({ isFirstRun: true, current: null }), null);
    expect(press(reduceModels, first, [esc]).effects).toEqual([{ kind: 'exit' }]);
    expect(press(reduceModels, first, [ctrl('c')]).ignored).toEqual(['c']);
  });
});

describe('what is known of a model', () => {
  const info: ModelInfo = {
    ref: large.ref,
    name: 'Large',
    family: 'anthropic',
    contextWindow: { value: 200_000, origin: 'catalogue' },
    outputLimit: { value: 8_192, origin: 'default' },
    images: { value: true, origin: 'server' },
    tools: { value: false, origin: 'config' },
    reasoning: { value: true, origin: 'catalogue' },
    price: { value: { input: 3, output: 0.8 }, origin: 'catalogue' },
    local: false,
  };

  test('is said with where it is known from', () => {
    expect(factsText(info)).toBe(
      'context 200k (catalogue) · no tools (your config) · images (server) · ' +
        'thinks (catalogue) · $3/$0.80 per 1M tokens (catalogue) · answers up to 8k (assumed)',
    );
  });

  test('a price is a price, free, local or unknown, never guessed', () => {
    const { price: _price, ...unpriced } = info;
    expect(priceText(unpriced)).toBe('price ?');
    expect(priceText({ ...unpriced, local: true })).toBe('local');
    expect(priceText({ ...info, price: { value: { input: 0, output: 0 }, origin: 'server' } })).toBe('free');
    expect(priceText({ ...info, price: { value: { input: 0.075, output: 12.5 }, origin: 'server' } })).toBe(
      '$0.075/$12.50',
    );
  });
});

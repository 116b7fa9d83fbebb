import { describe, expect, test } from 'vitest';
import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import {
  endSearch,
  openModels,
  reduceModels,
  withChoices,
  withMarks,
} from '#ui/dialogs/model/model-dialog.ts';
import { modelRows, rowIds } from '#ui/dialogs/model/model-rows.ts';
import type { KeyPress } from '#ui/input/key-press.ts';
import { fakePreflight } from '../../../support/ui/fake-port.ts';
import { waitFor } from '../../../support/ui/wait-for.ts';
import { type SetUpOptions, setUp } from './set-up.ts';
import { ctrl, down, enter, esc, named, press, up } from './support.ts';

const current: ModelRef = { provider: 'local', model: 'coder' };
const { info } = fakePreflight({ provider: 'big', model: 'thinker' });
const thinker: ModelChoice = {
  ref: info.ref,
  label: 'thinker',
  source: 'config',
  detail: 'in the settings',
  info: { ...info, efforts: { value: ['low', 'high'], origin: 'catalogue' } },
};
const coder: ModelChoice = { ref: current, label: 'coder', source: 'config', detail: 'in the settings' };

const listed = endSearch(withChoices(openModels({ isFirstRun: false, current }), [coder, thinker]), null);
const pressed = (...entries: (string | KeyPress)[]) => press(reduceModels, listed, entries);

describe('the rows that the person goes back to', () => {
  test('stand first, each once, also when nobody lists them', () => {
    const marks = {
      recent: [{ ...thinker.ref, effort: 'high' as const }],
      favourites: [coder.ref, { provider: 'gone', model: 'old' }, thinker.ref],
    };
    const other = { ...coder, ref: { provider: 'local', model: 'other' } };
    expect(rowIds(modelRows({ choices: [other, coder, thinker], current, marks }, ''))).toEqual([
      'big/thinker',
      'local/coder',
      'gone/old',
      'local/other',
      ':add',
      ':demo',
    ]);
    // The effort that it had last comes with it.
    const marked = withMarks(listed, marks);
    expect(press(reduceModels, marked, ['thinker', enter]).effects).toEqual([
      { kind: 'check-model', ref: { provider: 'big', model: 'thinker', effort: 'high' } },
    ]);
  });

  test('are marked with a key, which is written down', () => {
    const { state, effects } = pressed(ctrl('f'));
    expect(effects).toEqual([{ kind: 'mark-model', ref: coder.ref, isFavourite: true }]);
    expect(state.marks.favourites).toEqual([coder.ref]);
    expect(press(reduceModels, state, [ctrl('f')]).effects).toEqual([
      { kind: 'mark-model', ref: coder.ref, isFavourite: false },
    ]);
  });

  test('no row is chosen for the person while servers may still answer', () => {
    const searching = withChoices(openModels({ isFirstRun: true, current: null }), []);
    expect(searching.picker.list.selected).toBeUndefined();
    expect(press(reduceModels, searching, [enter]).effects).toEqual([]);
    expect(withChoices(searching, [coder]).picker.list.selected).toBe('local/coder');
    // Also not when it was typed what is looked for.
    const typed = press(reduceModels, searching, ['thin']).state;
    expect(typed.picker.list.selected).toBeUndefined();
    expect(withChoices(typed, [coder, thinker]).picker.list.selected).toBe('big/thinker');
    expect(press(reduceModels, searching, ['demo']).state.picker.list.selected).toBe(':demo');
  });
});

describe('effort in the picker', () => {
  const chosen = (...entries: (string | KeyPress)[]) =>
    press(reduceModels, pressed(down).state, [...entries, enter]).effects.at(-1);

  test('goes up and down with right and left, and stops at the ends', () => {
    const { ref } = thinker;
    expect(chosen()).toEqual({ kind: 'check-model', ref });
    expect(chosen(named('right'))).toMatchObject({ ref: { ...ref, effort: 'low' } });
    expect(chosen(...Array(5).fill(named('right')))).toMatchObject({ ref: { effort: 'high' } });
    expect(chosen(named('right'), named('left'), named('left'))).toEqual({ kind: 'check-model', ref });
  });

  test('is not there for a model that has none', () => {
    expect(pressed(named('right')).effects).toEqual([]);
    expect(pressed(named('right'), enter).effects.at(-1)).toEqual({ kind: 'check-model', ref: coder.ref });
  });
});

describe('before a switch', () => {
  async function choosing(port: NonNullable<SetUpOptions['port']>) {
    const chosen: unknown[] = [];
    const thread: Partial<ThreadState> = { model: current };
    const screen = setUp({
      thread,
      port: {
        async *modelChoices() {
          yield [coder, thinker];
        },
        chooseModel: async (ref, options) => {
          chosen.push([ref.model, options?.compactFirst]);
          return { kind: 'none' };
        },
        ...port,
      },
    });
    screen.dialogs.open('model');
    await waitFor(() => modelOf(screen)?.isSearching === false);
    screen.calm();
    screen.press(down, enter);
    return { screen, chosen };
  }
  const modelOf = (screen: ReturnType<typeof setUp>) => {
    const { dialog } = screen.dialogs.getSnapshot();
    return dialog?.kind === 'model' ? dialog : undefined;
  };

  test('what is worth no question is done at once', async () => {
    const { screen, chosen } = await choosing({});
    await waitFor(() => chosen.length > 0);
    expect([chosen, screen.dialogs.isOpen()]).toEqual([[['thinker', false]], false]);
  });

  test('a card asks; Enter switches, c compacts first, Escape goes back to the list', async () => {
    for (const [key, expected] of [
      [enter, [['thinker', false]]],
      ['c', [['thinker', true]]],
    ] as const) {
      const { screen, chosen } = await choosing({
        preflight: async (ref) => fakePreflight(ref, { isWorthAsking: true }),
      });
      await waitFor(() => modelOf(screen)?.card);
      // A second Enter that was on its way is no answer to what was not seen yet.
      screen.press(enter);
      expect(chosen).toEqual([]);
      screen.calm();
      screen.press(esc);
      expect([modelOf(screen)?.card, modelOf(screen)?.picker.list.selected]).toEqual([null, 'big/thinker']);
      screen.calm();
      screen.press(enter);
      await waitFor(() => modelOf(screen)?.card);
      screen.calm();
      screen.press(key);
      expect([chosen, screen.dialogs.isOpen()]).toEqual([expected, false]);
    }
  });

  test('a model that is not there is said in the list, and one that was left alone is not chosen', async () => {
    const failing = await choosing({ preflight: () => Promise.reject(new Error('There is no model "x".')) });
    await waitFor(() => modelOf(failing.screen)?.failure);
    expect(modelOf(failing.screen)).toMatchObject({ failure: 'There is no model "x".', checking: null });

    const answer = Promise.withResolvers<ReturnType<typeof fakePreflight>>();
    const slow = await choosing({ preflight: () => answer.promise });
    slow.screen.press(esc);
    answer.resolve(fakePreflight(thinker.ref));
    await answer.promise;
    expect([slow.chosen, modelOf(slow.screen)?.checking]).toEqual([[], null]);
  });

  test('a card that a command brought up has no list behind it', () => {
    const screen = setUp();
    screen.dialogs.confirmModel(fakePreflight(thinker.ref));
    screen.calm();
    screen.press(esc);
    expect(screen.dialogs.isOpen()).toBe(false);
  });
});

describe('adding a provider', () => {
  test('offers what its server has, and what is typed where the server has no such model', async () => {
    const asked: unknown[] = [];
    const screen = setUp({
      port: {
        async *modelChoices() {
          yield [];
        },
        providerModels: async (draft) => {
          asked.push([draft.baseUrl, draft.apiKeyEnv]);
          return ['alpha', 'beta', 'gamma'];
        },
        previewProvider: ({ model }) => ({ file: 'f', text: model }),
      },
    });
    const form = () => {
      const { dialog } = screen.dialogs.getSnapshot();
      return dialog?.kind === 'model' ? dialog.form : null;
    };
    screen.dialogs.open('model');
    await waitFor(() => {
      const { dialog } = screen.dialogs.getSnapshot();
      return dialog?.kind === 'model' && !dialog.isSearching;
    });
    screen.calm();
    screen.press(enter, 'mine', enter, 'http://h/v1', enter, 'KEY', enter);
    await waitFor(() => form()?.models.state === 'listed');
    expect(asked).toEqual([['http://h/v1', 'KEY']]);
    screen.press(down, enter);
    expect(form()?.review?.text).toBe('beta');
    screen.calm();
    screen.press('n', 'gam', enter);
    expect(form()?.review?.text).toBe('gamma');
    screen.calm();
    screen.press('n', '-2', enter);
    expect(form()?.review?.text).toBe('gam-2');
    screen.calm();
    // Above the first of them one is back in the fields; the same server is not asked again.
    screen.press('n', up, down);
    expect([form()?.focus, asked.length]).toEqual(['model', 1]);
  });
});

import { describe, expect, test } from 'vitest';
import type { ProviderDraft } from '#protocol/screen-port.ts';
import { endSearch, openModels, reduceModels } from '#ui/dialogs/model/model-dialog.ts';
import { draftProblem } from '#ui/dialogs/model/provider-form.ts';
import { type KeyPress, pasteKey } from '#ui/input/key-press.ts';
import { backTab, ctrl, down, enter, esc, named, press, tab, up } from './support.ts';

const list = endSearch(openModels({ isFirstRun: true, current: null }), null);
const form = press(reduceModels, list, [enter]).state;
const pressed = (...entries: (string | KeyPress)[]) => press(reduceModels, form, entries);
const filled = ['mine', enter, 'http://localhost:8000/v1', enter, 'MY_KEY', enter, 'big'] as const;
const draft: ProviderDraft = {
  id: 'mine',
  baseUrl: 'http://localhost:8000/v1',
  model: 'big',
  apiKeyEnv: 'MY_KEY',
};

describe('the form for a provider', () => {
  test('goes from field to field and asks what would be written', () => {
    expect(pressed(...filled, enter).effects.at(-1)).toEqual({ kind: 'preview-provider', draft });
  });

  test('moves with arrows and Tab, and not past the ends', () => {
    const focus = (...entries: (string | KeyPress)[]) => pressed(...entries).state.form?.focus;
    expect([
      focus(down),
      focus(tab, tab),
      focus(tab, backTab),
      focus(up),
      focus(down, down, down, down),
    ]).toEqual(['baseUrl', 'apiKeyEnv', 'id', 'id', 'model']);
  });

  test('says what is wrong at the field that is wrong', () => {
    const { state, effects } = pressed('mine', enter, 'localhost:8000', enter, enter, 'big', enter);
    expect(effects).toEqual([]);
    expect([state.form?.focus, state.form?.problem?.field]).toEqual(['baseUrl', 'baseUrl']);
    expect(press(reduceModels, state, ['x']).state.form?.problem).toBeNull();
  });

  test('takes pastes without their line ends', () => {
    expect(pressed(pasteKey('mine\n')).state.form?.fields.id.text).toBe('mine');
  });

  test('Escape goes back to the list', () => {
    expect(pressed('x', esc).state.form).toBeNull();
  });
});

describe('what a provider must be', () => {
  const problem = (changes: Partial<ProviderDraft>) =>
    draftProblem({ ...draft, ...changes }, new Set(['ollama']))?.field;

  test('a complete one has no problem, with a key or without', () => {
    expect([problem({}), problem({ apiKeyEnv: '' })]).toEqual([undefined, undefined]);
  });

  test('a name that can stand before a slash and is not taken', () => {
    expect([problem({ id: '' }), problem({ id: 'a/b' }), problem({ id: 'ollama' })]).toEqual([
      'id',
      'id',
      'id',
    ]);
  });

  test('a web address without a key in it', () => {
    expect([
      problem({ baseUrl: 'localhost:8000' }),
      problem({ baseUrl: 'ftp://host' }),
      problem({ baseUrl: 'https://user:secret@host/v1' }),
    ]).toEqual(['baseUrl', 'baseUrl', 'baseUrl']);
  });

  test('a model', () => {
    expect(problem({ model: '' })).toBe('model');
  });

  test('the name of a variable, never a key', () => {
    expect([
      problem({ apiKeyEnv: 'sk-abc123' }),
      problem({ apiKeyEnv: 'gsk_abc123' }),
      problem({ apiKeyEnv: 'A B' }),
      problem({ apiKeyEnv: 'A'.repeat(80) }),
    ]).toEqual(['apiKeyEnv', 'apiKeyEnv', 'apiKeyEnv', 'apiKeyEnv']);
  });
});

describe('the question whether to write', () => {
  const review = {
    ...form,
    form: form.form && { ...form.form, review: { file: '~/.llmcode/config.json', text: '{}', scroll: 0 } },
  };
  const answered = (...entries: (string | KeyPress)[]) => press(reduceModels, review, entries);

  test('is answered by y only', () => {
    expect(answered('y').effects.map((effect) => effect.kind)).toEqual(['close', 'add-provider']);
    expect(answered(enter, ' ', 'Q', tab, ctrl('y')).effects).toEqual([]);
  });

  test('n and Escape go back to the fields', () => {
    expect(answered('n').state.form?.review).toBeNull();
    expect(answered(esc).state.form?.review).toBeNull();
  });

  test('what would be written scrolls', () => {
    expect(answered(named('pagedown')).state.form?.review?.scroll).toBe(4);
  });
});

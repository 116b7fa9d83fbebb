import { expect, test } from 'vitest';
import type { KeyBinding } from '#protocol/key-bindings.ts';
import { actions, contextsOf } from '#ui/input/actions.ts';
import { applyBindings } from '#ui/input/apply-bindings.ts';
import { defaultKeymap, keyContexts } from '#ui/input/keymap.ts';

const line = (context: string, keys: string, action: string | null, more: Partial<KeyBinding> = {}) => ({
  context,
  keys,
  action,
  origin: 'keybindings.json',
  line: 3,
  ...more,
});
const apply = (...bindings: KeyBinding[]) => applyBindings({ bindings });

test('without a file the keys are those of the program', () => {
  expect(apply()).toEqual({ keymap: defaultKeymap, origins: new Map(), problems: [] });
});

test('every action has a key of its own and a place where it can be bound', () => {
  const bound = new Set<string>(keyContexts.flatMap((context) => Object.values(defaultKeymap[context])));
  expect(Object.keys(actions).filter((action) => !bound.has(action))).toEqual([]);
  for (const action of Object.keys(actions)) expect(contextsOf(action as 'send')).not.toEqual([]);
});

test('a key is written in many ways, bound, unbound, and told with its file and line', () => {
  const { keymap, origins, problems } = apply(
    line('prompt', 'Shift+Ctrl+Up', 'text-start'),
    line('Chat', 'C-e', 'chat:externalEditor'),
    line('prompt', 'ctrl+s', null),
    line('screen', 'F5', '/compact now'),
    line('completion', 'ctrl+y', 'completion-take'),
  );
  expect(problems).toEqual([]);
  expect(keymap.prompt['ctrl+shift+up']).toBe('text-start');
  expect(keymap.screen['ctrl+e']).toBe('external-editor');
  expect(keymap.prompt['ctrl+s']).toBeUndefined();
  expect(keymap.screen['f5']).toBe('/compact now');
  expect(keymap.completion['ctrl+y']).toBe('completion-take');
  expect(origins.get('screen ctrl+e')).toBe('keybindings.json:3');
});

test('what would be asked before it gives the key up to the person', () => {
  const { keymap } = apply(line('prompt', 'ctrl+t', 'undo'), line('screen', 'ctrl+l', 'palette'));
  expect(keymap.screen['ctrl+t']).toBeUndefined();
  expect(keymap.prompt['ctrl+t']).toBe('undo');
  expect(keymap.always['ctrl+l']).toBeUndefined();
});

test('chords begin with any key or with the leader, which takes the chords of the program with it', () => {
  const { keymap, problems } = applyBindings({
    leader: { keys: 'ctrl+o', origin: 'keybindings.json', line: 2 },
    bindings: [line('prompt', 'leader x', 'undo'), line('prompt', 'ctrl+x ctrl+k', 'kill-line-left')],
  });
  expect(problems).toEqual([]);
  expect(keymap.prompt['ctrl+o x']).toBe('undo');
  expect(keymap.prompt['ctrl+x ctrl+k']).toBe('kill-line-left');
  expect(keymap.screen['ctrl+o m']).toBe('choose-model');
  expect(keymap.screen['ctrl+x m']).toBeUndefined();
  expect(keymap.screen['ctrl+x ctrl+e']).toBe('external-editor');
});

test.each([
  [line('promt', 'ctrl+e', 'undo'), 'there is no context "promt"; did you mean "prompt"?'],
  [line('prompt', 'ctrl+e', 'undoo'), 'there is no action "undoo"; did you mean "undo"?'],
  [line('find', 'ctrl+e', 'send'), 'send does nothing in find; in find a key can do: find-older,'],
  [line('prompt', 'super+e', 'undo'), '"super+e": "super" cannot be held down in a terminal'],
  [line('prompt', 'ctrl+banana', 'undo'), '"ctrl+banana": there is no key "banana"'],
  [line('prompt', 'x', 'undo'), 'x types text'],
  [line('prompt', 'space', 'undo'), 'space types text'],
  [
    line('find', 'ctrl+x ctrl+e', 'find-older'),
    'keys one after the other work in always, screen, prompt only',
  ],
  [line('screen', 'ctrl+x escape', 'palette'), 'escape ends a chord'],
  [line('screen', 'ctrl+c', 'palette'), 'ctrl+c stays as it is: it is the way out'],
  [line('screen', 'ctrl+c', null), 'ctrl+c stays as it is: it is the way out'],
  [line('search', 'ctrl+c', 'search-take'), 'ctrl+c stays as it is: it is the way out'],
])('bad line %# does not work and says why, while the line behind it works', (bad, why) => {
  const { keymap, problems } = apply(bad, line('prompt', 'ctrl+g', 'newline'));
  expect(problems).toEqual([expect.stringContaining(`keybindings.json:3: ${why}`)]);
  expect({ ...keymap.prompt, 'ctrl+g': undefined }).toEqual({ ...defaultKeymap.prompt, 'ctrl+g': undefined });
  expect(keymap.prompt['ctrl+g']).toBe('newline');
});

test.each([
  ['ctrl+i', 'most terminals send tab for ctrl+i'],
  ['Ctrl+M', 'most terminals send enter for ctrl+m'],
  ['ctrl+[', 'most terminals send escape for ctrl+['],
  ['ctrl+shift+k', 'most terminals send ctrl+k for ctrl+shift+k'],
])('%s is bound, with a word about the terminals that cannot tell it apart', (keys, why) => {
  const { keymap, problems } = apply(line('prompt', keys, 'undo'));
  expect(problems).toEqual([expect.stringContaining(why)]);
  expect(keymap.prompt[keys.toLowerCase()]).toBe('undo');
});

test('nobody can lock themselves in: what sends, stops and leaves keeps a key', () => {
  const { keymap, problems } = apply(
    line('prompt', 'enter', 'newline'),
    line('screen', 'escape', null),
    line('find', 'escape', null),
  );
  expect(keymap.prompt['enter']).toBe('send');
  expect(keymap.screen['escape']).toBe('cancel');
  expect(problems).toHaveLength(2);
  const moved = apply(line('prompt', 'enter', 'newline'), line('prompt', 'ctrl+enter', 'send'));
  expect(moved.problems).toEqual([]);
  expect(moved.keymap.prompt['enter']).toBe('newline');
});

test('what only the other program knows is left out without a word', () => {
  const { problems, keymap } = apply(
    line('Chat', 'ctrl+shift+q', 'chat:thinkingToggle', { isForeign: true }),
    line('DiffDialog', 'j', 'diff:next', { isForeign: true }),
    line('Global', 'ctrl+c', null, { isForeign: true }),
  );
  expect(problems).toEqual([]);
  expect(keymap).toEqual(defaultKeymap);
});

import { expect, test } from 'vitest';
import { decodeKeys, type KeyPress, pasteKey } from '#ui/input/key-press.ts';
import { defaultKeymap } from '#ui/input/keymap.ts';
import { addLoaded } from '#ui/prompt/history-walk.ts';
import { overlayKey, promptKey } from '#ui/prompt/prompt-key.ts';
import {
  emptyPrompt,
  type PromptEffect,
  type PromptScene,
  type PromptState,
} from '#ui/prompt/prompt-state.ts';
import { freshVim } from '#ui/prompt/vim/vim-state.ts';

const scene: PromptScene = {
  keymap: defaultKeymap,
  commands: [],
  width: 40,
  isRunning: false,
  hasPending: false,
};

function named(name: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { name, ctrl: false, alt: false, shift: false, text: '', ...modifiers };
}

const ctrl = (name: string) => named(name, { ctrl: true });

/** Text types itself; a key is pressed. */
function press(
  state: PromptState,
  keys: readonly (string | KeyPress)[],
  changes: Partial<PromptScene> = {},
): { state: PromptState; effects: PromptEffect[] } {
  const effects: PromptEffect[] = [];
  let current = state;
  for (const entry of keys) {
    const pressed = typeof entry === 'string' ? decodeKeys(entry, {} as never) : [entry];
    for (const key of pressed) {
      const now = { ...scene, ...changes };
      const step = overlayKey(current, key, now) ?? promptKey(current, key, now);
      if (!step) continue;
      current = step.state;
      if (step.effect) effects.push(step.effect);
    }
  }
  return { state: current, effects };
}

const text = (result: { state: PromptState }) => result.state.editor.text;
const remembered: PromptState = {
  ...emptyPrompt,
  history: addLoaded(emptyPrompt.history, ['oldest', 'fix the total', 'add a test']),
};

test('enter sends what is there and empties the prompt', () => {
  const result = press(emptyPrompt, ['fix it ', named('enter')]);
  expect(result.effects).toEqual([{ kind: 'send', text: 'fix it', delivery: 'steer' }]);
  expect(text(result)).toBe('');
});

test('two messages in one read are sent in the order in which they were typed', () => {
  expect(press(emptyPrompt, ['hello\rworld\r']).effects).toEqual([
    { kind: 'send', text: 'hello', delivery: 'steer' },
    { kind: 'send', text: 'world', delivery: 'steer' },
  ]);
});

test('a backslash at the end makes enter a line break, two of them do not', () => {
  expect(text(press(emptyPrompt, ['one\\', named('enter'), 'two']))).toBe('one\ntwo');
  expect(press(emptyPrompt, ['one\\\\', named('enter')]).effects).toHaveLength(1);
});

test('tab queues while a turn runs and does nothing otherwise', () => {
  expect(press(emptyPrompt, ['later', named('tab')], { isRunning: true }).effects).toEqual([
    { kind: 'send', text: 'later', delivery: 'queue' },
  ]);
  expect(press(emptyPrompt, ['later', named('tab')]).effects).toEqual([]);
  expect(press(emptyPrompt, [named('tab')], { isRunning: true }).effects).toEqual([]);
});

test('enter on an empty prompt asks to go on, a question mark for help, ctrl+d to leave', () => {
  expect(press(emptyPrompt, [named('enter'), '?', ctrl('d')]).effects).toEqual([
    { kind: 'go-on' },
    { kind: 'help' },
    { kind: 'leave' },
  ]);
  expect(text(press(emptyPrompt, ['why?']))).toBe('why?');
});

test('a paste never sends, and is sent whole from its chip', () => {
  const lines = 'line\n'.repeat(5_000);
  const pasted = press(emptyPrompt, ['see ', pasteKey(lines)]);
  expect(pasted.effects).toEqual([]);
  expect(press(pasted.state, [named('enter')]).effects).toEqual([
    { kind: 'send', text: `see ${lines}`.trim(), delivery: 'steer' },
  ]);
});

test('up goes through older prompts, down comes back to the draft', () => {
  const one = press(remembered, ['draft', named('up')]);
  expect(text(one)).toBe('add a test');
  const two = press(one.state, [named('up')]);
  expect(text(two)).toBe('fix the total');
  expect(text(press(two.state, [named('down'), named('down')]))).toBe('draft');
  expect(text(press(two.state, [named('up'), named('up'), named('up')]))).toBe('oldest');
});

test('an older prompt that was changed is a new draft', () => {
  const changed = press(remembered, [named('up'), '!']);
  expect(text(changed)).toBe('add a test!');
  expect(text(press(changed.state, [named('up'), named('down')]))).toBe('add a test!');
});

test('a prompt with a chip comes back from the history as it was', () => {
  const lines = 'row\n'.repeat(50);
  const sent = press(emptyPrompt, ['look ', pasteKey(lines), named('enter')]);
  const again = press(sent.state, [named('up'), named('enter')]);
  expect(again.effects).toEqual([{ kind: 'send', text: `look ${lines}`.trim(), delivery: 'steer' }]);
});

test('in a text of several rows up and down move first, and leave it at its edges', () => {
  const typed = press(remembered, ['one', ctrl('j'), 'two', named('up')]);
  expect(text(typed)).toBe('one\ntwo');
  expect(text(press(typed.state, [named('up')]))).toBe('add a test');
  expect(text(press(typed.state, [named('up'), named('down')]))).toBe('one\ntwo');
});

test('up on an empty prompt takes a waiting message back before it opens the history', () => {
  expect(press(remembered, [named('up')], { hasPending: true }).effects).toEqual([{ kind: 'take-back' }]);
  expect(press(remembered, ['x', named('up')], { hasPending: true }).effects).toEqual([]);
});

test('ctrl+r finds older prompts by any part of them', () => {
  const found = press(remembered, [ctrl('r'), 't']);
  expect(found.state.search?.shown.text).toBe('add a test');
  const older = press(found.state, [ctrl('r')]);
  expect(older.state.search?.shown.text).toBe('fix the total');
  expect(text(press(older.state, [named('enter')]))).toBe('fix the total');
  expect(press(older.state, [named('enter')]).effects).toEqual([]);
});

test('leaving a search brings the draft back, any other key keeps what was found', () => {
  const found = press(remembered, ['draft', ctrl('r'), 'fix']);
  expect(text(press(found.state, [named('escape')]))).toBe('draft');
  const moved = press(found.state, [ctrl('a'), 'x']);
  expect(text(moved)).toBe('xfix the total');
  expect(moved.state.search).toBeNull();
});

test('a search that finds nothing says so and keeps the draft', () => {
  const nothing = press(remembered, ['draft', ctrl('r'), 'zzz']);
  expect(nothing.state.search).toMatchObject({ query: 'zzz', index: null });
  expect(nothing.state.search?.shown.text).toBe('draft');
  expect(press(nothing.state, [named('backspace'), ctrl('u')]).state.search?.query).toBe('');
});

test('a command line is sent with its full-width slash and blank made plain', () => {
  expect(press(emptyPrompt, ['／model　x', named('enter')]).effects).toEqual([
    { kind: 'send', text: '/model x', delivery: 'steer' },
  ]);
});

const consult = { name: 'consult', aliases: ['ask'], summary: 'ask', args: '<model> question' };

test('enter on a command without its argument tells how it is used, and sends it once that is there', () => {
  const told = press(emptyPrompt, ['/consult', named('enter')], { commands: [consult] });
  expect(told.effects).toEqual([]);
  expect(told.state.wantsArgument).toBe(consult);
  expect(text(told)).toBe('/consult');
  const sent = press(told.state, [' gpt why?', named('enter')], { commands: [consult] });
  expect(sent.effects).toEqual([{ kind: 'send', text: '/consult gpt why?', delivery: 'steer' }]);
  expect(sent.state.wantsArgument).toBeNull();
});

test('how a command is used is told until another text stands there', () => {
  const told = press(emptyPrompt, ['/consult', named('enter')], { commands: [consult] });
  expect(press(told.state, [' g']).state.wantsArgument).toBe(consult);
  expect(press(told.state, [ctrl('u')]).state.wantsArgument).toBeNull();
});

test('a draft that was put aside comes back on an empty prompt, with its undo', () => {
  const aside = press(emptyPrompt, ['long draft', ctrl('s')]);
  expect(text(aside)).toBe('');
  const between = press(aside.state, ['quick', named('enter')]);
  expect(between.effects).toHaveLength(1);
  const back = press(between.state, [ctrl('s')]);
  expect(text(back)).toBe('long draft');
  expect(back.state.stash).toBeNull();
  expect(text(press(back.state, [ctrl('_')]))).not.toBe('long draft');
});

const vim: PromptState = { ...remembered, vim: freshVim };
const esc = named('escape');

test('with vim keys, escape leaves the insertion first and is for the screen only then', () => {
  const once = press(vim, ['fix it', esc]);
  expect(once.state.vim?.mode).toBe('normal');
  expect(overlayKey(once.state, esc, scene)).toBeUndefined();
  expect(promptKey(once.state, esc, scene)).toBeUndefined();
});

test('with vim keys, enter sends from the normal mode and the next draft begins in the insert mode', () => {
  const sent = press(vim, ['fix it now', esc, 'db', named('enter')]);
  expect(sent.effects).toEqual([{ kind: 'send', text: 'fix it w', delivery: 'steer' }]);
  expect(sent.state.vim?.mode).toBe('insert');
});

test('with vim keys, j and k leave the text for the history', () => {
  const older = press(vim, ['draft', esc, 'k']);
  expect(text(older)).toBe('add a test');
  expect(older.state.vim?.mode).toBe('normal');
  expect(text(press(older.state, ['k', 'j', 'j']))).toBe('draft');
});

test('with vim keys, escape and a key in one read are two keys, and a paste is text', () => {
  expect(text(press(vim, ['one two', named('b', { alt: true }), 'x']))).toBe('one wo');
  expect(text(press(vim, ['a', esc, pasteKey('ddx')]))).toContain('ddx');
});

test('what goes into the clipboard register is copied', () => {
  expect(press(vim, ['word', esc, '"+yiw']).effects).toEqual([{ kind: 'copy', text: 'word' }]);
});

test('up and a search stay in this project until all of them are asked for', () => {
  const texts = ['fix the total', 'fix theirs', 'add a test'];
  const state = { ...emptyPrompt, history: addLoaded(emptyPrompt.history, texts, new Set(['fix theirs'])) };
  expect(text(press(state, [named('up'), named('up')]))).toBe('fix the total');
  const here = press(state, [ctrl('r'), 'fix']);
  expect(here.state.search?.shown.text).toBe('fix the total');
  const everywhere = press(here.state, [ctrl('t')]);
  expect(everywhere.state.search?.shown.text).toBe('fix theirs');
  expect(press(everywhere.state, [ctrl('t')]).state.search?.shown.text).toBe('fix the total');
});

import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { decodeKeys, type KeyPress } from '#ui/input/key-press.ts';
import { defaultKeymap } from '#ui/input/keymap.ts';
import { commandItems, completionTarget, isCommandLine } from '#ui/prompt/completion.ts';
import { rankPaths } from '#ui/prompt/file-search.ts';
import type { PromptEffect } from '#ui/prompt/prompt-state.ts';
import { createPromptStore, type PromptStore } from '#ui/prompt/prompt-store.ts';
import { fakeCommands } from '../../../support/ui/fake-port.ts';
import { waitFor } from '../../../support/ui/wait-for.ts';

const paths = [
  'README.md',
  'my notes.md',
  'src/',
  'src/cart/',
  'src/cart/total.ts',
  'src/cart/total.test.ts',
  'test/',
];

function makePrompt(files: () => Promise<readonly string[]> = async () => paths) {
  const effects: PromptEffect[] = [];
  const prompt = createPromptStore({
    keymap: defaultKeymap,
    commands: fakeCommands,
    clock: systemClock,
    files,
    scene: () => ({ isRunning: false, hasPending: false }),
    onEffect: (effect) => effects.push(effect),
  });
  return { prompt, effects };
}

function type(prompt: PromptStore, text: string): void {
  for (const key of decodeKeys(text, {} as never)) prompt.handleOverlayKey(key) || prompt.handleKey(key);
}

function press(prompt: PromptStore, ...names: string[]): void {
  for (const name of names) {
    const key: KeyPress = { name, ctrl: false, alt: false, shift: false, text: '' };
    prompt.handleOverlayKey(key) || prompt.handleKey(key);
  }
}

const labels = (prompt: PromptStore) => prompt.getState().completion?.items.map((item) => item.label);
const filesShown = (prompt: PromptStore) =>
  waitFor(() => (prompt.getState().completion?.isLoading === false ? labels(prompt) : undefined));

test('a command is completed at the start of the text only', () => {
  expect(completionTarget('/mo', 3, fakeCommands)).toMatchObject({ kind: 'command', query: 'mo' });
  expect(completionTarget('say /mo', 7, fakeCommands)).toBeUndefined();
  expect(completionTarget('/usr/bin', 4, fakeCommands)).toBeUndefined();
  expect(completionTarget('/theme li', 9, fakeCommands)).toMatchObject({ kind: 'argument', query: 'li' });
});

test('a path is not taken for a command', () => {
  expect(['/help', '/model x/y', '／help', '/'].map(isCommandLine)).toEqual([true, true, true, true]);
  expect(['/usr/bin/env is missing', 'a /help', ''].map(isCommandLine)).toEqual([false, false, false]);
});

test('a file is completed anywhere behind a blank or a bracket, but not in an address', () => {
  expect(completionTarget('see @src/ca', 11, [])).toEqual({ kind: 'file', query: 'src/ca', from: 4, to: 11 });
  expect(completionTarget('see @src and more', 8, [])).toMatchObject({ query: 'src', to: 8 });
  expect(completionTarget('(@a', 3, [])).toMatchObject({ query: 'a' });
  expect(completionTarget('one\ntwo @"my no', 15, [])).toEqual({
    kind: 'file',
    query: 'my no',
    from: 8,
    to: 15,
  });
  expect(completionTarget('me@example', 10, [])).toBeUndefined();
});

test('commands that begin with what was typed come first, then those that hold it', () => {
  expect(commandItems(fakeCommands, 'mod').map((item) => item.insert)).toEqual(['/mode ', '/model ']);
  expect(commandItems(fakeCommands, 'name').map((item) => item.insert)).toEqual(['/rename ']);
  expect(commandItems(fakeCommands, 'new').map((item) => item.insert)).toEqual(['/clear']);
  expect(commandItems(fakeCommands, 'zzz')).toEqual([]);
});

test('typing a slash opens the commands, tab completes, enter runs', () => {
  const { prompt, effects } = makePrompt();
  type(prompt, '/the');
  expect(labels(prompt)).toEqual(['/theme [name]']);
  press(prompt, 'tab');
  expect(prompt.text()).toBe('/theme ');
  expect(labels(prompt)).toEqual(['dark', 'light']);
  press(prompt, 'down', 'down', 'enter');
  expect(effects).toEqual([{ kind: 'send', text: '/theme light', delivery: 'steer' }]);
  expect(prompt.getState().completion).toBeNull();
});

test('enter behind a lone slash or an argument not begun runs nothing that was not chosen', () => {
  const { prompt, effects } = makePrompt();
  type(prompt, '/');
  press(prompt, 'enter');
  expect(effects).toEqual([]);
  type(prompt, 'theme ');
  press(prompt, 'enter');
  expect(effects).toEqual([{ kind: 'send', text: '/theme', delivery: 'steer' }]);
});

test('a command that needs an argument waits for it', () => {
  const { prompt, effects } = makePrompt();
  type(prompt, '/ren');
  press(prompt, 'enter');
  expect(prompt.text()).toBe('/rename ');
  expect(effects).toEqual([]);
});

test('escape closes the popup until the cursor stands in something else', () => {
  const { prompt } = makePrompt();
  type(prompt, '/he');
  press(prompt, 'escape');
  type(prompt, 'l');
  expect(prompt.getState().completion).toBeNull();
  press(prompt, 'backspace', 'backspace', 'backspace', 'backspace');
  type(prompt, '/h');
  expect(labels(prompt)).toEqual(['/help', '/theme [name]']);
});

test('a file is found by parts of its path and put in with a blank behind it', async () => {
  const { prompt } = makePrompt();
  type(prompt, 'look at @total');
  expect(await filesShown(prompt)).toEqual(['src/cart/total.ts', 'src/cart/total.test.ts']);
  press(prompt, 'tab');
  expect(prompt.text()).toBe('look at @src/cart/total.ts ');
});

test('completing a folder goes on with what is in it', async () => {
  const { prompt } = makePrompt();
  type(prompt, '@');
  expect(await filesShown(prompt)).toEqual(['README.md', 'my notes.md', 'src/', 'test/']);
  type(prompt, 'src');
  await waitFor(() => labels(prompt)?.[0] === 'src/');
  press(prompt, 'tab');
  expect(prompt.text()).toBe('@src/');
  await waitFor(() => labels(prompt)?.[0] === 'src/cart/');
});

test('a path with blanks is put in quotes', async () => {
  const { prompt } = makePrompt();
  type(prompt, '@notes');
  await filesShown(prompt);
  press(prompt, 'tab');
  expect(prompt.text()).toBe('@"my notes.md" ');
});

test('tab in the same read as the text completes what it would have completed later', async () => {
  const { prompt } = makePrompt();
  type(prompt, '@');
  await filesShown(prompt);
  type(prompt, 'README\tplease');
  expect(prompt.text()).toBe('@README.md please');
});

test('a folder that cannot be listed completes to nothing', async () => {
  let asked = 0;
  const { prompt } = makePrompt(async () => {
    asked += 1;
    throw new Error('no such folder');
  });
  type(prompt, '@x');
  await waitFor(() => asked === 1 && prompt.getState().completion === null);
  expect(prompt.getState().completion).toBeNull();
});

test('recalled commands do not open the popup', () => {
  const { prompt } = makePrompt();
  prompt.addHistory({ texts: ['/theme dark', 'text'] });
  press(prompt, 'up', 'up');
  expect(prompt.text()).toBe('/theme dark');
  expect(prompt.getState().completion).toBeNull();
});

test('paths that hold the query come before paths that it is only spread over', () => {
  const entries = ['lib/thorough-otter-talk.ts', 'src/total.ts'].map((path) => ({ path, lower: path }));
  expect(rankPaths(entries, 'total', (_query, some) => some)).toEqual([
    'src/total.ts',
    'lib/thorough-otter-talk.ts',
  ]);
});

import { expect, test } from 'vitest';
import { AsyncQueue } from '#lib/async-queue.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { EventBody } from '#protocol/event.ts';
import { createFakeHandle, createFakePort } from '../../support/ui/fake-port.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { rmRequest } from '../../support/ui/permission-request.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const model = { provider: 'ollama', model: 'qwen3-coder:30b' };
const said = (id: string, text: string): EventBody => ({
  kind: 'message-added',
  message: {
    id,
    role: 'user',
    parts: [{ id: `${id}.1`, kind: 'text', text }],
    createdAt: 0,
    origin: 'person',
  },
});

test('the first screen says who works here and what the keys do', async () => {
  const { terminal } = await mountScreen();
  await terminal.shows('shop-api main ±2');
  const rows = terminal.rows();
  expect(rows).toHaveLength(24);
  expect(rows[20]).toBe(`  ${'─'.repeat(76)}`);
  expect(rows[21]).toBe('  ❯ say what to do · @ file · / command · ! shell');
  expect(rows[23]).toBe('  prompt ⇧⇥   qwen3-coder:30b · ollama   shop-api main ±2               ? help');
  expect(terminal.cursor()).toEqual({ x: 4, y: 21, isShown: true });
});

test('what is typed goes to the engine, and into the history', async () => {
  const { terminal, port } = await mountScreen();
  terminal.type('fix the total');
  await terminal.shows('❯ fix the total');
  terminal.type('\r');
  await terminal.shows('❯ say what to do');
  expect(port.handle.submitted).toEqual([
    { kind: 'prompt', text: 'fix the total', images: [], delivery: 'steer' },
  ]);
  expect(port.added).toEqual(['fix the total']);
});

test('keys typed before the screen was there are not lost', async () => {
  const { terminal, port } = await mountScreen({ typedAhead: 'hello\rwor' });
  await terminal.shows('❯ wor');
  expect(port.handle.submitted).toMatchObject([{ text: 'hello' }]);
});

test('a prompt from the command line is sent at once', async () => {
  const port = createFakePort({ firstPrompt: 'explain this' });
  await mountScreen({ port });
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toMatchObject([{ kind: 'prompt', text: 'explain this' }]);
});

test('without a model the first-run dialog opens and the prompt waits', async () => {
  const port = createFakePort({ needsModel: Promise.resolve(true), firstPrompt: 'explain this' });
  const { terminal } = await mountScreen({ port });
  await terminal.shows('Which model should work here?');
  expect(port.handle.submitted).toEqual([]);
  await terminal.shows('offline demo');
});

test('a turn shows what it does, for how long, and how to stop it', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'fix it'), { kind: 'turn-start' });
  await terminal.shows(/⠋ waiting for qwen3-coder:30b +0s · esc stops/);
  terminal.type('\x1b');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([{ kind: 'interrupt' }]);
  port.handle.emit({ kind: 'turn-end', reason: 'aborted', steps: 1, durationMs: 1 });
  await terminal.hides('esc stops');
});

test('enter steers a running turn, tab queues, and up takes the newest message back', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'go'), { kind: 'turn-start' });
  await terminal.shows('esc stops');
  terminal.type('also refunds\r');
  terminal.type('then the changelog\t');
  await waitFor(() => port.handle.submitted.length === 2);
  expect(port.handle.submitted).toMatchObject([
    { text: 'also refunds', delivery: 'steer' },
    { text: 'then the changelog', delivery: 'queue' },
  ]);
  port.handle.emit({
    kind: 'pending-changed',
    pending: [
      { id: 'p1', text: 'also refunds', delivery: 'steer', images: 0 },
      { id: 'p2', text: 'then the changelog', delivery: 'queue', images: 0 },
    ],
  });
  await terminal.shows(/↳ then the changelog +goes in after this turn · ↑ takes it back/);
  terminal.type('\x1b[A');
  await terminal.shows('❯ then the changelog');
  expect(port.handle.submitted.at(-1)).toEqual({ kind: 'take-back', pendingId: 'p2' });
});

test('a turn that reached its limit goes on with enter on an empty prompt', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'go'), { kind: 'turn-start' });
  port.handle.emit({ kind: 'turn-end', reason: 'step-limit', text: 'limit', steps: 200, durationMs: 1 });
  await terminal.shows('⏎ goes on');
  terminal.type('\r');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([{ kind: 'continue' }]);
});

test('an exclamation mark runs a command of the person', async () => {
  const { terminal, port } = await mountScreen();
  terminal.type('!git status');
  await terminal.shows('runs here, the model sees the output');
  expect(terminal.rows()[21]).toBe('  ! git status');
  expect(terminal.cursor()).toMatchObject({ x: 14, y: 21 });
  terminal.type('\r');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([{ kind: 'shell', command: 'git status' }]);
});

test('a slash command is run by the program and what it says stands in the transcript', async () => {
  const { terminal, port } = await mountScreen();
  port.outcomes['/clear'] = { kind: 'notice', level: 'info', text: 'A new conversation.' };
  terminal.type('/cle');
  await terminal.shows('❯ /clear');
  terminal.type('\r');
  await terminal.shows('A new conversation.');
  expect(port.lines).toEqual(['/clear']);
  expect(port.handle.submitted).toEqual([]);
});

test('a command that fails says so and the prompt goes on', async () => {
  const port = createFakePort({ runCommand: () => Promise.reject(new Error('the disk is full')) });
  const { terminal } = await mountScreen({ port });
  terminal.type('/exit\r');
  await terminal.shows('the disk is full');
  terminal.type('x');
  await terminal.shows('❯ x');
});

test('another thread takes the place of the one on the screen', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'the old question'));
  await terminal.shows('the old question');
  const next = createFakeHandle({ threadId: 'other' });
  next.emit(said('n1', 'the new question'));
  port.outcomes['/clear'] = { kind: 'attach', handle: next, notice: 'Resumed.' };
  terminal.type('/clear\r');
  await terminal.shows('the new question');
  await terminal.shows('Resumed.');
  await terminal.hides('the old question');
  port.handle.emit(said('m2', 'a late word'));
  terminal.type('hello\r');
  await waitFor(() => next.submitted.length > 0);
  expect(next.submitted).toMatchObject([{ text: 'hello' }]);
  expect(terminal.text()).not.toContain('a late word');
});

test('the branch in the status line is that of the thread on the screen', async () => {
  let name = 'main';
  const { terminal, port } = await mountScreen({
    port: createFakePort({ branch: async () => ({ name, changed: 0 }) }),
  });
  await terminal.shows('shop-api main');
  name = 'elsewhere';
  port.outcomes['/clear'] = { kind: 'attach', handle: createFakeHandle({ threadId: 'other' }) };
  terminal.type('/clear\r');
  await terminal.shows('elsewhere');
});

test('a plan stands below the activity until all of it is done', async () => {
  const { terminal, port } = await mountScreen();
  const plan = (second: 'pending' | 'completed'): EventBody => ({
    kind: 'todos-changed',
    todos: [
      { content: 'find the cause', status: 'completed' },
      { content: 'mend it', status: second },
    ],
  });
  port.handle.emit(said('m1', 'go'), { kind: 'turn-start' });
  port.handle.emit(plan('pending'));
  await terminal.shows('☐ mend it');
  port.handle.emit(plan('completed'));
  await terminal.hides('mend it');
});

test('copying writes clean text to the clipboard of the terminal', async () => {
  const { terminal, port } = await mountScreen();
  port.outcomes['/help'] = { kind: 'copy', text: 'a\x1b[31mb\x1b[0m', what: 'the answer' };
  terminal.type('/help\r');
  await terminal.shows('Copied the answer through the terminal.');
  expect(terminal.output()).toContain(`\x1b]52;c;${Buffer.from('ab').toString('base64')}\x07`);
});

test('shift and tab steps through the modes', async () => {
  const { terminal, port } = await mountScreen();
  terminal.type('\x1b[Z');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([{ kind: 'set-mode', mode: 'workspace_write' }]);
  port.handle.emit({ kind: 'mode-changed', mode: 'workspace_write' });
  await terminal.shows('workspace_write ⇧⇥');
});

test('a question mark on an empty prompt opens the help', async () => {
  const { terminal } = await mountScreen();
  terminal.type('?');
  await terminal.shows('┌ help');
  terminal.type('\x1b');
  await terminal.hides('┌ help');
  expect(terminal.cursor()).toEqual({ x: 4, y: 21, isShown: true });
});

test('what is typed when a permission dialog comes up stays in the prompt', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'go'), { kind: 'turn-start' });
  terminal.type('also ');
  await terminal.shows('❯ also');
  port.handle.emit(rmRequest);
  await terminal.shows('bash wants to run');
  terminal.type('yes');
  port.handle.emit({ kind: 'permission-response', requestId: 'r', answer: null });
  await terminal.shows('❯ also yes');
  expect(port.handle.submitted).toEqual([]);
});

test('keys of the editor do not reach the hidden prompt while a dialog is open', async () => {
  const { terminal, port } = await mountScreen();
  terminal.type('keep me');
  await terminal.shows('❯ keep me');
  port.handle.emit(said('m1', 'go'), { kind: 'turn-start' });
  port.handle.emit(rmRequest);
  await terminal.shows('bash wants to run');
  // The keys of the dialog light up when it takes them.
  await waitFor(() => terminal.output().includes('\x1b[1my'));
  terminal.type('\x15\x0b\x14');
  terminal.type('y');
  await waitFor(() => port.handle.submitted.length > 0);
  expect(port.handle.submitted).toEqual([
    { kind: 'answer-permission', requestId: 'r', answer: { kind: 'once' } },
  ]);
  port.handle.emit({ kind: 'permission-response', requestId: 'r', answer: { kind: 'once' } });
  await terminal.shows('❯ keep me');
});

test('the theme can be changed while the screen is up', async () => {
  const { terminal, port } = await mountScreen();
  port.outcomes['/theme light'] = { kind: 'theme', theme: 'light' };
  port.outcomes['/theme none'] = { kind: 'theme', theme: 'none' };
  terminal.type('/theme light\r');
  terminal.type('/theme none\r');
  await terminal.shows('There is no theme named none.');
});

test('what the program does by itself shows as well', async () => {
  const pushed = new AsyncQueue<CommandOutcome>();
  const { terminal } = await mountScreen({ port: createFakePort({ pushed }) });
  await terminal.shows('say what to do');
  pushed.push({ kind: 'theme', theme: 'none' });
  await terminal.shows('There is no theme named none.');
});

test('the demo model is named as such', async () => {
  const handle = createFakeHandle({ model: { provider: 'demo', model: 'demo' } });
  const { terminal } = await mountScreen({ port: createFakePort({ handle }) });
  await terminal.shows('demo (offline, scripted)');
});

test('text of others cannot change the terminal', async () => {
  const evil = '\x1b]0;owned\x07\x1b[?1049l\x1b]52;c;AAAA\x07\x9b2J';
  const port = createFakePort({
    cwdLabel: `dir${evil}`,
    branch: async () => ({ name: `b${evil}`, changed: 0 }),
    files: async () => [`file${evil}`],
  });
  const { terminal } = await mountScreen({ port, columns: 160 });
  port.handle.emit(
    said('m1', evil),
    { kind: 'turn-start' },
    { kind: 'todos-changed', todos: [{ content: evil, status: 'pending' }] },
    { kind: 'pending-changed', pending: [{ id: 'p', text: evil, delivery: 'steer', images: 0 }] },
    { kind: 'message-start', messageId: 'a', model },
    { kind: 'tool-call-start', messageId: 'a', partId: 'c', callId: 'k', tool: `t${evil}` },
  );
  terminal.type(`\x1b[200~pasted${evil}\x1b[201~ @fil`);
  await terminal.shows('pasted');
  await terminal.shows('❯ file');
  expect(terminal.output()).not.toContain('owned\x07');
  expect(terminal.output()).not.toContain('\x1b]52');
  expect(terminal.isAlternate()).toBe(true);
});

test('a terminal that is gone ends the screen', async () => {
  for (const event of ['end', 'error']) {
    const { terminal, end } = await mountScreen();
    terminal.streams.stdin.emit(event, new Error('EIO'));
    expect(await end).toEqual({ exit: 'signal', farewell: [] });
  }
});

test('when the choice of a model fails the screen says why and goes on', async () => {
  const needsModel = Promise.reject(new Error('config.json line 3: no such key'));
  needsModel.catch(() => undefined);
  const { terminal } = await mountScreen({ port: createFakePort({ needsModel }) });
  await terminal.shows('config.json line 3: no such key');
});

test('a fault behind a key ends the screen with what happened', async () => {
  const history = {
    load: async () => ({ texts: [] }),
    add: () => {
      throw new Error('boom');
    },
  };
  const { terminal, end } = await mountScreen({ port: createFakePort({ history }) });
  const failure = expect(end).rejects.toMatchObject({
    code: 'screen-failed',
    message: expect.stringContaining('The screen failed: boom'),
  });
  terminal.type('x\r');
  await failure;
  expect(terminal.isAlternate()).toBe(false);
});

test('escape twice at rest, with nothing typed, offers the way back', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'mend the total'));
  await terminal.shows('mend the total');
  terminal.type('\x1b');
  // A lone escape is known as such only after a moment.
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(terminal.rows().join('\n')).not.toContain('go back to before');
  terminal.type('\x1b');
  await terminal.shows('go back to before');
  await terminal.shows('❯ mend the total');
});

test('ctrl+f on an empty prompt finds words in the conversation, and in a draft it moves the cursor', async () => {
  const { terminal, port } = await mountScreen();
  port.handle.emit(said('m1', 'the gift card'));
  await terminal.shows('the gift card');
  terminal.type('\u0006');
  await terminal.shows('search');
  terminal.type('GIFT');
  await terminal.shows('no match');
  terminal.type('\u0015gift');
  await terminal.shows('search  gift');
  terminal.type('\r');
  await terminal.shows('n older');
  // A letter that the search does not know begins a prompt.
  terminal.type('x');
  await terminal.shows('❯ x');
  terminal.type('\u0006y');
  await terminal.shows('❯ xy');
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { UserAction } from '#protocol/user-action.ts';
import { createTools } from '#tools/index.ts';
import { answer, call, calls, type ScriptStep } from '../../support/engine/scripted-model.ts';
import { openTestThread, tempFolder, textOf } from '../../support/engine/test-thread.ts';

async function workThread(script: readonly ScriptStep[], given: { home?: string; cwd?: string } = {}) {
  const home = given.home ?? (await tempFolder());
  const cwd = given.cwd ?? path.join(home, 'work');
  mkdirSync(cwd, { recursive: true });
  const thread = await openTestThread({
    home: path.join(home, 'llmcode'),
    cwd,
    script,
    roots: [cwd],
    tools: createTools(),
    requireRead: false,
    childEnv: { PATH: process.env['PATH'] ?? '' },
  });
  const file = (name: string) => path.join(cwd, name);
  /** Submits it and resolves with what the person is told. */
  const back = async (action: UserAction) => {
    const seen = thread.events.length;
    thread.handle.submit(action);
    const told = () => thread.events.slice(seen).findLast(({ kind }) => kind === 'notice-added');
    await thread.until(() => told() !== undefined);
    const event = told();
    return event?.kind === 'notice-added' ? event.notice.text : '';
  };
  return { ...thread, cwd, file, back };
}

const bash = (command: string) => calls(call('bash', { command }));
const undo: UserAction = { kind: 'undo-changes', prompts: 1, edited: 'keep' };
const redo: UserAction = { kind: 'redo-changes', edited: 'keep' };

/** Everything below a folder, `.git` too: kind, mode, content. */
function tree(folder: string, at = ''): string[] {
  return readdirSync(path.join(folder, at))
    .sort()
    .flatMap((name) => {
      const relative = path.join(at, name);
      const file = path.join(folder, relative);
      const stats = lstatSync(file);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) return [`${relative}/ ${mode}`, ...tree(folder, relative)];
      if (stats.isSymbolicLink()) return [`${relative} -> ${readlinkSync(file)}`];
      return [`${relative} ${mode} ${readFileSync(file, 'base64')}`];
    });
}

test('what tools changed comes back: edited, new, in new folders; and is there again after a redo', async () => {
  const thread = await workThread([
    calls(
      call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }),
      call('write_file', { path: 'new/deep/b.txt', content: 'b' }),
    ),
    answer('done'),
  ]);
  writeFileSync(thread.file('a.txt'), 'one\n');
  const before = tree(thread.cwd);
  await thread.prompt('go');
  const after = tree(thread.cwd);
  expect(after).not.toEqual(before);
  expect(await thread.back(undo)).toBe('Took back 4 files: a.txt, new, new/deep, new/deep/b.txt');
  expect(tree(thread.cwd)).toEqual(before);
  expect(await thread.back(redo)).toContain('Brought back 4 files');
  expect(tree(thread.cwd)).toEqual(after);
  await thread.back(undo);
  expect(tree(thread.cwd)).toEqual(before);
});

test('what a command did to a dirty repository comes back to the byte, and git never hears of it', async () => {
  const home = await tempFolder();
  const cwd = path.join(home, 'work');
  mkdirSync(path.join(cwd, 'src'), { recursive: true });
  mkdirSync(path.join(cwd, 'empty'));
  mkdirSync(path.join(cwd, 'node_modules/big'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd }).toString();
  git('init', '-q');
  for (let index = 0; index < 300; index += 1)
    writeFileSync(path.join(cwd, `src/f${index}.ts`), `value ${index}\n`);
  writeFileSync(path.join(cwd, 'binary'), Buffer.from([0, 255, 1, 254, 10]));
  writeFileSync(path.join(cwd, 'run.sh'), 'echo\n', { mode: 0o755 });
  symlinkSync('src/f1.ts', path.join(cwd, 'link'));
  for (let index = 0; index < 1_200; index += 1)
    writeFileSync(path.join(cwd, `node_modules/big/${index}`), '');
  git('add', 'src');
  git('commit', '-qm', 'first');
  writeFileSync(path.join(cwd, 'src/f2.ts'), 'staged\n');
  git('add', 'src/f2.ts');
  writeFileSync(path.join(cwd, 'src/f3.ts'), 'dirty\n');
  writeFileSync(path.join(cwd, '.git/hooks/pre-commit'), '#!/bin/sh\ntouch ../ran\n', { mode: 0o755 });
  const thread = await workThread(
    [
      bash(`sed -i s/value/changed/ src/*.ts; rm src/f7.ts; mv src/f8.ts src/moved.ts; chmod 644 run.sh
        ln -sfn src/f2.ts link; printf '\\1\\2' >binary; rmdir empty; mkdir -p made/deep; echo x >made/deep/x
        rm src/f9.ts; mkdir src/f9.ts; echo in >src/f9.ts/in`),
      answer('done'),
    ],
    { home, cwd },
  );
  git('status');
  const before = tree(cwd);
  const status = git('status', '--porcelain');
  const index = readFileSync(path.join(cwd, '.git/index'));
  await thread.prompt('go');
  expect(readFileSync(path.join(cwd, 'src/f4.ts'), 'utf8')).toBe('changed 4\n');
  expect(tree(cwd)).not.toEqual(before);
  expect(await thread.back(undo)).toMatch(/^Took back 3\d\d files: binary, empty, link/);
  expect(tree(cwd)).toEqual(before);
  expect(readFileSync(path.join(cwd, '.git/index')).equals(index)).toBe(true);
  expect(git('status', '--porcelain')).toBe(status);
  expect(thread.events).toContainEqual(
    expect.objectContaining({
      kind: 'notice-added',
      notice: expect.objectContaining({ text: expect.stringContaining('node_modules cannot be taken back') }),
    }),
  );
});

test('a file that the person changed meanwhile is left alone, unless they say so', async () => {
  const thread = await workThread([
    calls(call('write_file', { path: 'a.txt', content: 'by the model\n' })),
    calls(call('write_file', { path: 'b.txt', content: 'by the model\n' })),
    answer('done'),
  ]);
  await thread.prompt('go');
  writeFileSync(thread.file('a.txt'), 'by the person\n');
  const told = await thread.back(undo);
  expect(told).toContain('Took back 1 file: b.txt');
  expect(told).toContain(
    'Left 1 file alone that changed since, not by llmcode: a.txt. `/undo --force` overwrites.',
  );
  expect(readFileSync(thread.file('a.txt'), 'utf8')).toBe('by the person\n');
  await thread.back({ ...undo, edited: 'overwrite' });
  expect(readdirSync(thread.cwd)).toEqual([]);
  await thread.back(redo);
  expect(readFileSync(thread.file('a.txt'), 'utf8')).toBe('by the person\n');
});

test('an edit of the person between two of the model is not lost either', async () => {
  const thread = await workThread([
    bash('echo one >>log'),
    answer('done'),
    bash('echo three >>log'),
    answer('done'),
  ]);
  writeFileSync(thread.file('log'), '');
  await thread.prompt('first');
  writeFileSync(thread.file('log'), 'one\ntwo\n');
  await thread.prompt('second');
  const told = await thread.back({ ...undo, prompts: 2 });
  expect(told).toContain('Left 1 file alone');
  expect(readFileSync(thread.file('log'), 'utf8')).toBe('one\ntwo\nthree\n');
  await thread.back(undo);
  expect(readFileSync(thread.file('log'), 'utf8')).toBe('one\ntwo\n');
});

test('a rewind brings conversation and files to before a prompt, also after the thread was opened again', async () => {
  const script = [
    calls(call('write_file', { path: 'a.txt', content: 'first\n' })),
    answer('first done'),
    calls(call('write_file', { path: 'a.txt', content: 'second\n' })),
    answer('second done'),
  ];
  const first = await workThread(script);
  await first.prompt('one');
  await first.prompt('two');
  const prompt = first.state().messages.findLast(({ role }) => role === 'user');
  await first.close();
  const thread = await openTestThread({
    home: first.home,
    cwd: first.cwd,
    roots: [first.cwd],
    tools: createTools(),
    script: [answer('third done')],
    origin: { kind: 'resume', threadId: first.handle.threadId },
  });
  thread.handle.submit({ kind: 'rewind', promptId: prompt?.id ?? '', what: 'both', edited: 'keep' });
  await thread.next('thread-rewound');
  expect(readFileSync(first.file('a.txt'), 'utf8')).toBe('first\n');
  const said = thread
    .state()
    .messages.filter(({ role }) => role !== 'notice')
    .map(textOf);
  expect(said).toEqual(['one', '', 'first done']);
  await thread.prompt('three');
  expect(thread.model.requests.at(-1)?.messages.map(textOf).join('\n')).not.toContain('two');
  expect(thread.state().messages.map(textOf).join('\n')).toContain(
    'The person took back changes to these files: a.txt',
  );
});

test('commands that only read cost no look at the workspace, and leave nothing to take back', async () => {
  const thread = await workThread([bash('ls; cat a.txt'), answer('done')]);
  writeFileSync(thread.file('a.txt'), 'one\n');
  chmodSync(thread.file('a.txt'), 0o600);
  await thread.prompt('look');
  expect(thread.state().changes).toBeUndefined();
  expect(await thread.back(undo)).toBe('No change to files is left to take back in this thread.');
});

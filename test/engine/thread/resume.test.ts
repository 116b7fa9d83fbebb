import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listThreads, readThread } from '#engine/thread/store.ts';
import { projectKey } from '#lib/project-key.ts';
import type { ImagePart } from '#protocol/message.ts';
import { answer, call, calls, testInfo } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  hooksThat,
  openTestThread,
  tempFolder,
  textOf,
} from '../../support/engine/test-thread.ts';
import { peekTool, pokeTool, text, todoTool } from '../../support/engine/test-tools.ts';

const logOf = (home: string, cwd: string, threadId: string) =>
  path.join(home, 'threads', projectKey(cwd), `${threadId}.jsonl`);
const resume = (threadId: string) => ({ kind: 'resume' as const, threadId });
const fork = (threadId: string) => ({ kind: 'fork' as const, threadId });
const pixel: ImagePart = {
  kind: 'image',
  id: 'i1',
  mediaType: 'image/png',
  name: 'shot.png',
  source: { kind: 'inline', base64: 'iVBORw0KGgo=' },
};

test('opening and leaving a thread leaves no file', async () => {
  const thread = await openTestThread();
  thread.handle.submit({ kind: 'set-mode', mode: 'plan' });
  await thread.next('mode-changed', ({ mode }) => mode === 'plan');
  await thread.close();
  expect(existsSync(path.join(thread.home, 'threads'))).toBe(false);
});

test('a thread that is not to be kept writes nothing under the home folder', async () => {
  const thread = await openTestThread({ persist: false, script: [answer('ok')] });
  thread.handle.submit({ kind: 'prompt', text: 'look', images: [pixel], delivery: 'steer' });
  await thread.turnEnds(1);
  await thread.close();
  expect(readdirSync(thread.home)).toEqual([]);
});

test('messages, model, mode, todos, name, usage and cost come back', async () => {
  const todos = [{ content: 'fix it', status: 'in_progress' as const }];
  const first = await openTestThread({
    mode: 'workspace_write',
    tools: [todoTool()],
    script: [calls(call('todo_write', { todos })), answer('Noted.')],
  });
  await first.prompt('remember this');
  first.handle.submit({ kind: 'rename', name: 'my work' });
  await first.next('thread-renamed');
  await first.close();
  const again = await openTestThread({
    home: first.home,
    model: null,
    mode: null,
    tools: [todoTool()],
    origin: resume(first.handle.threadId),
    script: [answer('Yes.')],
  });
  await again.next('thread-snapshot');
  expect(again.state()).toEqual(first.state());
  expect(again.state()).toMatchObject({
    name: 'my work',
    todos,
    mode: 'workspace_write',
    totals: { steps: 2 },
  });
  expect((await again.prompt('still there?')).reason).toBe('done');
  expect(again.model.problems).toEqual([]);
  expect(textOf(again.model.requests[0]?.messages[0])).toBe('remember this');
  expect(again.state().seq).toBeGreaterThan(first.state().seq);
});

test('the model of the thread wins over the configured one, but not over one that was asked for', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hi');
  await first.close();
  const other = { provider: 'test', model: 'other' };
  const open = async (modelOverride: boolean) => {
    const opened: string[] = [];
    const thread = await openTestThread({
      home: first.home,
      origin: resume(first.handle.threadId),
      model: other,
      modelOverride,
      directory: {
        open: async (ref) => {
          opened.push(ref.model);
          return {
            info: { ...testInfo, ref },
            stream: async function* none() {
              // It is only opened.
            },
          };
        },
      },
    });
    await thread.close();
    return opened;
  };
  expect(await open(false)).toEqual(['scripted']);
  expect(await open(true)).toEqual(['other']);
});

test('what the model has seen of files is known again', async () => {
  const states = [{ path: '/ws/a', sha256: 'abc' }];
  const first = await openTestThread({
    tools: [peekTool({ run: async () => text('seen', { fileStates: states }) })],
    script: [calls(call('peek', { path: 'a' })), answer('ok')],
  });
  await first.prompt('read a');
  await first.close();
  const seen: unknown[] = [];
  const tool = pokeTool({
    run: async (_input, { ledger }) => {
      seen.push(ledger.seen('/ws/a'), ledger.seen('/ws/b'));
      return text('ok');
    },
  });
  const again = await openTestThread({
    home: first.home,
    origin: resume(first.handle.threadId),
    tools: [tool],
    script: [calls(call('poke', { path: 'a' })), answer('ok')],
  });
  await again.prompt('change a');
  expect(seen).toEqual(['abc', undefined]);
});

test('images lie in files beside the log and are inline for the model', async () => {
  const image = { kind: 'image' as const, mediaType: 'image/png', source: pixel.source };
  const first = await openTestThread({
    tools: [
      peekTool({
        run: async () => ({ status: 'ok', forModel: [{ kind: 'text', text: 'a picture' }, image] }),
      }),
    ],
    script: [calls(call('peek', { path: 'a.png' })), answer('A pixel.')],
  });
  first.handle.submit({ kind: 'prompt', text: 'what is this?', images: [pixel], delivery: 'steer' });
  await first.turnEnds(1);
  expect(first.model.problems).toEqual([]);
  expect(first.model.requests[0]?.messages[0]?.parts[1]).toMatchObject({
    source: pixel.source,
    name: 'shot.png',
  });
  await first.close();
  const log = readFileSync(logOf(first.home, first.cwd, first.handle.threadId), 'utf8');
  expect(log).not.toContain('iVBORw0KGgo');
  const again = await openTestThread({
    home: first.home,
    origin: fork(first.handle.threadId),
    script: [answer('ok')],
  });
  await again.prompt('and now?');
  const sent = JSON.stringify(again.model.requests[0]?.messages);
  expect(sent.match(/iVBORw0KGgo/g)).toHaveLength(2);
  expect(again.model.problems).toEqual([]);
});

test('an image whose file is gone is named instead of breaking the request', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  first.handle.submit({ kind: 'prompt', text: 'look', images: [pixel], delivery: 'steer' });
  await first.turnEnds(1);
  await first.close();
  const id = first.handle.threadId;
  await rm(logOf(first.home, first.cwd, id).replace('.jsonl', '.files'), { recursive: true });
  const again = await openTestThread({ home: first.home, origin: resume(id), script: [answer('ok')] });
  await again.prompt('again');
  expect(textOf(again.model.requests[0]?.messages[0])).toContain('shot.png');
  expect(again.model.problems).toEqual([]);
});

test('a fork is a thread of its own with the same past', async () => {
  const first = await openTestThread({ script: [answer('one')] });
  await first.prompt('hi');
  const id = first.handle.threadId;
  const copy = await openTestThread({ home: first.home, origin: fork(id), script: [answer('two')] });
  expect(copy.handle.threadId).not.toBe(id);
  await copy.prompt('go another way');
  await copy.close();
  const { header, state } = await readThread(first.home, copy.handle.threadId);
  expect(header.forkedFrom?.threadId).toBe(id);
  expect(state.messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(['hi', 'go another way']);
  expect((await readThread(first.home, id)).state.messages).toHaveLength(2);
});

test('a thread that is open in another place is not opened twice', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hi');
  const again = openTestThread({ home: first.home, origin: resume(first.handle.threadId) });
  await expect(again).rejects.toMatchObject({
    code: 'thread-locked',
    message: expect.stringContaining('--fork'),
  });
  await first.close();
  await openTestThread({ home: first.home, origin: resume(first.handle.threadId) });
});

test('a broken last line is dropped with a notice, and what follows is whole', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hi');
  await first.close();
  const file = logOf(first.home, first.cwd, first.handle.threadId);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, `${whole}{"kind":"turn-start","thr`);
  const again = await openTestThread({
    home: first.home,
    origin: resume(first.handle.threadId),
    script: [answer('yes')],
  });
  await again.prompt('again');
  await again.close();
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.filter((line) => line !== '').every((line) => JSON.parse(line))).toBe(true);
  expect(
    again
      .state()
      .messages.some(
        ({ role, parts }) => role === 'notice' && JSON.stringify(parts).includes('not written whole'),
      ),
  ).toBe(true);
});

test('damage elsewhere names file and line, leaves the file alone, and a fork goes on without it', async () => {
  const first = await openTestThread({ script: [answer('ok'), answer('ok')] });
  await first.prompt('hi');
  await first.prompt('again');
  await first.close();
  const id = first.handle.threadId;
  const file = logOf(first.home, first.cwd, id);
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[4] = '\0'.repeat(50);
  const damaged = lines.join('\n');
  writeFileSync(file, damaged);
  const again = openTestThread({ home: first.home, origin: resume(id) });
  await expect(again).rejects.toMatchObject({
    code: 'thread-damaged',
    message: expect.stringContaining(`${file}:5 `),
  });
  expect(readFileSync(file, 'utf8')).toBe(damaged);
  const copy = await openTestThread({ home: first.home, origin: fork(id), script: [answer('fine')] });
  expect((await copy.prompt('still fine?')).reason).toBe('done');
  expect(copy.model.problems).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(damaged);
});

test('entries of a newer llmcode are left out, a newer format is refused', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hi');
  await first.close();
  const id = first.handle.threadId;
  const file = logOf(first.home, first.cwd, id);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    whole.replace('\n', '\n{"kind":"hologram-added","seq":1,"threadId":"x","turnId":null,"at":1}\n'),
  );
  const { state, notices } = await readThread(first.home, id);
  expect(state.messages).toHaveLength(2);
  expect(notices.join()).toContain('newer llmcode');
  writeFileSync(file, whole.replace('"version":1', '"version":2'));
  await expect(readThread(first.home, id)).rejects.toMatchObject({ code: 'thread-newer' });
});

test('where the home folder cannot be written the session goes on in memory and says so once', async () => {
  const folder = await tempFolder();
  const home = path.join(folder, 'a-file', 'home');
  writeFileSync(path.join(folder, 'a-file'), '');
  const thread = await openTestThread({
    home,
    cwd: folder,
    tools: [peekTool({ run: async () => text('x'.repeat(50_000)) })],
    script: [calls(call('peek', { path: 'a' })), answer('ok'), answer('ok')],
  });
  expect((await thread.prompt('hi')).reason).toBe('done');
  expect((await thread.prompt('again')).reason).toBe('done');
  const notices = thread.state().messages.filter(({ role }) => role === 'notice');
  expect(notices).toHaveLength(1);
  expect(JSON.stringify(notices)).toContain('cannot be saved');
  expect(JSON.stringify(callParts(thread.state().messages))).toContain('could not be stored');
});

test('messages that waited in a crash wait again, with their images', async () => {
  const first = await openTestThread({
    script: [
      async function* hang() {
        await new Promise(() => undefined);
        yield* answer('never');
      },
    ],
  });
  void first.prompt('hi').catch(() => undefined);
  await first.until(({ messages }) => messages.length === 1);
  first.handle.submit({ kind: 'prompt', text: 'later', images: [pixel], delivery: 'queue' });
  await first.next('pending-changed');
  const id = first.handle.threadId;
  await new Promise((resolve) => setImmediate(resolve));
  const file = logOf(first.home, first.cwd, id);
  const crashed = readFileSync(file);
  await first.close();
  writeFileSync(file, crashed);
  const again = await openTestThread({ home: first.home, origin: resume(id), script: [answer('ok')] });
  await again.next('thread-snapshot');
  expect(again.state().pending).toMatchObject([{ text: 'later', images: 1 }]);
  again.handle.submit({ kind: 'continue' });
  await again.turnEnds(1);
  expect(again.state().messages.at(-2)?.parts).toMatchObject([{ text: 'later' }, { kind: 'image' }]);
  expect(again.model.problems).toEqual([]);
});

test('a log that was copied by hand is a thread of its own', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hello');
  await first.close();
  const { home, cwd } = first;
  const copyId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  copyFileSync(logOf(home, cwd, first.handle.threadId), logOf(home, cwd, copyId));
  expect(new Set((await listThreads(home)).map(({ threadId }) => threadId)).size).toBe(2);
  const again = await openTestThread({ home, cwd, origin: resume(copyId), script: [answer('yes')] });
  await again.prompt('more');
  await again.close();
  expect((await readThread(home, copyId)).state.messages).toHaveLength(4);
  expect((await readThread(home, first.handle.threadId)).state.messages).toHaveLength(2);
});

test('the hooks of a resumed session are told what it is', async () => {
  const first = await openTestThread({ script: [answer('ok')] });
  await first.prompt('hi');
  await first.close();
  const hooks = hooksThat(() => undefined);
  await openTestThread({ home: first.home, hooks, origin: resume(first.handle.threadId) });
  expect(hooks.fired).toEqual([{ event: 'session-start', source: 'resume' }]);
});

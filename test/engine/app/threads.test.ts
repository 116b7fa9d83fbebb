import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { InteractiveSession } from '#app/session/interactive-session.ts';
import { createSessionPort } from '#app/session/session-port.ts';
import { headlessTests, type Started } from '../../support/app/headless.ts';
import { fakeHost, runLlmcode } from '../../support/app/run-llmcode.ts';
import { ThreadView } from '../../support/app/thread-view.ts';

const started = headlessTests();
const say = (text: string) => ({ parts: [{ text }] });

/** Two conversations; the functions run the program in their home. */
async function twoThreads() {
  const scene = await started([say('The invoice rounds half to even.'), say('Use a bastion.')]);
  const run = (...argv: string[]) => runLlmcode(argv, scene);
  await run('-p', 'why is the invoice wrong?');
  await run('-p', 'how do I reach staging?');
  return { scene, run, rows: async (...argv: string[]) => rowsOf(scene, argv) };
}

type Row = { id: string; name: string | null; title: string; archived: boolean; hits?: { kind: string }[] };

async function rowsOf(scene: Started, argv: readonly string[]): Promise<Row[]> {
  const { stdout } = await runLlmcode(['threads', ...argv, '--json'], scene);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

function resumed(scene: Started, threadId: string) {
  const session = new InteractiveSession({
    host: fakeHost(['x'], scene).host,
    flags: { resume: threadId },
    cwd: scene.cwd,
    mode: 'prompt',
  });
  const port = createSessionPort(session, { theme: 'auto', mode: 'prompt' });
  session.begin();
  return { session, port };
}

it('threads search finds what was said in any conversation, and says when there is nothing', async () => {
  const { run, rows } = await twoThreads();
  const [found, ...more] = await rows('search', 'half', 'to', 'even');
  expect(found).toMatchObject({ title: 'why is the invoice wrong?', hits: [{ kind: 'answer' }] });
  expect(more).toEqual([]);
  const { stdout } = await run('threads', 'search', 'bastion');
  expect(stdout).toMatch(/how do I reach staging\?.*\n {4}answer: Use a bastion\./);
  expect(await run('threads', 'search', 'nowhere')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Nothing was found.\n',
  });
  expect((await run('threads', 'search', '***')).code).toBe(2);
  expect((await run('threads', 'search', 'half', '--limit', 'many')).stderr).toContain('--limit');
  expect((await run('threads', 'reindex')).stdout).toMatch(/^2 conversations \(.* MB\) can be searched\.\n$/);
  expect(await rows('search', 'half')).toHaveLength(1);
});

it('a conversation is renamed, put out of sight and shown again', async () => {
  const { run, rows } = await twoThreads();
  const [first] = await rows('search', 'invoice');
  const id = first?.id ?? '';
  expect((await run('threads', 'rename', id, 'red\x1b[31m')).stdout).not.toContain('\x1b');
  expect((await run('threads', 'rename', id.slice(0, 12), 'The', 'rounding')).stdout).toBe(
    `${id} is "The rounding" now.\n`,
  );
  expect((await run('threads', 'rename', id, ' \n ')).code).toBe(2);
  expect((await run('threads', 'archive', 'the rounding')).code).toBe(0);
  expect((await rows('list')).map(({ title }) => title)).toEqual(['how do I reach staging?']);
  expect(await rows('list', '--archived')).toMatchObject([{ id, name: 'The rounding', archived: true }]);
  expect(await rows('search', 'invoice')).toMatchObject([{ id, archived: true }]);
  expect((await run('threads', 'archive', id, '--undo')).code).toBe(0);
  expect(await rows('list')).toHaveLength(2);
});

it('a conversation is exported as Markdown, HTML and JSON, and from the screen into a new file', async () => {
  const { scene, run, rows } = await twoThreads();
  const [{ id } = { id: '' }] = await rows('search', 'invoice');
  expect((await run('threads', 'export', id)).stdout).toContain('## ❯ you\n\nwhy is the invoice wrong?');
  expect((await run('threads', 'export', id, '--format', 'html')).stdout).toMatch(
    /^<!doctype html>[\s\S]*<p>The invoice rounds half to even\.<\/p>/,
  );
  expect(JSON.parse((await run('threads', 'export', id, '--format', 'json')).stdout)).toMatchObject({
    schema_version: 1,
    header: { threadId: id },
    state: { messages: [{ role: 'user' }, { role: 'assistant' }] },
  });

  const { session, port } = resumed(scene, id);
  const said = async (line: string) => {
    const outcome = await port.runCommand(line);
    return outcome.kind === 'notice' ? outcome.text : outcome.kind;
  };
  expect(await said('/export notes.html')).toContain('notes.html');
  expect(readFileSync(path.join(scene.cwd, 'notes.html'), 'utf8')).toContain('<!doctype html>');
  expect(await said('/export --format json')).toContain(`llmcode-${id}.json`);
  await expect(port.runCommand('/export notes.html')).rejects.toMatchObject({ code: 'export-failed' });
  expect(await said('/export --format pdf')).toMatch(/markdown/);
  await session.close();
});

it('without a name, a thread is named by the model for titles from what was said in it', async () => {
  const scene = await started(
    ({ body }) =>
      body.model === 'namer' ? say('"Rounding of invoices."\nand more') : say('It rounds half to even.'),
    (url) => ({
      model_routing: { title: 'local/namer' },
      providers: {
        local: {
          type: 'openai-compatible',
          base_url: url,
          api_key: 'k',
          models: { namer: {}, 'test-model': {} },
        },
      },
    }),
  );
  const key = 'sk-abcDEF1234567890abcdef1234567890';
  await runLlmcode(['-p', `why is the invoice wrong? ${key}`], scene);
  const [{ id } = { id: '' }] = await rowsOf(scene, ['list']);
  const { session, port } = resumed(scene, id);
  const action = { kind: 'rename', name: 'Rounding of invoices' };
  expect(await port.runCommand('/rename')).toEqual({ kind: 'action', action });
  const asked = JSON.stringify(scene.server.requests.at(-1)?.body.messages);
  expect(asked).toContain('why is the invoice wrong?');
  expect(asked).not.toContain(key);
  await session.close();
});

it('a named point and any message can be gone on from in a copy; the thread itself stays as it was', async () => {
  const scene = await started([say('First answer.'), say('Second answer.'), say('Third.')]);
  await runLlmcode(['-p', 'first'], scene);
  const [{ id } = { id: '' }] = await rowsOf(scene, ['list']);
  const { session, port } = resumed(scene, id);
  const view = new ThreadView(port.handle);
  const act = async (line: string) => {
    const outcome = await port.runCommand(line);
    if (outcome.kind !== 'action') throw new Error(JSON.stringify(outcome));
    port.handle.submit(outcome.action);
  };
  await view.until(({ messages }) => messages.length === 2);
  await act('/checkpoint save Before It');
  await view.until(({ checkpoints = [] }) => checkpoints.length === 1);
  await act('/rename the work');
  await view.until(
    ({ name, messages }) => name === 'the work' && said(messages).includes('is "the work" now'),
  );
  port.handle.submit({ kind: 'prompt', text: 'second', images: [], delivery: 'steer' });
  await view.until(({ messages, turnId }) => turnId === null && said(messages).includes('Second answer.'));
  const second = view.state.messages.find(({ parts }) => JSON.stringify(parts).includes('second'))?.id ?? '';
  expect(await port.runCommand('/checkpoint list')).toMatchObject({
    text: expect.stringContaining('Before It'),
  });
  expect(await port.runCommand('/checkpoint resume nothing')).toMatchObject({ level: 'warning' });

  // A copy in place of the thread: what came after the point is not in it.
  expect(await port.runCommand('/checkpoint resume before it')).toMatchObject({ kind: 'attach' });
  const atPoint = (await session.state()).messages;
  expect([said(atPoint).includes('First answer.'), said(atPoint).includes('second')]).toEqual([true, false]);
  await port.runCommand(`/resume ${id}`);
  expect(said((await session.state()).messages)).toContain('Second answer.');
  expect(await port.runCommand(`/fork ${second}`)).toMatchObject({ kind: 'attach' });
  const beforeMessage = (await session.state()).messages;
  expect([said(beforeMessage).includes('First answer.'), said(beforeMessage).includes('"second"')]).toEqual([
    true,
    false,
  ]);
  await expect(port.runCommand('/fork nothing')).rejects.toMatchObject({ code: 'message-not-found' });
  await session.close();
});

const said = (messages: unknown) => JSON.stringify(messages).replaceAll('\\"', '"');

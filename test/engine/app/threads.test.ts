import { expect, it } from 'vitest';
import { headlessTests, type Started } from '../../support/app/headless.ts';
import { runLlmcode } from '../../support/app/run-llmcode.ts';

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

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resultLineSchema } from '#app/print/schemas.ts';
import { runProgram } from '../support/e2e/running-program.ts';
import type { SampleRepo } from '../support/e2e/sample-repo.ts';
import { logOf, say, soundAtRest, stageTests, turnEnds } from '../support/e2e/stage.ts';
import {
  type ModelServer,
  type ServerRequest,
  type ServerStep,
  startModelServer,
} from '../support/model-servers/index.ts';

const stage = stageTests();

const autoAccept = ['--permission-mode', 'auto_accept'];
const run = { call: 'bash', input: { command: 'echo ran >> runs.txt' } } as const;
const read = (path: string): ServerStep => ({ parts: [{ call: 'read_file', input: { path } }] });

/** Everything that goes wrong within one turn of the first model, after it has done half of the work. */
const ladder: readonly ServerStep[] = [
  read('a.txt'),
  read('b.txt'),
  read('c.txt'),
  { parts: [{ text: 'I run it once.' }, run] },
  { status: 429, headers: { 'retry-after': '0' } },
  { parts: [{ text: 'I run it ag' }, run, { cut: true }] },
  { status: 400, message: 'prompt is too long: 213462 tokens > 200000 maximum' },
  { status: 400, message: 'Your credit balance is too low to access the Anthropic API.' },
];

describe('one turn through rate limit, lost stream, overflow and used up quota', () => {
  it('on the screen goes on with the local model, and says so', async () => {
    const { first, second, repo, home } = await cast([{ status: 529, message: 'Overloaded' }, ...ladder]);
    const screen = stage.open({ repo, home }, { rows: 45, args: autoAccept });
    await screen.waitFor('cloud-model');
    await say(screen, 'are you there');
    await screen.waitFor(/529 server overloaded · again in (30|29)s · try 2 of 3/);
    await screen.waitFor(/again in 2[0-8]s/);
    screen.press('escape');
    expect(await turnEnds(home, 1)).toMatchObject([{ reason: 'aborted' }]);

    await say(screen, 'read them all, then run it');
    await screen.waitFor('All done.');
    await screen.waitFor(
      /near\/local-model takes over from far\/cloud-model: far answered 400: Your credit balance/,
    );
    expect((await turnEnds(home, 2))[1]).toMatchObject({ reason: 'done' });
    await screen.waitFor((text) => /local-model · near for cloud-model/.test(text));
    expect(screen.screen()).not.toMatch(/cloud-model · far/);
    checkWork({ first, second, repo, home });
    await soundAtRest(home);
  });

  it('without a screen ends with the answer of the local model', async () => {
    const { first, second, repo, home } = await cast(ladder);
    const args = ['-p', 'read them all, then run it', '--output-format', 'json', ...autoAccept];
    const end = await runProgram(args, { home, cwd: repo.folder });
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(resultLineSchema.parse(JSON.parse(end.stdout))).toMatchObject({
      is_error: false,
      result: 'All done.',
      terminal_reason: 'done',
    });
    expect(end.stderr).toMatch(/near\/local-model takes over from far\/cloud-model/);
    checkWork({ first, second, repo, home });
    await soundAtRest(home);
  });
});

type Cast = {
  first: ModelServer;
  second: ModelServer;
  repo: SampleRepo;
  home: string;
};

async function cast(steps: readonly ServerStep[]): Promise<Cast> {
  const waiting = [...steps];
  const script = ({ body }: ServerRequest): ServerStep =>
    JSON.stringify(body).includes('Summarise this transcript')
      ? { parts: [{ text: '## Goal\nread them all, then run it' }] }
      : (waiting.shift() ?? { status: 400, message: 'the script is used up' });
  const first = await startModelServer({ api: 'anthropic', script });
  stage.onEnd(() => first.close());
  const { server, repo, home } = await stage.start([read('a.txt'), { parts: [{ text: 'All done.' }] }], {
    settings: (url) => ({
      model: 'far/cloud-model',
      providers: {
        far: provider('anthropic', { base_url: first.url, model: 'cloud-model' }),
        near: provider('openai-compatible', { base_url: url, model: 'local-model' }),
      },
      model_routing: { fallback: ['gone/missing-model', 'near/local-model'] },
    }),
  });
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(repo.file(name), `${'x '.repeat(3_000)}\n`);
  return { first, second: server, repo, home };
}

function provider(type: string, { base_url, model }: { base_url: string; model: string }) {
  const facts = { context_window: 200_000, output_limit: 8_000, tools: true };
  return { type, base_url, api_key: 'test-key', models: { [model]: facts } };
}

/** Nothing ran twice, nothing was lost, and every request was one that its vendor takes. */
function checkWork({ first, second, repo, home }: Cast): void {
  expect(readFileSync(repo.file('runs.txt'), 'utf8')).toBe('ran\n');
  expect([...first.violations, ...second.violations]).toEqual([]);
  expect(second.unusedSteps()).toBe(0);
  expect(JSON.stringify(second.requests[0]?.body)).toContain('then run it');
  const log = logOf(home);
  const results = log
    .filter(({ kind }) => kind === 'tool-run-end')
    .map(({ result }) => (result as { status: string }).status);
  expect(results).toEqual(['ok', 'ok', 'ok', 'ok', 'aborted', 'ok']);
  const notices = log.flatMap(({ notice }) => (notice as { text: string } | undefined)?.text ?? []);
  expect(notices.join('\n')).toMatch(/gone\/missing-model could not take over: /);
  expect(log.filter(({ kind, reason }) => kind === 'model-switched' && reason === 'fallback')).toHaveLength(
    1,
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { resultLineSchema } from '#app/print/schemas.ts';
import type { LogLine } from '../support/e2e/home.ts';
import { runProgram } from '../support/e2e/running-program.ts';
import { answers, logOf, say, soundAtRest, stageTests, turnEnds } from '../support/e2e/stage.ts';
import { type ServerStep, startModelServer } from '../support/model-servers/index.ts';

const stage = stageTests();

/** Silence that counts as broken, in milliseconds. */
const silenceMs = 700;

const autoAccept = ['--permission-mode', 'auto_accept'];
const webPage = '<!doctype html><html><head><title>Welcome to nginx!</title></head><body></body></html>';
const write = { call: 'bash', input: { command: 'echo ran >> runs.txt' } } as const;

/** A way to fail, and what is to be seen of it. */
type Failure = {
  name: string;
  steps: readonly ServerStep[];
  /** The error that each retry waits for: class and status. */
  retries?: readonly [string, number?][];
  /** On the screen while it waits. */
  waiting?: RegExp;
  /** The error that ends the turn; without it the turn ends well. */
  error?: string;
  /** On the screen afterwards. */
  shown: readonly RegExp[];
};

const failures: readonly Failure[] = [
  {
    name: 'says nothing',
    steps: [{ stall: true }, { parts: [{ text: 'After the silence.' }] }],
    retries: [['timeout']],
    waiting: /no answer in time · again in/,
    shown: [/After the silence\./],
  },
  {
    name: 'falls silent in the middle',
    steps: [
      { parts: [{ text: 'Half of an answer' }, { stall: true }] },
      { parts: [{ text: 'The whole answer.' }] },
    ],
    retries: [['timeout']],
    shown: [/The whole answer\./],
  },
  {
    name: 'hangs up in the middle',
    steps: [
      { parts: [{ text: 'I run it.' }, write, { cut: true }] },
      { parts: [{ text: 'I run it now.' }, write] },
      { parts: [{ text: 'It ran once.' }] },
    ],
    retries: [['network']],
    shown: [/I run it now\./, /It ran once\./],
  },
  {
    name: 'has too many requests',
    steps: [{ status: 429, headers: { 'retry-after': '1' } }, { parts: [{ text: 'After the limit.' }] }],
    retries: [['rate-limit', 429]],
    waiting: /429 rate limit · again in 1s · try 2 of 5/,
    shown: [/After the limit\./],
  },
  {
    name: 'fails twice',
    steps: [{ status: 500 }, { status: 503 }, { parts: [{ text: 'After two failures.' }] }],
    retries: [
      ['server', 500],
      ['server', 503],
    ],
    waiting: /503 server error · again in \ds · try 3 of 5/,
    shown: [/After two failures\./],
  },
  {
    name: 'refuses the key',
    steps: [{ status: 401, message: 'Incorrect API key provided: test-key' }],
    error: 'auth',
    shown: [/✗ local answered 401: Incorrect API key provided: \*\*\*/, /Check api_key of provider "local"/],
  },
  {
    name: 'sends a web page',
    steps: [{ html: webPage }],
    error: 'bad-response',
    shown: [
      /✗ local answered 200 with a web page \(Welcome to nginx!\)/,
      /Check base_url of provider "local"/,
    ],
  },
  {
    name: 'does not know the model',
    steps: [{ status: 404, message: "The model 'test-model' does not exist" }],
    error: 'not-found',
    shown: [/✗ local answered 404: The model 'test-model' does not exist\./, /\/model lists what is there/],
  },
  {
    name: 'cuts its answer at the limit',
    steps: [
      { parts: [{ text: 'One, two, ' }], finish: 'length', usage: { input: 900, output: 20 } },
      { parts: [{ text: 'three and done.' }] },
    ],
    shown: [/cut at the output limit of the model; it is being continued/, /three and done\./],
  },
  {
    name: 'answers with nothing once',
    steps: [{ parts: [] }, { parts: [{ text: 'Words after all.' }] }],
    shown: [/Words after all\./],
  },
  {
    name: 'finds the request too long',
    steps: [
      { parts: [{ call: 'bash', input: { command: 'seq 1 6000' } }] },
      { status: 400, message: "This model's maximum context length is 9000 tokens." },
      { parts: [{ text: 'It fits now.' }] },
    ],
    shown: [/It fits now\./],
  },
  {
    name: 'takes no tools',
    steps: [
      { status: 400, message: 'library/test-model:latest does not support tools' },
      { parts: [{ text: 'Then by text.' }] },
    ],
    shown: [/does not take tools: its tools go by text from now on/, /Then by text\./],
  },
];

describe('on the screen, a server', () => {
  it('that fails in any way is told and survived, and nothing runs twice', async () => {
    const script = [...failures.flatMap(({ steps }) => steps), ...answers('All is well.')];
    const { server, repo, home } = await stage.start(script, { settings: (url) => settingsFor(url) });
    const screen = stage.open({ repo, home }, { rows: 50, args: autoAccept });
    await screen.waitFor('test-model');
    for (const [index, { name, retries = [], waiting, error, shown }] of failures.entries()) {
      const linesBefore = logOf(home).length;
      await say(screen, `a server that ${name}`);
      if (waiting) await screen.waitFor(waiting);
      const end = (await turnEnds(home, index + 1))[index] ?? {};
      for (const text of shown) await screen.waitFor(text);
      await screen.waitFor((text) => !/esc stops/.test(text));
      const waits = logOf(home)
        .slice(linesBefore)
        .filter((line) => line.kind === 'retry-wait');
      expect(waits.map(errorOf), name).toEqual(retries);
      expect(end.reason, name).toBe(error === undefined ? 'done' : 'error');
      expect(errorOf(end)[0], name).toBe(error);
    }
    expect(screen.screen()).not.toContain('Half of an answer');

    await say(screen, 'and now');
    await screen.waitFor('All is well.');
    await turnEnds(home, failures.length + 1);
    expect(readFileSync(repo.file('runs.txt'), 'utf8')).toBe('ran\n');
    expect(server.violations).toEqual([]);
    expect(server.unusedSteps()).toBe(0);
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('After two failures.');
    expect(sent).not.toContain('Half of an answer');
    await soundAtRest(home);
  });

  it('that is not there is named, and Enter goes on as soon as it is there', async () => {
    const port = await freePort();
    const { repo, home } = await stage.start([], {
      settings: () =>
        settingsFor(`http://127.0.0.1:${port}/v1`, { model: { tools: false, tool_calling: 'native' } }),
    });
    const screen = stage.open({ repo, home });
    await screen.waitFor('test-model');
    await say(screen, 'hello');
    await screen.waitFor(`Nothing listens at 127.0.0.1:${port}: the connection was refused.`);
    await screen.waitFor(/Start the server, or choose another model with \/model/);
    await screen.waitFor('goes on');

    const server = await startModelServer({ api: 'openai-chat', port, script: answers('Here I am.') });
    stage.onEnd(() => server.close());
    screen.press('enter');
    await screen.waitFor('Here I am.');
    await screen.waitFor('local/test-model cannot call tools: it can talk, but not read or change anything.');
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('hello');
    expect(server.violations).toEqual([]);
    await turnEnds(home, 2);
    await soundAtRest(home);
  });
});

/** How a run without a screen ends. */
type Headless = {
  name: string;
  steps: readonly ServerStep[];
  settings?: Record<string, unknown>;
  code: number;
  answer?: string;
  said: readonly RegExp[];
};

const headless: readonly Headless[] = [
  {
    name: 'refuses the key',
    steps: [{ status: 401, message: 'bad key test-key' }],
    code: 3,
    said: [/^llmcode: local answered 401: bad key \*\*\*\. Check api_key of provider "local"\.$/m],
  },
  {
    name: 'wants a key that is not set',
    steps: [],
    settings: { api_key: undefined, api_key_env: 'MY_SERVER_KEY' },
    code: 3,
    said: [/MY_SERVER_KEY is not set/],
  },
  {
    name: 'sends a web page',
    steps: [{ html: webPage }],
    code: 1,
    said: [/web page \(Welcome to nginx!\)\. Check base_url of provider "local"/],
  },
  {
    name: 'does not know the model',
    steps: [{ status: 404, message: "The model 'test-model' does not exist" }],
    code: 1,
    said: [/does not exist\. Check the model's name/],
  },
  {
    name: 'takes no tools',
    steps: [{ status: 400, message: 'test-model does not support tools' }, { parts: [{ text: 'By text.' }] }],
    code: 0,
    answer: 'By text.',
    said: [],
  },
  {
    name: 'cuts its answer at the limit',
    steps: [
      { parts: [{ text: 'One, two, ' }], finish: 'length', usage: { input: 900, output: 20 } },
      { parts: [{ text: 'three.' }] },
    ],
    code: 0,
    answer: 'three.',
    said: [],
  },
  {
    name: 'answers with nothing once',
    steps: [{ parts: [] }, { parts: [{ text: 'Words after all.' }] }],
    code: 0,
    answer: 'Words after all.',
    said: [],
  },
  {
    name: 'fails for good',
    steps: [{ status: 500 }, { status: 502 }],
    code: 1,
    said: [/local answered 502: .* It failed 2 times in a row\./],
  },
  {
    name: 'is overloaded once',
    steps: [{ status: 529, message: 'Overloaded' }, { parts: [{ text: 'After the load.' }] }],
    code: 0,
    answer: 'After the load.',
    said: [],
  },
  {
    name: 'stays silent',
    steps: [{ stall: true }, { parts: [{ text: 'half' }, { stall: true }] }],
    code: 1,
    said: [/sent nothing for 1 seconds?\. It failed 2 times in a row\. .*timeout_ms/],
  },
  {
    name: 'asks to wait too long',
    steps: [{ status: 429, headers: { 'retry-after': '3600' } }],
    code: 1,
    said: [/local answered 429: .* The server asks to wait 60 minutes\./],
  },
  {
    name: 'hangs up once',
    steps: [
      { parts: [{ text: 'Half' }, write, { cut: true }] },
      { parts: [write] },
      { parts: [{ text: 'Whole.' }] },
    ],
    code: 0,
    answer: 'Whole.',
    said: [],
  },
];

describe('without a screen, a server', () => {
  it.each(headless)(
    'that $name leads to exit code $code',
    async ({ steps, settings, code, answer, said }) => {
      const { server, repo, home } = await stage.start(steps, {
        settings: (url) => ({
          ...settingsFor(url, { provider: settings }),
          max_retries: 1,
          overload_waits: [0.3],
        }),
      });
      const args = ['-p', 'hello', '--output-format', 'json', ...autoAccept];
      const end = await runProgram(args, { home, cwd: repo.folder });
      expect(end).toMatchObject({ code, signal: null });
      for (const text of said) expect(end.stderr).toMatch(text);
      if (said.length === 0) expect(end.stderr).toBe('');
      const result = resultLineSchema.parse(JSON.parse(end.stdout));
      expect(result).toMatchObject({
        is_error: code !== 0,
        exit_code: code,
        terminal_reason: code === 0 ? 'done' : 'error',
      });
      if (answer !== undefined) expect(result.result).toBe(answer);
      for (const text of said) expect(`llmcode: ${result.errors.join('\n')}`).toMatch(text);
      expect(end.stdout + end.stderr).not.toContain('test-key');
      expect(server.violations).toEqual([]);
      expect(server.unusedSteps()).toBe(0);
      const runs = repo.file('runs.txt');
      if (existsSync(runs)) expect(readFileSync(runs, 'utf8')).toBe('ran\n');
      await soundAtRest(home);
    },
  );

  it('that is not there is named, with exit code 1 and no second try', async () => {
    const port = await freePort();
    const { repo, home } = await stage.start([], {
      settings: () => settingsFor(`http://127.0.0.1:${port}/v1`),
    });
    const end = await runProgram(['-p', 'hello'], { home, cwd: repo.folder });
    expect(end).toMatchObject({ code: 1, stdout: '' });
    expect(end.stderr).toBe(
      `llmcode: Nothing listens at 127.0.0.1:${port}: the connection was refused. ` +
        'Start the server, or choose another model with /model.\n',
    );
  });
});

/** Settings of one provider that is given up soon. */
function settingsFor(
  url: string,
  { provider = {}, model = {} }: { provider?: Record<string, unknown> | undefined; model?: object } = {},
): Record<string, unknown> {
  const local = {
    type: 'openai-compatible',
    base_url: url,
    api_key: 'test-key',
    models: { 'test-model': { context_window: 200_000, output_limit: 8_000, tools: true, ...model } },
    timeout_ms: silenceMs,
    first_token_timeout_ms: silenceMs,
    ...provider,
  };
  return { providers: { local } };
}

/** Class and status of the error in a log line. */
function errorOf({ error }: LogLine): (string | number | undefined)[] {
  const { class: name, status } = (error ?? {}) as { class?: string; status?: number };
  return [name, status].filter((each) => each !== undefined);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

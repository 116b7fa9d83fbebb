import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, type RunResult, runLlmcode } from '../../support/app/run-llmcode.ts';
import {
  type FourVendors,
  refOf,
  startFourVendors,
  type VendorId,
  vendors,
} from '../../support/e2e/four-vendors.ts';
import { threadLogFiles, threadLogs } from '../../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../../support/e2e/sample-repo.ts';
import type { ServerScript, ServerStep } from '../../support/model-servers/index.ts';

let four: FourVendors;
let home: string;
let repo: SampleRepo;
let scripts: Partial<Record<VendorId, ServerScript>>;

beforeEach(async () => {
  scripts = {};
  repo = sampleRepo();
  four = await startFourVendors((vendor) => async (request, index) => {
    const script = scripts[vendor] ?? [];
    if (typeof script === 'function') return script(request, index);
    return script[index] ?? { status: 500, message: 'no step' };
  });
  home = four.newHome();
});

afterEach(async () => {
  expect(four.violations()).toEqual([]);
  await four.close();
  repo.remove();
});

const says = (text: string): ServerStep => ({ parts: [{ text }], usage: { input: 900, output: 100 } });

function consult(...args: string[]): Promise<RunResult> {
  return consultWith({}, ...args);
}

function consultWith(options: Partial<RunOptions>, ...args: string[]): Promise<RunResult> {
  return runLlmcode(['consult', ...args], { home, cwd: repo.folder, ...options });
}

function json<Shape = object>(text: string): Shape {
  return JSON.parse(text) as Shape;
}

/** All that a vendor was sent, as one text. */
function sentTo(vendor: VendorId): string {
  return JSON.stringify(four.servers[vendor].requests.map(({ body }) => body));
}

describe('llmcode consult', () => {
  it('opens a thread that only reads, and goes on with it from another folder as the next round', async () => {
    scripts.claude = [
      { parts: [{ text: 'Let me look.' }, { call: 'read_file', input: { path: 'src/total.mjs' } }] },
      says('Use a queue.'),
      says('Still a queue.'),
    ];
    const opened = await consult('open', refOf('claude'), '-t', 'arch', 'Queue or topic?', '--json');
    expect({ code: opened.code, stderr: opened.stderr }).toEqual({ code: 0, stderr: '' });
    expect(json(opened.stdout)).toMatchObject({
      schema_version: 'llmcode.consult.v1',
      ok: true,
      session: { id: expect.stringMatching(/^[0-9A-Z]{26}$/), name: 'arch', turn: 1 },
      thread: { name: 'arch', round: 1, peer: refOf('claude'), continued: false },
      message: { text: 'Use a queue.' },
      provenance: {
        model: refOf('claude'),
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
        cost_usd: expect.any(Number),
        duration_ms: expect.any(Number),
      },
    });
    const [first] = four.servers.claude.requests;
    expect(first?.body.tools.map(({ name }: { name: string }) => name)).toEqual([
      'glob_search',
      'grep_search',
      'list_directory',
      'read_file',
    ]);
    expect(JSON.stringify(first?.body.system)).toContain('independent peer');
    expect(sentTo('claude')).toContain('reduce((all, item)');

    const elsewhere = path.join(home, '..', `${path.basename(home)}-elsewhere`);
    mkdirSync(elsewhere);
    const replied = await consultWith({ cwd: elsewhere }, 'reply', 'arch', 'And today?');
    rmSync(elsewhere, { recursive: true });
    expect(replied).toMatchObject({ code: 0, stderr: '' });
    expect(replied.stdout).toMatch(/^Still a queue\.\n\n\[.* · thread arch · round 2 · /);
    const last = JSON.stringify(four.servers.claude.requests.at(-1)?.body.messages);
    for (const words of ['Queue or topic?', 'Use a queue.', 'And today?']) expect(last).toContain(words);

    const shown = json((await consult('show', 'arch', '--json')).stdout);
    expect(shown).toMatchObject({
      thread: { name: 'arch', peer: refOf('claude') },
      rounds: [
        { round: 1, status: 'answered', question: 'Queue or topic?', answer: 'Use a queue.' },
        {
          round: 2,
          answer: 'Still a queue.',
          provenance: { model: refOf('claude'), cost_usd: expect.any(Number) },
        },
      ],
    });
    expect((await consult('show', 'arch')).stdout).toMatch(
      /> And today\?\n\nStill a queue\.\n\n_.*tokens · free · .* s_/,
    );
    expect(json((await consult('list', '--json')).stdout)).toMatchObject({
      schema_version: 'llmcode.threads.v1',
      threads: [{ name: 'arch', peer: refOf('claude'), rounds: 2 }],
    });
  });

  it('refuses a name that is taken or cannot be one, a blank question and unknown names, and calls nobody', async () => {
    scripts.claude = [says('Yes.')];
    await consult('open', refOf('claude'), '-t', 'arch', 'q');
    const refusals: [string, string[]][] = [
      ['thread_exists', ['open', refOf('claude'), '-t', 'ARCH', 'q']],
      ['invalid_request', ['open', refOf('claude'), '-t', 'my arch', 'q']],
      ['invalid_request', ['open', refOf('claude'), ' ']],
      ['invalid_request', ['all', 'q']],
      ['model_not_found', ['open', 'nobody/nothing', 'q']],
      ['thread_not_found', ['reply', 'other', 'q']],
      ['thread_not_found', ['show', 'other']],
    ];
    for (const [code, args] of refusals) {
      const { code: exit, stdout, stderr } = await consult(...args, '--json');
      expect({ exit, stdout, error: json(stderr) }).toMatchObject({
        exit: 1,
        stdout: '',
        error: { schema_version: 'llmcode.error.v1', ok: false, error: { code, retryable: false } },
      });
    }
    const plain = await consult('open', refOf('claude'), '-t', 'arch', 'q');
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('reply arch') });
    expect(four.servers.claude.requests).toHaveLength(1);
  });

  it('keeps a failed round on record and asks it again under its number', async () => {
    scripts.claude = [{ status: 401, message: 'bad key' }, says('Now it works.')];
    const failed = await consult('open', refOf('claude'), '-t', 'arch', 'q', '--json');
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(json(failed.stderr)).toMatchObject({ error: { code: 'provider_error', retryable: false } });
    const again = await consult('reply', 'arch', 'q again', '--json');
    expect(json(again.stdout)).toMatchObject({ thread: { round: 1, continued: true } });
    const { rounds } = json<{ rounds: object[] }>((await consult('show', 'arch', '--json')).stdout);
    expect(rounds).toMatchObject([
      { round: 1, status: 'failed', question: 'q', error: { code: 'provider_error' } },
      { round: 1, status: 'answered', question: 'q again' },
    ]);
  });

  it('asks all at the same time, and is content when one of them answers', async () => {
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const together = async () => {
      waiting += 1;
      if (waiting === 2) both.resolve();
      await both.promise;
    };
    scripts.claude = async () => {
      await together();
      return says('Mine.');
    };
    scripts.responses = async () => {
      await together();
      return { status: 401, message: 'bad key' };
    };
    const peers = `${refOf('claude')},${refOf('responses')}`;
    const some = await consult('all', '--peers', peers, 'q');
    expect(some.code).toBe(0);
    expect(some.stdout).toContain('Mine.');
    expect(some.stderr).toContain(`llmcode: ${refOf('responses')}: `);
    const none = await consult('all', '--peers', refOf('responses'), 'q', '--json');
    expect(none.code).toBe(1);
    expect(four.servers.google.requests).toHaveLength(0);
    const { threads: names } = json<{ threads: { name: string }[] }>(
      (await consult('list', '--json')).stdout,
    );
    expect(names.map(({ name }) => name).sort()[0]).toMatch(/^claude-\d{4}-\d{6}$/);
  });

  it('lets one of two replies at once through and tells the other that the thread is busy', async () => {
    const answered = Promise.withResolvers<void>();
    scripts.claude = async (_request, index) => {
      if (index === 1) await answered.promise;
      return says(`Answer ${index}.`);
    };
    await consult('open', refOf('claude'), '-t', 'arch', 'q');
    const one = consult('reply', 'arch', 'first', '--json');
    await four.servers.claude.received(2);
    expect((await consult('show', 'arch')).stdout).toContain('Being asked now');
    const two = await consult('reply', 'arch', 'second', '--json');
    expect(json(two.stderr)).toMatchObject({ error: { code: 'thread_busy', retryable: true } });
    answered.resolve();
    expect(json((await one).stdout)).toMatchObject({ thread: { round: 2 } });
    expect(sentTo('claude')).not.toContain('second');
  });

  it('gives a round up after consult.timeout, and says so', async () => {
    const file = path.join(home, 'config.json');
    const config = json(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...config, consult: { timeout: 0.3 } }));
    scripts.claude = [{ stall: true }];
    const { code, stderr } = await consult('open', refOf('claude'), '-t', 'slow', 'q', '--json');
    expect({ code, error: json(stderr) }).toMatchObject({
      code: 1,
      error: { error: { code: 'timeout', retryable: true } },
    });
  });

  it('shows a round without an end as such after a crash, and asks it again under its number', async () => {
    scripts.claude = [says('Lost.'), says('Kept.')];
    await consult('open', refOf('claude'), '-t', 'arch', 'q');
    const [file = ''] = threadLogFiles(home);
    const lines = readFileSync(file, 'utf8').split('\n');
    const asked = lines.findIndex((line) => line.includes('"kind":"message-added"'));
    writeFileSync(file, `${lines.slice(0, asked + 1).join('\n')}\n`);
    expect(await consult('show', 'arch')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the peer may be one round ahead'),
    });
    expect(json((await consult('reply', 'arch', 'again', '--json')).stdout)).toMatchObject({
      thread: { round: 1 },
    });
  });

  it('sends what comes from a pipe byte for byte, an @ in it untouched', async () => {
    scripts.local = [says('Read.')];
    const line = `"quotes" 'and' \`ticks\` \\ @src/total.mjs ü 😀\t\r\n`;
    const stdin = line.repeat(Math.ceil(200_000 / Buffer.byteLength(line)));
    const { code } = await consultWith({ stdin }, 'open', refOf('local'), '-');
    expect(code).toBe(0);
    const [request] = four.servers.local.requests;
    const messages: { role: string; content: unknown }[] = request?.body.messages ?? [];
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([stdin]);
  });
});

describe('what a peer gets to see', () => {
  const secret = 'sk-abcdefghijklmnopqrstuvwx0123';

  it('is shown before files leave, and goes nowhere without a yes', async () => {
    const refused = await consult('open', refOf('local'), 'Is @src/total.mjs right?');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/to {8}local\/test-model.* · thread local-.* · round 1 · about/);
    expect(refused.stderr).toContain('attached  file src/total.mjs');
    expect(refused.stderr).toContain('secrets   none found');
    expect(four.servers.local.requests).toHaveLength(0);
    expect(threadLogs(home)).toEqual([]);
    scripts.local = [says('Yes.')];
    expect(await consult('open', refOf('local'), 'Is @src/total.mjs right?', '--yes')).toMatchObject({
      code: 0,
    });
    expect(sentTo('local')).toContain('<attached-file name=\\"src/total.mjs\\">');
  });

  it('holds no secret unless it is told to, in text, file or diff', async () => {
    writeFileSync(repo.file('notes.txt'), `key ${secret}\n`);
    writeFileSync(repo.file('.env'), 'PLAIN=hunter2\n');
    for (const question of [`use ${secret}`, 'see @notes.txt', 'see @.env']) {
      const { code, stderr } = await consult('open', refOf('local'), question, '--yes', '--json');
      expect({ code, error: json(stderr) }).toMatchObject({
        code: 1,
        error: { error: { code: 'secrets_found' } },
      });
    }
    expect(four.servers.local.requests).toHaveLength(0);
    scripts.local = () => says('Fine.');
    await consult('open', refOf('local'), 'see @notes.txt and @.env', '--yes', '--blank-secrets');
    expect(sentTo('local')).toContain('key [secret:provider-key]');
    expect(sentTo('local')).not.toMatch(/hunter2|sk-abc/);
    await consult('open', refOf('local'), 'see @.env', '--yes', '--send-secrets', '-t', 'told');
    expect(sentTo('local')).toContain('hunter2');
  });

  it('is no secret, no conversation and nothing outside when it looks by itself', async () => {
    writeFileSync(repo.file('.env'), 'PLAIN=hunter2\n');
    writeFileSync(repo.file('notes.txt'), `key ${secret}\nhunter3\n`);
    scripts.local = [says('The word is swordfish.')];
    await runLlmcode(['-p', 'remember'], { home, cwd: repo.folder });
    const logs = path.join(home, 'threads');
    scripts.claude = [
      {
        parts: [
          { call: 'read_file', input: { path: '.env' } },
          { call: 'grep_search', input: { pattern: 'hunter|sk-' } },
          { call: 'grep_search', input: { pattern: 'swordfish', path: logs } },
          { call: 'read_file', input: { path: path.join(home, 'config.json') } },
          { call: 'bash', input: { command: 'cat .env' } },
          { call: 'write_file', input: { path: 'new.txt', content: 'x' } },
        ],
      },
      says('I saw little.'),
    ];
    expect(await consult('open', refOf('claude'), 'look')).toMatchObject({ code: 0 });
    const sent = sentTo('claude');
    expect(sent).not.toMatch(/hunter2|sk-abc|The word is|test-key/);
    expect(sent).toContain('hunter3');
    expect(sent).toContain('[secret:provider-key]');
  });

  it('does not show in the threads of the person, and no other thread goes on in it', async () => {
    scripts.claude = [says('Yes.')];
    await consult('open', refOf('claude'), '-t', 'arch', 'q');
    const threads = await runLlmcode(['threads', 'list'], { home, cwd: repo.folder });
    expect(threads.stdout).toBe('');
    const resumed = await runLlmcode(['-p', 'x', '--resume', 'arch'], { home, cwd: repo.folder });
    expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining('llmcode consult reply arch') });
    expect(vendors.flatMap(({ id }) => four.servers[id].requests)).toHaveLength(1);
  });
});

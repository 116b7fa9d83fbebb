import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runLlmcode } from '../../support/app/run-llmcode.ts';
import { tempFolder } from '../../support/engine/test-thread.ts';
import {
  type AnswerPart,
  type ServerRequest,
  type ServerStep,
  startModelServer,
} from '../../support/model-servers/index.ts';

type Nature = {
  /** What the server does with tools in a request: calls them, refuses them, or lets the model write calls as text. */
  tools: 'native' | 'refused' | 'written';
  /** Tokens that fit; more is cut at the front without a word, or refused. */
  window?: number;
  refusesLong?: boolean;
  sees?: boolean;
};

const tokensPerChar = 0.21;

/** A small model behind a server of this nature: does what it is asked, as far as the server lets it. */
function modelOf({ tools, window = 100_000, refusesLong = false, sees = false }: Nature) {
  return ({ body }: ServerRequest): ServerStep => {
    if (body.tools && tools === 'refused')
      return { status: 400, message: 'this model does not support tools' };
    const whole = body.messages
      .map(({ content }: { content: unknown }) =>
        typeof content === 'string' ? content : JSON.stringify(content),
      )
      .join('\n');
    const isLong = whole.length * tokensPerChar > window;
    if (isLong && refusesLong)
      return {
        status: 400,
        message: `This model's maximum context length is ${window} tokens, your prompt is longer`,
      };
    const read = whole.slice(-Math.floor(window / tokensPerChar));
    const usage = { input: Math.round(read.length * tokensPerChar), output: 30 };
    const say = (...parts: AnswerPart[]): ServerStep => ({ parts, usage, gapMs: 5 });
    const call = { code: 'KX-7', hours: 36 };
    if (read.includes('code word'))
      return say({ text: /word is (\S+)\./.exec(read)?.[1] ?? 'I do not know it.' });
    if (read.includes('image_url')) return say({ text: sees ? 'Red.' : 'none' });
    if (read.includes('JSON object')) return say({ text: '{"name": "heron", "legs": 2}' });
    if (read.includes('in Vardzia')) return say({ text: 'The parcel is in Vardzia.' });
    if (read.includes('the code KX-7') && body.tools && tools === 'native')
      return say({ call: 'look_up_parcel', input: call });
    if (read.includes('the code KX-7') && (body.tools || read.includes('## look_up_parcel')))
      return say({
        text: `<tool_call>\n${JSON.stringify({ name: 'look_up_parcel', arguments: call })}\n</tool_call>`,
      });
    return say({ text: Array.from({ length: 60 }, (_, index) => index + 1).join(' ') });
  };
}

async function setUp(natures: Readonly<Record<string, Nature>>) {
  const home = await tempFolder();
  const cwd = path.join(home, 'work');
  await mkdir(cwd);
  const providers: Record<string, unknown> = { dead: { base_url: 'http://127.0.0.1:9/v1' } };
  for (const [name, nature] of Object.entries(natures)) {
    const server = await startModelServer({ api: 'openai-chat', script: modelOf(nature), models: ['m'] });
    onTestFinished(() => server.close());
    providers[name] = { base_url: server.url };
  }
  await writeFile(path.join(home, 'config.json'), JSON.stringify({ providers, local_servers: false }));
  const run = (...argv: string[]) => runLlmcode(['models', ...argv], { home, cwd });
  const card = async (ref: string) => {
    const { code, stdout } = await run('test', ref, '--json');
    return { code, ...JSON.parse(stdout).card };
  };
  return { home, run, card };
}

test('a test of a model tells native tools from written ones and from none, and whether long prompts are cut', async () => {
  const { run, card, home } = await setUp({
    native: { tools: 'native', sees: true },
    plain: { tools: 'refused' },
    liar: { tools: 'written' },
    small: { tools: 'native', window: 4_096 },
    honest: { tools: 'native', window: 4_096, refusesLong: true },
  });
  const native = await card('native/m');
  const plain = await card('plain/m');
  const liar = await card('liar/m');
  const small = await card('small/m');
  const honest = await card('honest/m');
  const dead = await card('dead/m');
  const good = { code: 0, answer: 'works', json: 'works', longPrompt: { outcome: 'whole' } };
  expect(native).toMatchObject({
    ...good,
    nativeTools: 'works',
    textTools: 'works',
    toolCalling: 'native',
    images: 'works',
  });
  expect(native.tokensPerSecond).toBeGreaterThan(1);
  expect(native.firstTokenMs).toBeGreaterThanOrEqual(0);
  expect(plain).toMatchObject({
    ...good,
    nativeTools: 'refused',
    textTools: 'works',
    toolCalling: 'text',
    images: 'ignored',
  });
  expect(liar).toMatchObject({ ...good, nativeTools: 'ignored', textTools: 'works', toolCalling: 'text' });
  expect(small).toMatchObject({ nativeTools: 'works', longPrompt: { outcome: 'cut', counted: 4_096 } });
  expect(honest).toMatchObject({ nativeTools: 'works', longPrompt: { outcome: 'refused' } });
  expect(dead).toMatchObject({ code: 1, answer: 'unknown', toolCalling: 'none' });
  expect(dead.failure).toContain('127.0.0.1:9');

  const kept = JSON.parse(await readFile(path.join(home, 'capabilities.json'), 'utf8'));
  expect(Object.keys(kept.models)).toHaveLength(5);
  const rows = (await run('--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const details = Object.fromEntries(rows.map((row) => [row.ref, row.detail]));
  expect(details['plain/m']).toContain('tested: calls tools by text');
  expect(details['small/m']).toContain('tested: calls tools, ');
  expect(details['small/m']).toContain('cuts long prompts');
  const shown = await run('small/m');
  expect(shown.stdout).toMatch(/long prompt +CUT without a word: of about 6,\d+ tokens it read 4,096/);
}, 60_000);

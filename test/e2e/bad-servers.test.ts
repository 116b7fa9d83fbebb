import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/e2e/eventually.ts';
import { type LogLine, llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { runProgram } from '../support/e2e/running-program.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import { type ModelServer, type ServerStep, startModelServer } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
  await server?.close();
  repo?.remove();
});

/** Silence that counts as broken, in milliseconds. */
const silenceMs = 600;
const stays = { timeout_ms: silenceMs, first_token_timeout_ms: silenceMs };

const webPage = '<!doctype html><html><head><title>Welcome to nginx!</title></head><body></body></html>';

type Case = {
  name: string;
  script: readonly ServerStep[];
  screen: string[];
};

describe('look', () => {
  it('screen', async () => {
    const cases: { name: string; steps: ServerStep[] }[] = [
      { name: 'stall', steps: [{ stall: true }, { parts: [{ text: 'ok-stall' }] }] },
      { name: 'midstall', steps: [{ parts: [{ text: 'half of it' }, { stall: true }] }, { parts: [{ text: 'ok-midstall' }] }] },
      { name: 'drop', steps: [{ parts: [{ text: 'I run it. ' }, { call: 'bash', input: { command: 'echo ran >> runs.txt' } }, { cut: true }] }, { parts: [{ text: 'I run it now. ' }, { call: 'bash', input: { command: 'echo ran >> runs.txt' } }] }, { parts: [{ text: 'ok-drop' }] }] },
      { name: '429', steps: [{ status: 429, headers: { 'retry-after': '1' } }, { parts: [{ text: 'ok-429' }] }] },
      { name: '500', steps: [{ status: 500 }, { status: 500 }, { parts: [{ text: 'ok-500' }] }] },
      { name: '401', steps: [{ status: 401, message: 'Incorrect API key provided: test-key' }] },
      { name: 'html', steps: [{ html: webPage }] },
      { name: '404', steps: [{ status: 404, message: "The model 'test-model' does not exist" }] },
      { name: 'notools', steps: [{ status: 400, message: 'registry.ollama.ai/library/test-model:latest does not support tools' }] },
      { name: 'fine', steps: [{ parts: [{ text: 'ok-fine' }] }] },
    ];
    const { screen, home } = await open(cases.flatMap(({ steps }) => steps), { args: ['--permission-mode', 'auto_accept'] });
    for (const [i, { name }] of cases.entries()) {
      screen.type(`try ${name}\r`);
      await eventually(() => turnEnds(home)[i], { what: 'the end ' + name, timeoutMs: 20000 });
      await screen.waitFor((s) => !/esc stops/.test(s));
      console.log(name, screen.screen().replaceAll(/\n+/g, '\n'));
      console.log(JSON.stringify(threadLogs(home)[0]?.filter((l) => /retry|turn-end/.test(String(l.kind))).slice(-4)));
    }
    console.log(server?.violations, server?.unusedSteps(), readFileSync(repo!.file('runs.txt'), 'utf8'));
    expectSoundLog(threadLogs(home)[0] ?? []);
  });
});

async function open(
  script: readonly ServerStep[],
  options: { args?: string[] } = {},
): Promise<{ screen: TerminalSession; home: string }> {
  repo = sampleRepo();
  server = await startModelServer({ api: 'openai-chat', script });
  const home = llmcodeHome([], settings(server.url));
  session = new TerminalSession({
    cwd: repo.folder,
    env: { LLMCODE_HOME: home },
    columns: 100,
    rows: 40,
    args: options.args ?? [],
  });
  await session.waitFor('test-model');
  return { screen: session, home };
}

function settings(url: string) {
  const model = { context_window: 200_000, output_limit: 8_000, tools: true };
  return {
    model: 'local/test-model',
    providers: {
      local: {
        type: 'openai-compatible',
        base_url: url,
        api_key: 'test-key',
        models: { 'test-model': model },
        ...stays,
      },
    },
  };
}

function turnEnds(home: string): LogLine[] {
  return (threadLogs(home)[0] ?? []).filter((line) => line.kind === 'turn-end');
}

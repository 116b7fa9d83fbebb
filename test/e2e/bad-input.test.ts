import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answerDialog } from '../support/e2e/answer-dialog.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { type LogLine, llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { isRunning, pidsIn } from '../support/e2e/processes.ts';
import { launcher, runProgram } from '../support/e2e/running-program.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import { type ModelServer, type ServerStep, startModelServer } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;
const cleanups: (() => void)[] = [];

afterEach(async () => {
  await session?.end();
  session = undefined;
  await server?.close();
  server = undefined;
  repo?.remove();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const quiet = { mouse: 'none', bracketedPaste: false, focus: false };
const answers = (...texts: string[]): ServerStep[] => texts.map((text) => ({ parts: [{ text }] }));

describe('look', () => {
  it('config', async () => {
    const { home } = await start(answers('One.', 'Two.'));
    const good = configOf();
    writeFileSync(path.join(home, 'config.json'), '{\n  "model": "local/test-model",\n  // mine\n  "max_stps": 3\n}\n');
    const screen = open(home);
    await screen.waitFor('max_stps');
    console.log(screen.screen().replaceAll(/\n+/g, '\n'));
    await say(screen, 'hello');
    await screen.waitFor('kept');
    console.log(screen.screen().replaceAll(/\n+/g, '\n'));
    writeFileSync(path.join(home, 'config.json'), good);
    await say(screen, 'again');
    await screen.waitFor('One.');
    console.log(screen.screen().replaceAll(/\n+/g, '\n'));
  });
  it('home', async () => {
    const { repo } = await start(answers('One.', 'Two.'));
    const env = { LLMCODE_HOME: path.join(repo.file('package.json'), 'home'), LLMCODE_MODEL: 'local/test-model', LLMCODE_PROVIDERS: JSON.stringify(providers()), LLMCODE_LOCAL_SERVERS: 'false' };
    const screen = open('', { env });
    await screen.waitFor('test-model');
    await say(screen, 'hello');
    await screen.waitFor('One.');
    await say(screen, 'again');
    await screen.waitFor('Two.');
    console.log(screen.screen().replaceAll(/\n+/g, '\n'));
  });
  it('crash', async () => {
    const { home } = await start(answers('One.', 'Two.'));
    const hook = path.join(home, 'crash.mjs');
    writeFileSync(hook, 'process.on("SIGUSR2", () => { setImmediate(() => { throw new Error("the test pulled the plug"); }); });');
    const screen = open(home, { env: { LLMCODE_HOME: home, NODE_OPTIONS: `--import=${hook}` } });
    await screen.waitFor('test-model');
    await say(screen, 'hello');
    await screen.waitFor('One.');
    screen.kill('SIGUSR2');
    console.log(await screen.exited, screen.isAlternate, screen.modes());
    console.log(screen.screen().replaceAll(/\n+/g, '\n'));
    console.log(JSON.stringify(screen.raw.slice(screen.raw.indexOf('One.') + 400)));
    console.log(JSON.stringify(threadLogs(home)[0]?.map((l) => l.kind)));
  });
});

function providers() {
  return {
    local: {
      type: 'openai-compatible',
      base_url: server?.url,
      api_key: 'test-key',
      models: { 'test-model': { context_window: 200_000, output_limit: 8_000, tools: true } },
    },
  };
}

function configOf(): string {
  return JSON.stringify({ model: 'local/test-model', local_servers: false, providers: providers() }, null, 2);
}

async function start(script: readonly ServerStep[]): Promise<{ home: string; repo: SampleRepo }> {
  repo = sampleRepo();
  server = await startModelServer({ api: 'openai-chat', script });
  const home = llmcodeHome([]);
  writeFileSync(path.join(home, 'config.json'), configOf());
  cleanups.push(() => rmSync(home, { recursive: true, force: true }));
  return { home, repo };
}

function open(home: string, options: Partial<ConstructorParameters<typeof TerminalSession>[0]> = {}): TerminalSession {
  session = new TerminalSession({
    cwd: repo?.folder ?? '',
    env: { LLMCODE_HOME: home },
    columns: 100,
    rows: 30,
    ...options,
  });
  return session;
}

async function say(screen: TerminalSession, text: string): Promise<void> {
  screen.type(text);
  await screen.waitFor(`❯ ${text}`);
  screen.press('enter');
}

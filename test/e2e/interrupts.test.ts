import { afterEach, describe, expect, it } from 'vitest';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { pressAfterGuard } from '../support/e2e/press-after-guard.ts';
import { type ModelServer, startModelServer } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
  await server?.close();
  repo?.remove();
});

describe('look', () => {
  it('x', async () => {
    repo = sampleRepo();
    server = await startModelServer({
      api: 'openai-chat',
      script: [
        { parts: [{ text: 'It begins with these words' }, { stall: true }] },
        { parts: [{ call: 'bash', input: { command: 'sleep 60 & sleep 61; wait' } }] },
        { parts: [{ call: 'bash', input: { command: 'rm x' } }] },
        { status: 429, headers: { 'retry-after': '30' } },
        { parts: [{ text: 'All well.' }] },
      ],
    });
    const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
    session = new TerminalSession({ cwd: repo.folder, env: { LLMCODE_HOME: home }, columns: 100, rows: 30 });
    await session.waitFor('test-model');
    console.log(session.screen());
    const esc = async (name: string) => {
      console.log(name, session!.screen());
      const at = Date.now();
      session!.press('escape');
      const idle = await session!.waitFor((screen) => !/esc stops|wants to|waiting for you/.test(screen));
      console.log('after', Date.now() - at, idle);
      const ends = threadLogs(home).flat().filter((l) => l.kind === 'turn-end');
      console.log(ends.length, Number(ends.at(-1)?.at) - at);
    };
    session.type('one\r');
    await session.waitFor('these words');
    await esc('text');
    session.type('two\r');
    await session.waitFor(/bash wants to run/);
    await pressAfterGuard(session, 'y', /bash wants to run/);
    await session.waitFor(/running sleep/);
    await esc('tool');
    session.type('three\r');
    await session.waitFor(/bash wants to run/);
    await new Promise((r) => setTimeout(r, 400));
    await esc('dialog');
    session.type('four\r');
    await session.waitFor(/429/);
    await esc('retry');
    session.type('five\r');
    await session.waitFor(/All well/);
    console.log(session.screen(), server.violations);
    console.log(JSON.stringify(threadLogs(home), null, 1).slice(0, 20000));
  });
});

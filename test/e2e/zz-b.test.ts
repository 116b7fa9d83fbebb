import { afterEach, it } from 'vitest';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
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
it('x', async () => {
  repo = sampleRepo();
  server = await startModelServer({
    api: 'openai-chat',
    script: () => ({ parts: [{ text: 'It begins with these words' }, { stall: true }] }),
  });
  const home = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]);
  session = new TerminalSession({
    cwd: repo.folder,
    env: { LLMCODE_HOME: home },
    columns: 100,
    rows: 30,
    ...(process.env.PROG ? { program: [process.execPath, process.env.PROG] as [string, string] } : {}),
  });
  await session.waitFor('test-model');
  for (let i = 0; i < 10; i++) {
    const t0 = performance.now();
    session.type('k');
    await session.waitFor('❯ k');
    const echo = performance.now() - t0;
    session.press('backspace');
    await session.waitFor('❯ say');
    const w = `words-${i}`;
    session.type(w + '\r');
    await session.waitFor((s) => s.includes(w) && s.includes('writing'));
    const at = Date.now();
    const before = session.raw.length;
    let seen = before;
    const marks: string[] = [];
    const timer = setInterval(() => {
      if (session!.raw.length !== seen) {
        marks.push(
          `${Date.now() - at}:${JSON.stringify(session!.raw.slice(seen).replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '~')).slice(0, 160)}`,
        );
        seen = session!.raw.length;
      }
    }, 1);
    session!.press('escape');
    await session!.waitFor((screen) => !/esc stops|wants to|waiting for you/.test(screen));
    const total = Date.now() - at;
    const ends = threadLogs(home)
      .flat()
      .filter((l) => l.kind === 'turn-end');
    clearInterval(timer);
    console.log(marks.join('\n'));
    console.log(Math.round(echo), total, Number(ends.at(-1)?.at) - at);
  }
});

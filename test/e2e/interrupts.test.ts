import { afterEach, describe, expect, it } from 'vitest';
import { answerDialog, armedDialog } from '../support/e2e/answer-dialog.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { type LogLine, llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { isRunning, pidsIn, waitedForCpuMs } from '../support/e2e/processes.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import {
  type ModelServer,
  type ServerApi,
  type ServerStep,
  startModelServer,
} from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

/** From the key to the prompt, in milliseconds; what the machine keeps the program waiting for a processor comes on top. */
const budgetMs = 300;

const stillBusy = /esc stops|wants to run|waiting for you/;
const bashDialog = /bash wants to run/;

let server: ModelServer | undefined;
let session: TerminalSession | undefined;
let repo: SampleRepo | undefined;

afterEach(async () => {
  await session?.end();
  await server?.close();
  repo?.remove();
});

/** A moment of a turn: what the server says, and how the screen shows that it has come. */
type Moment = { name: string; step: ServerStep; reached: (screen: TerminalSession) => Promise<unknown> };

const family =
  'bash -c \'trap "" TERM; sleep 600 & echo $! >> .pids; wait\' & echo $! >> .pids; sleep 600 & echo $! >> .pids; wait';

const moments: readonly Moment[] = [
  {
    name: 'text streams',
    step: { parts: [{ text: 'It begins with these words' }, { stall: true }] },
    reached: (screen) => screen.waitFor('these words'),
  },
  {
    name: 'nothing has come yet',
    step: { stall: true },
    reached: (screen) => screen.waitFor('waiting for test-model'),
  },
  {
    name: 'the model thinks',
    step: { parts: [{ reasoning: 'Let me see what there is.' }, { stall: true }] },
    reached: (screen) => screen.waitFor(/thinking|thought for/),
  },
  {
    name: 'a call is being written',
    step: {
      parts: [
        { text: 'I write it.' },
        { call: 'write_file', rawArguments: '{"path":"half.txt","content":"ha' },
        { stall: true },
      ],
    },
    reached: (screen) => screen.waitFor('preparing write_file'),
  },
  {
    name: 'a command runs that has children',
    step: {
      parts: [
        { call: 'bash', input: { command: family } },
        { call: 'bash', input: { command: 'rm x' } },
      ],
    },
    reached: async (screen) => {
      await answerDialog(screen, 'y', bashDialog);
      await eventually(() => pidsIn(repo?.file('.pids') ?? '').length === 3, { what: 'three processes' });
      await screen.waitFor('running bash -c');
    },
  },
  {
    name: 'permission is asked for',
    step: {
      parts: [
        { text: 'Two things to do.' },
        { call: 'bash', input: { command: 'rm one' } },
        { call: 'bash', input: { command: 'rm two' } },
      ],
    },
    reached: (screen) => armedDialog(screen, bashDialog),
  },
  {
    name: 'a dialog has come up just now',
    step: { parts: [{ call: 'bash', input: { command: 'rm three' } }] },
    reached: (screen) => screen.waitFor(bashDialog),
  },
  {
    name: 'a retry waits',
    step: { status: 429, headers: { 'retry-after': '40' } },
    reached: (screen) => screen.waitFor(/429 rate limit · again in \d+s/),
  },
];

describe('Esc', () => {
  it.each(['openai-chat', 'anthropic'] as const)(
    'stops a turn of %s at every moment, and the next prompt works',
    async (api) => {
      const { screen, home } = await open(api, [
        ...moments.map(({ step }) => step),
        { parts: [{ text: 'All is well.' }] },
      ]);
      for (const [index, moment] of moments.entries()) {
        await say(screen, `while ${moment.name}`);
        await moment.reached(screen);
        const tookMs = await stop(screen);
        const end = await eventually(() => turnEnds(home)[index], { what: 'the end of the turn in the log' });
        expect(end.reason, moment.name).toBe('aborted');
        expect(tookMs, moment.name).toBeLessThan(budgetMs);
      }
      await eventually(() => !pidsIn(repo?.file('.pids') ?? '').some(isRunning), {
        what: 'no process is left',
      });

      await say(screen, 'and now');
      await screen.waitFor('All is well.');
      expect(server?.violations).toEqual([]);
      expect(server?.unusedSteps()).toBe(0);
      const sent = JSON.stringify(server?.requests.at(-1)?.body);
      expect(sent).toContain('It begins with these words');
      expect(sent).toContain('rm two');
      expect(sent).not.toContain('half.txt');
      await eventually(() => turnEnds(home)[moments.length], { what: 'the end of the last turn' });
      const [log = []] = threadLogs(home);
      expectSoundLog(log);
    },
  );

  it('stops a command of the person and a summary too, and what was said stays', async () => {
    const { screen, home } = await open('openai-chat', [
      { parts: [{ text: 'The first answer.' }] },
      { stall: true },
      { parts: [{ text: 'The second answer.' }] },
    ]);
    await say(screen, 'hello');
    await screen.waitFor('The first answer.');

    await say(screen, '/compact');
    await screen.waitFor('summarising');
    expect(await stop(screen)).toBeLessThan(budgetMs);

    screen.type(`!${family}`);
    await screen.waitFor(/^ *! bash -c/m);
    screen.press('enter');
    await eventually(() => pidsIn(repo?.file('.pids') ?? '').length === 3, { what: 'three processes' });
    await screen.waitFor('running bash -c');
    expect(await stop(screen)).toBeLessThan(budgetMs);
    await eventually(() => !pidsIn(repo?.file('.pids') ?? '').some(isRunning), {
      what: 'no process is left',
    });

    await say(screen, 'and now');
    await screen.waitFor('The second answer.');
    expect(server?.violations).toEqual([]);
    const sent = JSON.stringify(server?.requests.at(-1)?.body);
    expect(sent).toContain('The first answer.');
    expect(sent).toContain('trap');
    await eventually(() => turnEnds(home)[1], { what: 'the end of the last turn' });
    expectSoundLog(threadLogs(home)[0] ?? []);
  });
});

/** Presses Esc; returns how long it took until the screen waited for the next prompt, in milliseconds. */
async function stop(screen: TerminalSession): Promise<number> {
  const waitedMs = waitedForCpuMs(screen.pid);
  const pressedAt = performance.now();
  screen.press('escape');
  await screen.waitFor((text) => !stillBusy.test(text));
  return performance.now() - pressedAt - (waitedForCpuMs(screen.pid) - waitedMs);
}

async function open(
  api: ServerApi,
  script: readonly ServerStep[],
): Promise<{ screen: TerminalSession; home: string }> {
  repo = sampleRepo();
  server = await startModelServer({ api, script });
  const home = llmcodeHome([{ id: 'local', api, url: server.url, model: 'test-model' }]);
  session = new TerminalSession({ cwd: repo.folder, env: { LLMCODE_HOME: home }, columns: 100, rows: 30 });
  await session.waitFor('test-model');
  return { screen: session, home };
}

async function say(screen: TerminalSession, text: string): Promise<void> {
  screen.type(text);
  await screen.waitFor(`❯ ${text}`);
  screen.press('enter');
}

function turnEnds(home: string): LogLine[] {
  return (threadLogs(home)[0] ?? []).filter((line) => line.kind === 'turn-end');
}

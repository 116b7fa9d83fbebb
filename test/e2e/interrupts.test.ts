import { describe, expect, it } from 'vitest';
import { answerDialog, armedDialog } from '../support/e2e/answer-dialog.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { isRunning, pidsIn, waitedForCpuMs } from '../support/e2e/processes.ts';
import type { SampleRepo } from '../support/e2e/sample-repo.ts';
import { answers, say, soundAtRest, stageTests, turnEnds } from '../support/e2e/stage.ts';
import type { ServerStep } from '../support/model-servers/index.ts';
import type { TerminalSession } from '../support/pty/terminal-session.ts';

const stage = stageTests();

/** From the key to the prompt, in milliseconds, without the time in which another program had the processor. */
const budgetMs = 300;

const stillBusy = /esc stops|wants to run|waiting for you/;
const bashDialog = /bash wants to run/;

/** A moment of a turn: what the server says, and how the screen shows that it has come. */
type Moment = {
  name: string;
  step: ServerStep;
  reached: (screen: TerminalSession, repo: SampleRepo) => Promise<unknown>;
};

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
    reached: async (screen, repo) => {
      await answerDialog(screen, 'y', bashDialog);
      await threeProcesses(repo);
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
      const script = [...moments.map(({ step }) => step), ...answers('All is well.')];
      const { server, repo, home } = await stage.start(script, { api });
      const screen = stage.open({ repo, home });
      await screen.waitFor('test-model');
      for (const [index, moment] of moments.entries()) {
        await say(screen, `while ${moment.name}`);
        await moment.reached(screen, repo);
        expect(await stop(screen), moment.name).toBeLessThan(budgetMs);
        expect((await turnEnds(home, index + 1)).at(index)?.reason, moment.name).toBe('aborted');
      }
      await nothingRuns(repo);

      await say(screen, 'and now');
      await screen.waitFor('All is well.');
      expect(server.violations).toEqual([]);
      expect(server.unusedSteps()).toBe(0);
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      expect(sent).toContain('It begins with these words');
      expect(sent).toContain('rm two');
      expect(sent).not.toContain('half.txt');
      await turnEnds(home, moments.length + 1);
      await soundAtRest(home);
    },
  );

  it('stops a command of the person and a summary too, and what was said stays', async () => {
    const { server, repo, home } = await stage.start([
      ...answers('The first answer.'),
      { stall: true },
      ...answers('The second answer.'),
    ]);
    const screen = stage.open({ repo, home });
    await screen.waitFor('test-model');
    await say(screen, 'hello');
    await screen.waitFor('The first answer.');

    await say(screen, '/compact');
    await screen.waitFor('summarising');
    expect(await stop(screen)).toBeLessThan(budgetMs);

    screen.type(`!${family}`);
    await screen.waitFor(/^ *! bash -c/m);
    screen.press('enter');
    await threeProcesses(repo);
    await screen.waitFor('running bash -c');
    expect(await stop(screen)).toBeLessThan(budgetMs);
    await nothingRuns(repo);

    await say(screen, 'and now');
    await screen.waitFor('The second answer.');
    expect(server.violations).toEqual([]);
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('The first answer.');
    expect(sent).toContain('trap');
    await turnEnds(home, 2);
    await soundAtRest(home);
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

async function threeProcesses({ file }: SampleRepo): Promise<void> {
  await eventually(() => pidsIn(file('.pids')).length === 3, { what: 'three processes' });
}

async function nothingRuns({ file }: SampleRepo): Promise<void> {
  await eventually(() => !pidsIn(file('.pids')).some(isRunning), { what: 'no process is left' });
}

describe('a prompt that is edited as in Vim', () => {
  it('shows its mode, edits by its commands, and Escape ends the insertion before it stops the turn', async () => {
    const { home, repo } = await stage.start([{ stall: true }], {
      settings: () => ({ editor_mode: 'vim' }),
    });
    const screen = stage.open({ repo, home });
    await screen.waitFor('INSERT');
    screen.type('explain the whole code');
    await screen.waitFor('❯ explain the whole code');
    screen.press('escape');
    await screen.waitFor('NORMAL');
    screen.type('bbdiwdwifix <');
    screen.press('escape');
    await screen.waitFor('❯ explain the fix <code');
    screen.type('x0cwread');
    await screen.waitFor('❯ read the fix code');
    screen.press('enter');
    await screen.waitFor('waiting for test-model');
    screen.type('more');
    await screen.waitFor('❯ more');
    screen.press('escape');
    await screen.waitFor('NORMAL');
    await screen.waitFor('esc stops');
    screen.press('escape');
    await screen.waitUntilGone('esc stops');
    await soundAtRest(home);
  });
});

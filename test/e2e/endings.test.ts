import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerDialog } from '../support/e2e/answer-dialog.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { isRunning, pidsIn } from '../support/e2e/processes.ts';
import { runProgram } from '../support/e2e/running-program.ts';
import type { SampleRepo } from '../support/e2e/sample-repo.ts';
import { answers, quietModes, say, soundAtRest, stageTests, turnEnds } from '../support/e2e/stage.ts';

const stage = stageTests();

describe('an end from outside', () => {
  const sleepers = 'sleep 600 & echo $! >> .pids; bash -c "sleep 600 & echo \\$! >> .pids; wait"';

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s gives the terminal back and leaves no process and a sound log', async (signal, code) => {
    const { home, repo } = await stage.start([
      { parts: [{ text: 'I wait.' }, { call: 'bash', input: { command: sleepers } }] },
    ]);
    const screen = stage.open({ repo, home });
    await screen.waitFor('test-model');
    await say(screen, 'wait');
    await answerDialog(screen, 'y', /bash wants to run/);
    const pids = await eventually(() => twoPids(repo), { what: 'two processes' });
    screen.kill(signal);
    expect(await screen.exited).toEqual({ code, signal: 0 });
    expect(screen.isAlternate).toBe(false);
    expect(screen.modes()).toEqual(quietModes);
    expect(screen.screen()).toMatch(/llmcode --resume/);
    await eventually(() => !pids.some(isRunning), { what: 'no process is left' });
    expect(await turnEnds(home, 1)).toMatchObject([{ reason: 'aborted' }]);
    await soundAtRest(home);
  });

  it('by a crash gives the terminal back, says where the details are, and the thread can go on', async () => {
    const { server, home, repo } = await stage.start([
      { parts: [{ text: 'I wait.' }, { call: 'bash', input: { command: sleepers } }] },
      ...answers('On we go.'),
    ]);
    const plug = path.join(home, 'plug.mjs');
    writeFileSync(
      plug,
      `process.on('SIGIO', () => setImmediate(() => { throw new Error('the plug was pulled'); }));\n`,
    );
    const env = { NODE_OPTIONS: `--import=${plug}` };
    const screen = stage.open({ repo, home }, { env, columns: 150 });
    await screen.waitFor('test-model');
    await say(screen, 'wait');
    await answerDialog(screen, 'y', /bash wants to run/);
    const pids = await eventually(() => twoPids(repo), { what: 'two processes' });
    screen.kill('SIGIO');
    expect(await screen.exited).toEqual({ code: 1, signal: 0 });
    expect(screen.isAlternate).toBe(false);
    expect(screen.modes()).toEqual(quietModes);
    // Nothing of the screen is left among what was there before.
    expect(screen.screen().trim()).toMatch(
      /^llmcode: internal error: the plug was pulled\nllmcode: this is a bug; the details are in \S+\.log$/,
    );
    await eventually(() => !pids.some(isRunning), { what: 'no process is left' });

    const next = await runProgram(['-p', 'go on', '--continue'], { home, cwd: repo.folder });
    expect(next).toMatchObject({ code: 0, stdout: 'On we go.\n' });
    expect(server.violations).toEqual([]);
    await soundAtRest(home);
  });
});

function twoPids({ file }: SampleRepo): number[] | undefined {
  const pids = pidsIn(file('.pids'));
  return pids.length === 2 ? pids : undefined;
}

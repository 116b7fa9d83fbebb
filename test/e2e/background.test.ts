import { describe, expect, it } from 'vitest';
import { armedKeyRow } from '../support/e2e/answer-dialog.ts';
import { eventually } from '../support/e2e/eventually.ts';
import { isRunning, pidsIn } from '../support/e2e/processes.ts';
import { runProgram } from '../support/e2e/running-program.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import { answers, logOf, say, stageTests, turnEnds } from '../support/e2e/stage.ts';

const stage = stageTests();
const sleeper = 'echo begun; echo $$ >> .pids; exec sleep 600';
const free = ['--permission-mode', 'auto_accept'];
const runs = (more = {}) => ({ parts: [{ call: 'bash', input: { command: sleeper, ...more } }] });

describe('a command in the background', () => {
  it('goes there with Ctrl+B while the turn goes on, and ends from /tasks', async () => {
    const { home, repo } = await stage.start([runs(), ...answers('It goes on.')]);
    const screen = stage.open({ repo, home }, { columns: 80, rows: 24, args: free });
    await screen.waitFor('test-model');
    await say(screen, 'go');
    const [pid = 0] = await eventually(() => some(pidsIn(repo.file('.pids'))), { what: 'the command' });
    // The output, not the command that is shown before it runs.
    await screen.waitFor(/^[│ ]+begun *$/m);
    screen.type('\x02');
    await screen.waitFor('It goes on.');
    await turnEnds(home, 1);
    expect(isRunning(pid)).toBe(true);

    screen.type('/tasks');
    await screen.waitFor('/tasks');
    screen.press('enter');
    await screen.waitFor(/❯ bash_\w+ {2}running/);
    screen.press('down', 'enter');
    await screen.waitFor('│ begun');
    screen.type('x');
    await screen.waitFor('end this command?');
    await armedKeyRow(screen, 'y end it');
    screen.type('y');
    await eventually(() => !isRunning(pid), { what: 'the end of the command' });
    await screen.waitFor(': ended');
    screen.press('escape');
    await screen.waitFor('commands in the background');
    screen.press('escape');
    await screen.waitUntilGone('commands in the background');
    expectSoundLog(logOf(home));
  });

  it('that a killed llmcode left is ended by the next one, which says so; a kept one is shown', async () => {
    const { home, repo } = await stage.start([
      runs({ run_in_background: true }),
      runs({ run_in_background: true }),
      ...answers('Both run.'),
    ]);
    const first = stage.open({ repo, home }, { args: free });
    await first.waitFor('test-model');
    await say(first, 'go');
    await first.waitFor('Both run.');
    const pids = await eventually(() => two(pidsIn(repo.file('.pids'))), { what: 'two commands' });
    stage.onEnd(() => pids.filter(isRunning).map((pid) => process.kill(pid, 'SIGKILL')));
    await say(first, '/tasks');
    await first.waitFor(/❯ bash_\w+ {2}running/);
    await first.waitFor('keep after llmcode');
    first.type('k');
    await first.waitFor('running, kept');
    first.kill('SIGKILL');
    await first.exited;

    const next = stage.open({ repo, home }, { args: free });
    await next.waitFor('An llmcode that was killed had left 1 command running; now ended');
    const ended = await eventually(() => some(pids.filter((pid) => !isRunning(pid))), { what: 'an end' });
    expect(ended).toHaveLength(1);
    await say(next, '/tasks');
    await next.waitFor('running, kept');
    // An Enter right behind the one that opened the list would choose nothing.
    next.press('down', 'enter');
    await next.waitFor('│ begun');
    next.type('x');
    await next.waitFor('end this command?');
    await armedKeyRow(next, 'y end it');
    next.type('y');
    await eventually(() => !pids.some(isRunning), { what: 'no command is left' });
  });

  it('ends with a run without a screen, which says so', async () => {
    const { home, repo } = await stage.start([runs({ run_in_background: true }), ...answers('It runs.')]);
    const { code, stdout, stderr } = await runProgram(['-p', 'go', ...free], { home, cwd: repo.folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It runs.\n' });
    expect(stderr).toContain('what still ran in the background ends with this run: ');
    expect(pidsIn(repo.file('.pids')).filter(isRunning)).toEqual([]);
  });
});

function some(pids: readonly number[]): readonly number[] | undefined {
  return pids.length > 0 ? pids : undefined;
}

function two(pids: readonly number[]): readonly number[] | undefined {
  return pids.length === 2 ? pids : undefined;
}

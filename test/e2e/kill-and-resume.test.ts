import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EngineEvent, engineEventSchema } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import { runLlmcode } from '../support/app/run-llmcode.ts';
import { answerDialog, armedDialog } from '../support/e2e/answer-dialog.ts';
import {
  callsIn,
  type FourVendors,
  refOf,
  startFourVendors,
  type VendorId,
  vendors,
} from '../support/e2e/four-vendors.ts';
import { type LogLine, threadLogFiles, threadLogs } from '../support/e2e/home.ts';
import { carryOn, goOn, hold, killedTurn, seededRandom } from '../support/e2e/killed-turn.ts';
import { RunningProgram, runProgram } from '../support/e2e/running-program.ts';
import { brokenTotal, fixedTotal, type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';

/** Other moments are tried with another seed. */
const seed = Number(process.env['LLMCODE_TEST_SEED'] ?? 20_261_130);
const random = seededRandom(seed);
const between = (low: number, high: number) => Math.floor(low + random() * (high - low));

let four: FourVendors;
let repo: SampleRepo;
beforeAll(async () => {
  four = await startFourVendors(killedTurn);
});
afterAll(() => four.close());
afterEach(() => repo.remove());

/** Kills when that many of these events have been printed, and some milliseconds later. */
type Moment = { name: string; kind: EngineEvent['kind']; count: number; laterMs: number };

const phases: readonly (Moment & { moments: number })[] = [
  { name: 'text streams', moments: 4, kind: 'text-start', count: 4, laterMs: 45 },
  { name: 'it thinks', moments: 2, kind: 'reasoning-start', count: 3, laterMs: 45 },
  { name: 'calls are written', moments: 2, kind: 'tool-call-start', count: 5, laterMs: 10 },
  { name: 'tools run', moments: 3, kind: 'tool-run-start', count: 5, laterMs: 150 },
  { name: 'the turn has just begun', moments: 1, kind: 'turn-start', count: 1, laterMs: 0 },
  { name: 'between steps', moments: 2, kind: 'tool-run-end', count: 5, laterMs: 4 },
  { name: 'whatever it does', moments: 1, kind: 'turn-start', count: 1, laterMs: 900 },
];

/** In each phase as many moments as it says, spread over its occurrences, each up to `laterMs` later. */
const moments = phases
  .flatMap(({ name, kind, moments: wanted, count, laterMs }) =>
    Array.from({ length: wanted }, (_, slice): Moment => {
      const width = count / wanted;
      const low = Math.floor(slice * width);
      return {
        name,
        kind,
        count: 1 + between(low, Math.max(low + 1, Math.floor((slice + 1) * width))),
        laterMs: between(0, laterMs + 1),
      };
    }),
  )
  .map((moment, index) => ({ ...moment, index }));

describe('a run without a screen that is killed', () => {
  it.each(moments)('loads and goes on, $index: while $name ($kind $count + $laterMs ms)', async (moment) => {
    const vendor = vendors[moment.index % vendors.length] ?? vendors[0];
    repo = sampleRepo();
    const at = { home: four.newHome(vendor.id), cwd: repo.folder };
    const heard = await killedRun(moment, at);
    const [file = ''] = threadLogFiles(at.home);
    const crashed = wholeLines(readFileSync(file, 'utf8'));
    const kept = eventsOf(crashed.split('\n').slice(1));
    const threadId = path.basename(file, '.jsonl');
    const ranBefore = ran(repo);

    // Nothing that anybody heard of is lost.
    const numbers = new Set(kept.map(({ seq }) => seq));
    expect(heard.filter(({ seq }) => !numbers.has(seq))).toEqual([]);

    // A copy goes on with each of the other vendors, the thread itself with its own.
    const calls = kept.filter(({ kind }) => kind === 'tool-call-end').length;
    for (const { id, api } of vendors.filter((other) => other !== vendor)) {
      const args = ['-p', goOn, '-r', threadId, '--fork', '-m', refOf(id)];
      const { code, stdout, stderr } = await runLlmcode(args, at);
      expect({ id, code, stdout, stderr }).toEqual({ id, code: 0, stdout: 'Resumed.\n', stderr: '' });
      expect(callsIn(api, four.servers[id].requests.at(-1)?.body)).toBe(calls);
    }
    // Every third in the built program, the others in this process, where it costs a tenth of the time.
    const goesOn = moment.index % 3 === 0 ? runProgram : runLlmcode;
    const resumed = await goesOn(['-p', goOn, '-r', threadId], at);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Resumed.\n', stderr: '' });
    expect(callsIn(vendor.api, four.servers[vendor.id].requests.at(-1)?.body)).toBe(calls);
    expect(four.violations()).toEqual([]);

    const after = readFileSync(file, 'utf8');
    expect(after.startsWith(crashed)).toBe(true);
    const added = eventsOf(after.slice(crashed.length).split('\n'));
    expect(added.filter(({ kind }) => kind === 'tool-run-start')).toEqual([]);
    expect(added.at(-1)).toMatchObject({ kind: 'turn-end', reason: 'done' });
    const log = logOf(at.home, threadId);
    expectSoundLog(log);
    // A command that was killed with the program may still have got as far as its first words.
    expect(ran(repo).length - ranBefore.length).toBeLessThanOrEqual(1);
    expect(ran(repo)).toEqual(['one', 'two'].slice(0, ran(repo).length));
    expect([brokenTotal, fixedTotal]).toContain(readFileSync(repo.file('src/total.mjs'), 'utf8'));
  });
});

describe('a screen that is killed', () => {
  let session: TerminalSession | undefined;
  afterEach(() => session?.end());

  it('goes on five times, with another vendor each time, and repeats nothing by itself', async () => {
    repo = sampleRepo();
    const home = four.newHome('local');
    const dialog = /wants to (run|change)/;
    const open = async (id: VendorId, args: readonly string[]) => {
      const model = vendors.find((vendor) => vendor.id === id)?.model ?? '';
      session = new TerminalSession({
        cwd: repo.folder,
        env: { LLMCODE_HOME: home },
        args: [...args, '-m', refOf(id)],
        columns: 100,
        rows: 40,
      });
      await session.waitFor(model);
      if (args.length > 0) {
        await session.waitFor('llmcode ended while this turn ran');
        expect(session.screen()).not.toMatch(dialog);
      }
      return session;
    };
    const say = async (terminal: TerminalSession, text: string) => {
      terminal.type(text);
      await terminal.waitFor(text);
      terminal.press('enter');
    };
    const kill = async (terminal: TerminalSession) => {
      await pause(between(0, 40));
      terminal.kill('SIGKILL');
      await terminal.exited;
    };

    const first = await open('local', []);
    await say(first, hold);
    await first.waitFor('I hold it');
    await kill(first);

    const second = await open('claude', ['--continue']);
    await say(second, `${carryOn}, one`);
    await armedDialog(second, dialog);
    expect(second.screen()).toContain('echo one');
    await kill(second);

    const third = await open('google', ['--continue']);
    await say(third, `${carryOn}, two`);
    await armedDialog(third, dialog);
    expect(third.screen()).toContain('sum - coupon');
    await kill(third);

    const fourth = await open('responses', ['--resume', logId(home)]);
    await say(fourth, `${carryOn}, three`);
    await answerDialog(fourth, 'y', dialog);
    await fourth.waitFor(/running echo two/);
    await expect.poll(() => ran(repo)).toEqual(['two']);
    await kill(fourth);

    const fifth = await open('claude', ['--continue']);
    await say(fifth, hold);
    await fifth.waitFor('I hold it');
    await kill(fifth);

    const last = await open('local', ['--continue']);
    await say(last, goOn);
    await last.waitFor('Resumed.');
    await last.waitFor((screen) => !/esc stops/.test(screen));
    expect(four.violations()).toEqual([]);
    expect(ran(repo)).toEqual(['two']);
    expect(readFileSync(repo.file('src/total.mjs'), 'utf8')).toBe(brokenTotal);
    expect(threadLogFiles(home)).toHaveLength(1);
    const log = logOf(home, logId(home));
    expectSoundLog(log);
    expect(log.filter(({ kind }) => kind === 'turn-end').map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 5 }, () => 'aborted'),
      'done',
    ]);
    expect(log.flatMap(({ kind, result }) => (kind === 'tool-run-end' ? [statusOf(result)] : []))).toEqual([
      'ok',
      'ok',
      'aborted',
      'aborted',
      'aborted',
    ]);
  });

  it('belongs to one process: a second one is told so and of --fork, which works', async () => {
    repo = sampleRepo();
    const at = { home: four.newHome('local'), cwd: repo.folder };
    const holder = new RunningProgram(['-p', hold, '--output-format', 'events'], at);
    await holder.untilStdout((text) => text.includes('"text-delta"'));
    const threadId = logId(at.home);

    const second = await runProgram(['-p', goOn, '-c'], at);
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toBe(
      `llmcode: Thread ${threadId} is open in another llmcode (process ${holder.pid}). Close it there, or go on in ` +
        `a copy: llmcode --resume ${threadId} --fork\n`,
    );

    session = new TerminalSession({
      cwd: repo.folder,
      env: { LLMCODE_HOME: at.home },
      args: ['--continue'],
      columns: 100,
      rows: 30,
    });
    await session.waitFor('is open in another llmcode');
    expect(session.screen().replaceAll(/\s+/g, ' ')).toContain(`--resume ${threadId} --fork`);

    const fork = await runProgram(['-p', goOn, '-r', threadId, '--fork'], at);
    expect(fork).toMatchObject({ code: 0, stdout: 'Resumed.\n', stderr: '' });
    holder.kill('SIGINT');
    expect(await holder.exited).toMatchObject({ code: 130 });
    const logs = threadLogs(at.home);
    expect(logs).toHaveLength(2);
    for (const log of logs) expectSoundLog(log);
    const copy = logs.find(([header]) => header?.['threadId'] !== threadId);
    expect(copy?.[0]).toMatchObject({ forkedFrom: { threadId } });
    expect(JSON.stringify(logOf(at.home, threadId))).not.toContain('Resumed.');
    expect(four.violations()).toEqual([]);
  });
});

describe('a log that is not whole', () => {
  async function finished(): Promise<{ home: string; cwd: string; file: string; whole: string }> {
    repo = sampleRepo();
    const at = { home: four.newHome('local'), cwd: repo.folder };
    expect(await runProgram(['-p', goOn], at)).toMatchObject({ code: 0 });
    const [file = ''] = threadLogFiles(at.home);
    return { ...at, file, whole: readFileSync(file, 'utf8') };
  }

  it('loses its broken last line with a notice, and is whole again', async () => {
    const { file, whole, ...at } = await finished();
    writeFileSync(file, `${whole}{"kind":"turn-start","threadId":"01`);
    const { code, stdout, stderr } = await runProgram(['-p', goOn, '-c'], at);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Resumed.\n' });
    expect(stderr).toMatch(/^llmcode: The last entry of this thread was not written whole/);
    expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true);
    expectSoundLog(logOf(at.home, path.basename(file, '.jsonl')));
  });

  it('is left alone when it is damaged in the middle; file and line are named', async () => {
    const { file, whole, ...at } = await finished();
    const lines = whole.split('\n');
    lines[3] = lines[3]?.slice(0, 20) ?? '';
    const damaged = lines.join('\n');
    writeFileSync(file, damaged);
    const { code, stdout, stderr } = await runProgram(['-p', goOn, '-c'], at);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}:4 is damaged`);
    expect(stderr).toContain('--fork');
    expect(readFileSync(file, 'utf8')).toBe(damaged);

    const fork = await runProgram(['-p', goOn, '-c', '--fork'], at);
    expect(fork).toMatchObject({ code: 0, stdout: 'Resumed.\n' });
    expect(fork.stderr).toContain(`llmcode: Line 4 of ${file} is damaged`);
    expect(readFileSync(file, 'utf8')).toBe(damaged);
    expect(four.violations()).toEqual([]);
  });
});

/** What a reader of its standard output knew for certain when the run was killed. */
async function killedRun(
  { kind, count, laterMs }: Moment,
  at: { home: string; cwd: string },
): Promise<EngineEvent[]> {
  const args = ['-p', 'fix it', '--permission-mode', 'auto_accept', '--output-format', 'events'];
  const program = new RunningProgram(args, at);
  await program.untilStdout((text) => text.split(`"kind":"${kind}"`).length > count);
  if (laterMs > 0) await Promise.race([pause(laterMs), program.exited]);
  program.kill('SIGKILL');
  const end = await program.exited;
  // A moment that lies after the start of the turn by the clock alone may come too late for a fast one.
  if (kind !== 'turn-start' || laterMs === 0) expect(end).toMatchObject({ signal: 'SIGKILL' });
  const events = eventsOf(wholeLines(program.stdout).split('\n'));
  return events.filter((event) => !isDelta(event) && event.kind !== 'thread-snapshot');
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function eventsOf(lines: readonly string[]): EngineEvent[] {
  return lines.filter((line) => line !== '').map((line) => engineEventSchema.parse(JSON.parse(line)));
}

function logOf(home: string, threadId: string): LogLine[] {
  return threadLogs(home).find(([header]) => header?.['threadId'] === threadId) ?? [];
}

/** The id of the one thread in this home. */
function logId(home: string): string {
  return path.basename(threadLogFiles(home)[0] ?? '', '.jsonl');
}

/** What the commands of the task wrote, in order. */
function ran({ folder }: SampleRepo): string[] {
  const file = path.join(folder, 'ran.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

function statusOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'status' in result ? result.status : undefined;
}

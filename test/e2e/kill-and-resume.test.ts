import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineEvent, engineEventSchema } from '#protocol/event.ts';
import { isDelta } from '#protocol/is-delta.ts';
import { runLlmcode } from '../support/app/run-llmcode.ts';
import { callsIn, type FourVendors, refOf, startFourVendors, vendors } from '../support/e2e/four-vendors.ts';
import { threadLogFiles, threadLogs } from '../support/e2e/home.ts';
import { goOn, killedTurn, seededRandom } from '../support/e2e/killed-turn.ts';
import { RunningProgram, runProgram } from '../support/e2e/running-program.ts';
import { brokenTotal, fixedTotal, type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';

let four: FourVendors;
beforeAll(async () => {
  four = await startFourVendors(killedTurn);
});
afterAll(() => four.close());

/** Other moments are tried with another seed. */
const seed = Number(process.env['LLMCODE_TEST_SEED'] ?? 20_261_130);

/** Kills when these events have been printed, and a little later. Milliseconds. */
type Moment = { name: string; kind: EngineEvent['kind']; count: number; laterMs: number };

function moments(random: () => number): Moment[] {
  const from = (low: number, high: number) => Math.floor(low + random() * (high - low + 1));
  const many = (count: number, make: () => Moment) => Array.from({ length: count }, make);
  return [
    ...many(4, () => ({
      name: 'text or thinking streams',
      kind: 'text-delta',
      count: from(1, 45),
      laterMs: 0,
    })),
    ...many(2, () => ({ name: 'a call streams', kind: 'tool-call-delta', count: from(1, 20), laterMs: 0 })),
    ...many(4, () => ({
      name: 'a tool runs',
      kind: 'tool-run-start',
      count: from(3, 5),
      laterMs: from(0, 150),
    })),
    ...many(2, () => ({
      name: 'between steps',
      kind: 'tool-run-end',
      count: from(2, 5),
      laterMs: from(0, 2),
    })),
    ...many(3, () => ({ name: 'anywhere', kind: 'turn-start', count: 1, laterMs: from(0, 1_500) })),
  ];
}

/** The events that were printed, without a half line at the end. */
function printed(stdout: string): EngineEvent[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => engineEventSchema.parse(JSON.parse(line)));
}

function linesOf(repo: SampleRepo): string[] {
  const file = path.join(repo.folder, 'ran.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

describe('a run that is killed in mid-turn', () => {
  const all = moments(seededRandom(seed)).map((moment, index) => ({ ...moment, index }));

  it.each(all)('$index: goes on while $name ($kind $count, $laterMs ms)', async (moment) => {
    const vendor = vendors[moment.index % vendors.length] ?? vendors[0];
    const home = four.newHome(vendor.id);
    const repo = sampleRepo();
    try {
      const program = new RunningProgram(
        ['-p', 'fix it', '--permission-mode', 'auto_accept', '--output-format', 'events'],
        { home, cwd: repo.folder },
      );
      const mark = `"kind":"${moment.kind}"`;
      await program.untilStdout((text) => text.split(mark).length > moment.count);
      if (moment.laterMs > 0) await Promise.race([pause(moment.laterMs), program.exited]);
      program.kill('SIGKILL');
      await program.exited;
      const seen = printed(program.stdout).filter(
        (event) => !isDelta(event) && event.kind !== 'thread-snapshot',
      );
      const ranBefore = linesOf(repo).length;

      const [file = ''] = threadLogFiles(home);
      const crashed = readFileSync(file, 'utf8');
      const kept = crashed
        .slice(0, crashed.lastIndexOf('\n') + 1)
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => engineEventSchema.parse(JSON.parse(line)));
      // What was heard of is on disk.
      const keptNumbers = new Set(kept.map(({ seq }) => seq));
      expect(seen.filter(({ seq }) => !keptNumbers.has(seq))).toEqual([]);
      const calls = kept.filter(({ kind }) => kind === 'tool-call-end').length;
      const threadId = path.basename(file, '.jsonl');

      // A copy goes on with each of the other vendors, the thread itself with its own.
      for (const other of vendors.filter(({ id }) => id !== vendor.id)) {
        const args = ['-p', goOn, '-r', threadId, '--fork', '-m', refOf(other.id)];
        const { code, stdout, stderr } = await runLlmcode(args, { home, cwd: repo.folder });
        expect({ other: other.id, code, stdout, stderr }).toEqual({
          other: other.id,
          code: 0,
          stdout: 'Resumed.\n',
          stderr: '',
        });
        expect(callsIn(other.api, four.servers[other.id].requests.at(-1)?.body)).toBe(calls);
      }
      expect(readFileSync(file, 'utf8')).toBe(crashed);
      const how = moment.index % 2 === 0 ? ['-r', threadId] : ['-r', threadId.slice(0, -2)];
      const resumed = await runProgram(['-p', goOn, ...how], { home, cwd: repo.folder });
      expect(resumed).toMatchObject({ code: 0, stdout: 'Resumed.\n' });
      expect(callsIn(vendor.api, four.servers[vendor.id].requests.at(-1)?.body)).toBe(calls);
      expect(four.violations()).toEqual([]);

      expect(readFileSync(file, 'utf8').startsWith(crashed.slice(0, crashed.lastIndexOf('\n') + 1))).toBe(
        true,
      );
      const log = threadLogs(home).find(([header]) => header?.['threadId'] === threadId) ?? [];
      expectSoundLog(log);
      expect(log.at(-1)).toMatchObject({ kind: 'turn-end', reason: 'done' });
      const ran = linesOf(repo);
      expect(ran.length - ranBefore).toBeLessThanOrEqual(1);
      expect(ran).toEqual(['one', 'two'].slice(0, ran.length));
      expect([brokenTotal, fixedTotal]).toContain(readFileSync(repo.file('src/total.mjs'), 'utf8'));
    } finally {
      repo.remove();
    }
  });
});

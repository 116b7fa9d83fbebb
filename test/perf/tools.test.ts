import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { runProcess } from '#lib/spawn.ts';
import { encodeText, newFileFormat } from '#lib/text-file.ts';
import { diffView } from '#tools/files/diff-view.ts';
import { replaceText } from '#tools/files/replace-text.ts';
import { textOf, toolBench } from '../unit/tools/tool-bench.ts';

/** Both ripgrep and what is beside it grow with the number of files, so that a tenth of them shows the same ratio. */
const files = 10_000;

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, two) => one - two)[Math.floor(times.length / 2)] ?? 0;
}

/** Medians of both in ms, one after the other and with the order changing, so that a busy machine is busy for both. */
async function compare(runs: number, one: () => unknown, other: () => unknown): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    for (const index of run % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now();
      await (index === 0 ? one() : other());
      times[index].push(performance.now() - start);
    }
  }
  return [medianOf(times[0]), medianOf(times[1])];
}

test('an edit of a file of 50,000 lines costs little more than joining, encoding and hashing its text', async () => {
  let text = Array.from({ length: 50_000 }, (_, number) => `const value${number} = ${number};\n`).join('');
  let other = text;
  let edits = 0;
  let others = 0;
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const edit = () => {
    const [oldText, newText] = [`const value${edits * 49} = `, `let other${edits * 49} = `];
    edits += 1;
    const outcome = replaceText({ text, eol: '\n', hasBom: false, oldText, newText, replaceAll: false });
    if (outcome.kind !== 'replaced') throw new Error(outcome.kind);
    diffView({ path: 'a', before: text, after: outcome.text, same: outcome.same });
    const bytes = encodeText(outcome.text, newFileFormat);
    if (!bytes) throw new Error('not encoded');
    hash(bytes);
    text = outcome.text;
  };
  const least = () => {
    const [oldText, newText] = [`const value${others * 49} = `, `let other${others * 49} = `];
    others += 1;
    const at = other.indexOf(oldText);
    if (other.includes(oldText, at + 1)) throw new Error('twice');
    other = other.slice(0, at) + newText + other.slice(at + oldText.length);
    hash(Buffer.from(other));
  };
  const [ours, floor] = await compare(1_000, edit, least);
  expect(text === other).toBe(true);
  // 5 ms is what it may take in all; where joining a text of this size takes longer, the machine is slow.
  expect(ours).toBeLessThanOrEqual(Math.max(5, floor * 1.5));
});

test('grep_search takes at most half as long again as ripgrep alone', async () => {
  const bench = toolBench();
  for (let folder = 0; folder < files / 100; folder += 1) {
    mkdirSync(path.join(bench.folder, `d${folder}`));
    for (let file = 0; file < 100; file += 1) {
      const needle = file === 7 && folder % 10 === 0 ? 'a needle\n' : '';
      writeFileSync(
        path.join(bench.folder, `d${folder}`, `f${file}.ts`),
        `${'const value = 1;\n'.repeat(20)}${needle}`,
      );
    }
  }
  const args = ['--no-config', '--hidden', '--line-number', '--regexp=needle', '.'];
  const env = { PATH: '/usr/bin:/bin' };
  const [through, alone] = await compare(
    7,
    async () => {
      const result = await bench.run('grep_search', { pattern: 'needle' });
      expect(textOf(result).match(/needle/g)).toHaveLength(10);
    },
    async () => {
      const end = await runProcess({ file: rgPath, args, cwd: bench.folder, env });
      expect(end.stdout.trim().split('\n')).toHaveLength(10);
    },
  );
  expect(through).toBeLessThanOrEqual(alone * 1.5);
});

test.each([
  ['numbers', 'seq 1 24000000'],
  ['one line again and again', 'yes "a line of a program that has much to say" | head -c 200000000'],
  ['zeros', 'head -c 200000000 /dev/zero'],
])('200 MB of output take at most 1/0.6 of the time of tail, in bounded memory: %s', async (_, command) => {
  const bench = toolBench();
  let peak = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const [through, alone] = await compare(
    5,
    async () => expect((await bench.run('bash', { command })).status).toBe('ok'),
    () =>
      new Promise((resolve) => {
        spawn('/bin/bash', ['-c', `(${command}) | tail -n 50`], { stdio: 'ignore' }).once('exit', resolve);
      }),
  );
  clearInterval(watch);
  expect(peak - before).toBeLessThan(150_000_000);
  expect(alone / through).toBeGreaterThanOrEqual(0.6);
});

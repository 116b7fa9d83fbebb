import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { runProcess } from '#lib/spawn.ts';
import { encodeText, newFileFormat } from '#lib/text-file.ts';
import { diffView } from '#tools/files/diff-view.ts';
import { replaceText } from '#tools/files/replace-text.ts';
import { textOf, toolBench } from '../unit/tools/tool-bench.ts';

/** As many again as here are searched when it is run by hand on a larger tree; the ratio is the same. */
const files = 10_000;

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, two) => one - two)[Math.floor(times.length / 2)] ?? 0;
}

test('1,000 edits of a file of 50,000 lines take 5 ms each at most, without the disk', () => {
  let text = Array.from({ length: 50_000 }, (_, number) => `const value${number} = ${number};\n`).join('');
  const times: number[] = [];
  for (let run = 0; run < 1_000; run += 1) {
    const oldText = `const value${run * 49} = `;
    const newText = `let other${run * 49} = `;
    const start = performance.now();
    const outcome = replaceText({ text, eol: '\n', hasBom: false, oldText, newText, replaceAll: false });
    if (outcome.kind !== 'replaced') throw new Error(outcome.kind);
    diffView({ path: 'a', before: text, after: outcome.text, same: outcome.same });
    if (!encodeText(outcome.text, newFileFormat)) throw new Error('not encoded');
    times.push(performance.now() - start);
    text = outcome.text;
  }
  expect(medianOf(times)).toBeLessThanOrEqual(5);
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
  const alone: number[] = [];
  const through: number[] = [];
  for (let run = 0; run < 7; run += 1) {
    const start = performance.now();
    const args = ['--no-config', '--hidden', '--line-number', '--regexp=needle', '.'];
    const end = await runProcess({ file: rgPath, args, cwd: bench.folder, env: { PATH: '/usr/bin:/bin' } });
    const middle = performance.now();
    const result = await bench.run('grep_search', { pattern: 'needle' });
    through.push(performance.now() - middle);
    alone.push(middle - start);
    expect([end.stdout.trim().split('\n').length, textOf(result).match(/needle/g)?.length]).toEqual([10, 10]);
  }
  expect(medianOf(through)).toBeLessThanOrEqual(medianOf(alone) * 1.5);
});

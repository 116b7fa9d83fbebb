import { writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { test } from 'vitest';
import { runProcess } from '#lib/spawn.ts';
import { replaceText } from '#tools/files/replace-text.ts';
import { diffView } from '#tools/files/diff-view.ts';
import { encodeText, newFileFormat } from '#lib/text-file.ts';
import { toolBench } from '../unit/tools/tool-bench.ts';
test('x', async () => {
  const bench = toolBench();
  const out: string[] = [];
  for (let run = 0; run < 5; run += 1) {
    const s = performance.now();
    await runProcess({ file: rgPath, args: ['--no-config', '--hidden', '--line-number', '--regexp=needle', '.'], cwd: '/tmp/bigtree', env: {} });
    const m = performance.now();
    await bench.run('grep_search', { pattern: 'needle' }, { cwd: '/tmp/bigtree' });
    out.push(`rg ${Math.round(m - s)} tool ${Math.round(performance.now() - m)}`);
  }
  let text = Array.from({ length: 50_000 }, (_, n) => `const value${n} = ${n};\n`).join('');
  const t: number[] = [];
  for (let run = 0; run < 1000; run += 1) {
    const s = performance.now();
    const o = replaceText({ text, eol: '\n', hasBom: false, oldText: `const value${run * 49} = `, newText: `let other${run * 49} = `, replaceAll: false });
    if (o.kind !== 'replaced') throw new Error('x');
    diffView({ path: 'a', before: text, after: o.text });
    encodeText(o.text, newFileFormat);
    t.push(performance.now() - s); text = o.text;
  }
  t.sort((a, b) => a - b);
  out.push(`edit median ${t[500]} p99 ${t[990]}`);
  writeFileSync('/tmp/perf.txt', out.join('\n'));
}, 100000);

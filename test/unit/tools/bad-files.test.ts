import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ToolResult } from '#protocol/message.ts';
import { type ToolBench, textOf, toolBench } from './tool-bench.ts';

const isRoot = process.getuid?.() === 0;

/** What may stand where a file is meant. */
const obstacles: Record<string, (file: string) => void> = {
  'a folder': (file) => mkdirSync(file),
  'a FIFO': (file) => void spawnSync('mkfifo', [file]),
  '/dev/zero': (file) => symlinkSync('/dev/zero', file),
  'a link in a circle': (file) => symlinkSync(path.basename(file), file),
  'a link to nothing': (file) => symlinkSync('gone', file),
  'a file of 5 GB': (file) => {
    writeFileSync(file, 'start\n');
    truncateSync(file, 5_000_000_000);
  },
  'a file of zeros': (file) => writeFileSync(file, Buffer.alloc(100)),
  nothing: () => undefined,
  ...(isRoot
    ? {}
    : {
        'a file that may not be read': (file: string) => {
          writeFileSync(file, 'x\n');
          chmodSync(file, 0);
        },
      }),
};

const patch = '*** Begin Patch\n*** Update File: thing.ipynb\n-x\n+y\n*** End Patch';
const calls: [string, Record<string, unknown>][] = [
  ['read_file', { path: 'thing.ipynb' }],
  ['edit_file', { path: 'thing.ipynb', old_string: 'x', new_string: 'y' }],
  ['multi_edit', { path: 'thing.ipynb', edits: [{ old_string: 'x', new_string: 'y' }] }],
  ['apply_patch', { patch }],
  ['write_file', { path: 'thing.ipynb', content: 'new\n' }],
  ['append_file', { path: 'thing.ipynb', content: 'more\n' }],
  ['notebook_read', { path: 'thing.ipynb' }],
  ['notebook_edit', { path: 'thing.ipynb', cell: '0', source: 'x' }],
  ['list_directory', { path: 'thing.ipynb' }],
  ['grep_search', { pattern: 'x', path: 'thing.ipynb' }],
  ['glob_search', { pattern: '*', path: 'thing.ipynb' }],
];
/** These do there what they are for. */
const fine = new Set([
  'nothing write_file',
  'nothing append_file',
  'a folder list_directory',
  'a folder grep_search',
  'a folder glob_search',
  'a file of 5 GB read_file',
  'a file of 5 GB grep_search',
  'a file of zeros grep_search',
]);

async function quick(bench: ToolBench, [name, input]: [string, unknown]): Promise<ToolResult> {
  const start = performance.now();
  const result = await bench.run(name, input);
  expect(performance.now() - start).toBeLessThan(8_000);
  return result;
}

test.each(
  Object.keys(obstacles).flatMap((obstacle) => calls.map((call) => [obstacle, call[0], call] as const)),
)('%s for %s is a result to act on: no wait, no crash, nothing left behind', async (obstacle, name, call) => {
  const bench = toolBench();
  const file = path.join(bench.folder, 'thing.ipynb');
  obstacles[obstacle]?.(file);
  // What is searched is looked at by ripgrep, which reads what is there to its end.
  const isLongSearch = name === 'grep_search' && obstacle === 'a file of 5 GB';
  const result = isLongSearch ? undefined : await quick(bench, call);
  if (result && fine.has(`${obstacle} ${name}`)) expect(['ok', 'error']).toContain(result.status);
  else if (result) {
    expect([result.status, result.code !== undefined]).toEqual(['error', true]);
    expect(textOf(result).length).toBeGreaterThan(20);
  }
  expect(readdirSync(bench.folder).filter((each) => each !== 'thing.ipynb')).toEqual([]);
  rmSync(file, { force: true, recursive: true });
});

test('a file that goes between the plan and the change is not written', async () => {
  const bench = toolBench();
  const file = path.join(bench.folder, 'thing.ipynb');
  for (const [name, input] of calls.slice(1, 4)) {
    writeFileSync(file, 'x\n');
    await bench.run('read_file', { path: 'thing.ipynb' });
    rmSync(file);
    const result = await bench.run(name, input);
    expect([result.status, readdirSync(bench.folder)]).toEqual(['error', []]);
  }
});

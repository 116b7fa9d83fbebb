import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judge, makeGate, makePlace, put } from './support.ts';

const place = makePlace();
for (const file of ['docs/guide.md', 'names.txt', 'src/index.ts', 'scripts/w.sed', 'test/a.ts']) {
  put(path.join(place.workspace, file));
}
symlinkSync('/etc', path.join(place.workspace, 'etc'));
const gate = makeGate(place);

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

describe.each([
  ['prompt', 'prompt.txt'],
  ['auto_accept', 'auto-accept.txt'],
] as const)('in mode %s', (mode, name) => {
  const text = readFileSync(path.join(import.meta.dirname, 'commands', name), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const space = line.indexOf(' ');
      return { right: line.slice(0, space).split('|'), command: line.slice(space + 1).replaceAll('⏎', '\n') };
    });

  it.each([
    ['allow', 'what only reads, or what the mode allows, runs unasked'],
    ['ask', 'what does more is asked for'],
    ['deny', 'what must never run is refused'],
  ])('%s: %s', (first) => {
    const wrong = rows
      .filter(({ right }) => right[0] === first)
      .map(({ right, command }) => ({ right, command, decision: judge(gate, place, command, mode).decision }))
      .filter(({ right, decision }) => !right.includes(decision));
    expect(wrong).toEqual([]);
    expect(rows.some(({ right }) => right[0] === first) || mode === 'auto_accept').toBe(true);
  });
});

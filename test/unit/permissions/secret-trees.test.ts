import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bashCall, makeGate, makePlace, put } from './support.ts';

it('folders that are compared are looked through for secrets', () => {
  const place = makePlace();
  try {
    for (const file of ['.env', 'other/.env', 'left/a', 'right/a']) put(path.join(place.workspace, file));
    const answer = (command: string) =>
      makeGate(place).decide(bashCall(command, { mode: 'prompt', cwd: place.workspace })).decision;
    const shown = ['diff . other', 'diff -r . other', 'diff --recursive other .'];
    expect(shown.map(answer)).toEqual(shown.map(() => 'ask'));
    const hidden = ['diff -rq . other', 'diff -r left right', 'diff left/a right/a'];
    expect(hidden.map(answer)).toEqual(hidden.map(() => 'allow'));
  } finally {
    rmSync(place.base, { recursive: true, force: true });
  }
});

import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { corpus, hasCorpora, judge, makeGate, makePlace, put } from './support.ts';

type Row = {
  id: string;
  command: string;
  expect: 'allow' | 'ask' | 'deny';
  accept: string[];
  feature: string;
};

describe.skipIf(!hasCorpora)('the corpus of commands', () => {
  const rows = hasCorpora ? corpus<Row>('bash-commands.jsonl') : [];
  const place = makePlace();
  for (const file of [
    'docs/guide.md',
    'my docs/a b.txt',
    'names.txt',
    'data.csv',
    'archive.tar',
    'scripts/w.sed',
  ]) {
    put(path.join(place.workspace, file));
  }
  const gate = makeGate(place);
  const answers = rows.map((row) => ({ ...row, answer: judge(gate, place, row.command).decision }));
  const list = (wrong: typeof answers) => wrong.map(({ id, command }) => `${id} ${command.slice(0, 100)}`);

  afterAll(() => rmSync(place.base, { recursive: true, force: true }));

  it('is never answered with allow where a person must be asked', () => {
    expect(
      list(answers.filter(({ answer, accept }) => answer === 'allow' && !accept.includes('allow'))),
    ).toEqual([]);
  });

  it('is never answered with ask where only deny is right', () => {
    const weak = answers.filter(
      ({ answer, accept }) => answer === 'ask' && accept.every((one) => one === 'deny'),
    );
    expect(list(weak)).toEqual([]);
  });

  it('stops at most one in twenty of the harmless commands', () => {
    const harmless = answers.filter(({ accept }) => accept.every((one) => one === 'allow'));
    const stopped = harmless.filter(({ answer }) => answer !== 'allow');
    expect(stopped.length / harmless.length, list(stopped).join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('is not denied where asking is right', () => {
    expect(
      list(answers.filter(({ answer, accept }) => answer === 'deny' && !accept.includes('deny'))),
    ).toEqual([]);
  });

  it('is denied in plan mode wherever prompt mode asks, and in full access wherever only deny is right', () => {
    for (const { command, answer, accept } of answers) {
      if (answer !== 'allow') expect(judge(gate, place, command, 'plan').decision, command).toBe('deny');
      else expect(judge(gate, place, command, 'plan').decision, command).toBe('allow');
      if (accept.every((one) => one === 'deny')) {
        expect(judge(gate, place, command, 'full_access').decision, command).toBe('deny');
      }
    }
  });
});

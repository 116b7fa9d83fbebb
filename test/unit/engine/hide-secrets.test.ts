import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hideInView } from '#engine/turn/hide-secrets.ts';
import type { DiffLine } from '#protocol/tool-view.ts';
import { textOf, toolBench } from '../tools/tool-bench.ts';

const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
const body = ['MIIEowIBAAKCAQEAx7', 'Zk3vQ9pL2mN8rT5wYb', 'Hd6gJ1kS4uX0cVfEoA'].map((part) => part.repeat(3));
const pem = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----'];

test('a secret over several lines of a change is hidden, and each line stays one', () => {
  const plus = (text: string): DiffLine => ({ op: '+', text });
  const lines = [plus('before'), ...pem.map(plus), plus(`token = ${token} # mine`)];
  const hunks = [{ oldStart: 1, newStart: 1, lines }];
  const view = hideInView({ kind: 'diff', path: 'a', change: 'modify', hunks, added: 7, removed: 0 });
  const shown = view.kind === 'diff' ? view.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)) : [];
  expect(shown).toHaveLength(lines.length);
  expect([shown[0], shown.at(-1)?.endsWith(' # mine')]).toEqual(['before', true]);
  for (const secret of [token, ...body]) expect(shown.join('\n')).not.toContain(secret);
});

test('what a notebook printed is shown without its secrets', async () => {
  const bench = toolBench();
  const file = path.join(bench.folder, 'a.ipynb');
  const outputs = [{ output_type: 'stream', name: 'stdout', text: [`got ${token}\n`, 'done\n'] }];
  const cell = { cell_type: 'code', metadata: {}, execution_count: 1, source: ['show()'], outputs };
  writeFileSync(file, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }));
  const text = textOf(await bench.run('notebook_read', { path: 'a.ipynb' }));
  expect(text).toContain('done');
  expect(text).not.toContain(token);
});

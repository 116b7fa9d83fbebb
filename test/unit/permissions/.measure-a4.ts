import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { corpus, judge, makeGate, makePlace, put } from '/work/main/test/unit/permissions/support.ts';

type Row = { id: string; command: string; expect: string; accept: string[]; feature: string };
const rows = corpus<Row>('bash-commands.jsonl');
const place = makePlace();
for (const file of [
  'docs/guide.md',
  'my docs/a b.txt',
  'names.txt',
  'data.csv',
  'archive.tar',
  'scripts/w.sed',
])
  put(path.join(place.workspace, file));
const gate = makeGate(place);
const times: number[] = [];
for (const r of rows) judge(gate, place, r.command);
const out = rows.map((r) => {
  const t = performance.now();
  const d = judge(gate, place, r.command);
  times.push(performance.now() - t);
  return { ...r, answer: d.decision, why: d.reasons.map((x) => x.check + ':' + x.text.slice(0, 60)) };
});
const esc = out.filter((r) => r.answer === 'allow' && !r.accept.includes('allow'));
const weak = out.filter((r) => r.answer === 'ask' && r.accept.every((a) => a === 'deny'));
const harmless = out.filter((r) => r.accept.every((a) => a === 'allow'));
const fr = harmless.filter((r) => r.answer !== 'allow');
const both = out.filter((r) => r.accept.includes('allow') && r.accept.length > 1);
times.sort((a, b) => a - b);
console.log(
  'rows',
  rows.length,
  'escape',
  esc.length,
  'weak',
  weak.length,
  'friction',
  fr.length,
  '/',
  harmless.length,
  ((100 * fr.length) / harmless.length).toFixed(2) + '%',
  'policy rows allow',
  both.filter((r) => r.answer === 'allow').length,
  '/',
  both.length,
  'p99',
  times[Math.floor(times.length * 0.99)]?.toFixed(2),
  'max',
  times.at(-1)?.toFixed(2),
);
for (const r of esc) console.log('ESC', r.id, r.command, r.feature);
for (const r of weak) console.log('WEAK', r.id, r.command);
if (process.argv[2] === 'f') {
  for (const r of fr) console.log('FR', r.id, JSON.stringify(r.command), r.why.join(' | '));
  for (const r of both)
    console.log('POL', r.answer, r.expect, JSON.stringify(r.command).slice(0, 140), r.feature);
}
rmSync(place.base, { recursive: true });

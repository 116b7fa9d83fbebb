import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const brokenTotal = `export function total(items, coupon) {
  const sum = items.reduce((all, item) => all + item.price, 0);
  return sum + coupon;
}
`;

export const fixedTotal = brokenTotal.replace('sum + coupon', 'sum - coupon');

const totalTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './total.mjs';

test('a coupon lowers the total', () => {
  assert.equal(total([{ price: 700 }, { price: 300 }], 200), 800);
});
`;

export type SampleRepo = { folder: string; file(name: string): string; remove(): void };

/** A git repository in a temporary folder with one failing test (`node --test`), everything committed. */
export function sampleRepo(extra: Readonly<Record<string, string>> = {}): SampleRepo {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-repo-')));
  const files: Record<string, string> = {
    'src/total.mjs': brokenTotal,
    'src/total.test.mjs': totalTest,
    'package.json': '{ "name": "sample", "private": true, "scripts": { "test": "node --test" } }\n',
    ...extra,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'start');
  return {
    folder,
    file: (name) => path.join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

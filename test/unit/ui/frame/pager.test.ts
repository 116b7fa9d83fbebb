import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageText } from '#ui/frame/pager.ts';

/** A pager that keeps what it was given and how. */
function pager(name: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  const script = `for last; do :; done; echo "$@" > ${folder}/args; /bin/cat "$last" > ${folder}/text`;
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, file, got: (what: 'args' | 'text') => readFileSync(path.join(folder, what), 'utf8') };
}

test('the pager gets a file, at its end where it can, and nothing of it is left behind', async () => {
  const { file, got } = pager('less');
  expect(await pageText('all of it', { pagerCommand: [file, '-i'], env: {}, roots: [] })).toBeUndefined();
  expect(got('text')).toBe('all of it');
  expect(got('args')).toMatch(/^-i -R .*\+G \S+conversation\.md\n$/);
  expect(existsSync(got('args').trim().split(' ').at(-1) ?? '')).toBe(false);
});

test('where the pager that is set does not start, the one on the path shows it', async () => {
  const { folder, got } = pager('less');
  const env = { PATH: folder };
  expect(await pageText('a', { pagerCommand: ['/nowhere/pager'], env, roots: [] })).toBeUndefined();
  expect(got('text')).toBe('a');
});

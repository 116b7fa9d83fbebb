import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolBench } from './tool-bench.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpora/edit-cases.jsonl');

const generated = z.union([
  z.string(),
  z.object({ b64: z.string() }),
  z.object({ gen: z.literal('repeat'), text: z.string(), count: z.number(), suffix: z.string() }),
  z.object({
    gen: z.literal('lines'),
    template: z.string(),
    from: z.number(),
    to: z.number(),
    replace_line: z.tuple([z.number(), z.string()]).optional(),
  }),
]);
const fileState = z.union([
  z.null(),
  generated,
  z.object({ kind: z.enum(['dir', 'fifo']) }),
  z.object({ read: z.string(), now: z.string() }),
  z.object({
    text: z.string(),
    mode: z.string().optional(),
    via_symlink: z.boolean().optional(),
    hardlinks: z.number().optional(),
  }),
]);
const editCase = z.object({
  id: z.string(),
  title: z.string(),
  file_before: fileState,
  old: generated,
  new: generated,
  replace_all: z.boolean(),
  expect_after: fileState.optional(),
  expect_error: z.string().optional(),
  also_ok: z.array(z.object({ after: fileState.optional(), error: z.string().optional() })),
  limit_ms: z.number().optional(),
});
type EditCase = z.infer<typeof editCase>;

const cases: EditCase[] = existsSync(corpus)
  ? readFileSync(corpus, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => editCase.parse(JSON.parse(line)))
  : [];

describe.skipIf(cases.length === 0)('the edit corpus (skipped where ../shared is absent)', () => {
  test.each(cases.map((one) => [one.id, one.title, one] as const))('%s %s', async (_id, _title, one) => {
    const bench = toolBench();
    const file = path.join(bench.folder, 'file.txt');
    const before = one.file_before;
    place(file, before);
    await bench.run('read_file', { path: 'file.txt' });
    if (before !== null && typeof before === 'object' && 'now' in before) writeFileSync(file, before.now);
    const untouched = snapshot(file);

    const start = performance.now();
    const result = await bench.run('edit_file', {
      path: 'file.txt',
      old_string: bytesOf(one.old).toString(),
      new_string: bytesOf(one.new).toString(),
      ...(isLone(one.old) ? { old_string: one.old } : {}),
      replace_all: one.replace_all,
    });
    expect(performance.now() - start).toBeLessThan(one.limit_ms ?? 2_000);

    if (result.status === 'ok') {
      const allowed = [one.expect_after, ...one.also_ok.map((other) => other.after)].filter(
        (state) => state !== undefined,
      );
      expect(allowed.some((state) => isState(file, state))).toBe(true);
    } else {
      const allowed = [one.expect_error, ...one.also_ok.map((other) => other.error)];
      expect(allowed).toContain(result.code);
      expect(snapshot(file)).toEqual(untouched);
    }
  });
});

function isLone(text: unknown): text is string {
  return typeof text === 'string' && !text.isWellFormed();
}

function bytesOf(content: z.infer<typeof generated>): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  if ('b64' in content) return Buffer.from(content.b64, 'base64');
  if (content.gen === 'repeat') return Buffer.from(content.text.repeat(content.count) + content.suffix);
  let text = '';
  for (let number = content.from; number <= content.to; number += 1)
    text +=
      content.replace_line?.[0] === number
        ? content.replace_line[1]
        : content.template.replaceAll('{n}', String(number));
  return Buffer.from(text);
}

function place(file: string, state: z.infer<typeof fileState>): void {
  if (state === null) return;
  if (typeof state === 'object' && 'kind' in state) {
    if (state.kind === 'dir') mkdirSync(file);
    else spawnSync('mkfifo', [file]);
  } else if (typeof state === 'object' && 'read' in state) writeFileSync(file, state.read);
  else if (typeof state === 'object' && 'text' in state && !('gen' in state)) {
    const target = state.via_symlink ? `${file}.target` : file;
    writeFileSync(target, state.text);
    if (state.mode) chmodSync(target, Number.parseInt(state.mode, 8));
    if (state.via_symlink) spawnSync('ln', ['-s', `${path.basename(file)}.target`, file]);
    if (state.hardlinks) linkSync(file, `${file}.other`);
  } else writeFileSync(file, bytesOf(state));
}

function isState(file: string, state: z.infer<typeof fileState>): boolean {
  if (state === null || (typeof state === 'object' && ('kind' in state || 'read' in state))) return false;
  if (typeof state === 'object' && 'text' in state && !('gen' in state)) {
    const mode = (statSync(file).mode & 0o777).toString(8);
    return readFileSync(file, 'utf8') === state.text && (state.mode === undefined || state.mode === mode);
  }
  return readFileSync(file).equals(bytesOf(state));
}

function snapshot(file: string): string | null {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? readFileSync(file).toString('base64') : null;
}

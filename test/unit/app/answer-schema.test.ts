import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAnswerSchema } from '#app/print/answer-schema.ts';

const text =
  '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}';

describe('the schema of an answer', () => {
  it('comes from a file relative to the folder, or from the text itself', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-schema-'));
    writeFileSync(path.join(folder, 's.json'), text);
    for (const source of ['s.json', text]) {
      const schema = await loadAnswerSchema(source, folder);
      expect(schema.check('{"ok": true}')).toEqual({ kind: 'ok', value: { ok: true } });
      expect(schema.instruction).toContain('"required"');
    }
  });

  it('comes from a pipe, waits for it only until it is stopped, and not from a device', async () => {
    const fifo = path.join(mkdtempSync(path.join(tmpdir(), 'llmcode-schema-')), 'pipe');
    execFileSync('mkfifo', [fifo]);
    const stop = new AbortController();
    const waiting = loadAnswerSchema(fifo, '/', stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('cannot be read');
    const reading = loadAnswerSchema(fifo, '/');
    await writeFile(fifo, text);
    expect((await reading).check('{"ok": true}')).toMatchObject({ kind: 'ok' });
    await expect(loadAnswerSchema('/dev/zero', '/')).rejects.toThrow('a device');
  });

  it('forgives a fence around the value and nothing else', async () => {
    const schema = await loadAnswerSchema(text, '/');
    expect(schema.check('```json\n{"ok": true}\n```')).toMatchObject({ kind: 'ok' });
    expect(schema.check('Here: {"ok": true}')).toMatchObject({
      kind: 'bad',
      problem: 'it is not one JSON value.',
    });
    expect(schema.check('{"ok": 1, "more": 2}')).toMatchObject({
      kind: 'bad',
      problem: expect.stringContaining('ok:'),
    });
  });

  it.each([
    ['missing.json', 'cannot be read'],
    ['{"type": "objekt"}', 'cannot be used'],
    ['{"type": ', 'is no JSON'],
  ])('is refused when it is %s', async (source, message) => {
    await expect(loadAnswerSchema(source, '/nowhere')).rejects.toThrow(message);
  });
});

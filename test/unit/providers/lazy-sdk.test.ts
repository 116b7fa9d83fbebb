import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../../src/providers');

test('the SDK is loaded by the first model call and never before', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const eager = sources.filter((name) =>
    /^import (?!type\b)[^;]*from '(ai|@ai-sdk\/[^']+)'/m.test(readFileSync(path.join(folder, name), 'utf8')),
  );
  expect(eager).toEqual([]);
  const lazy = sources.filter((name) =>
    /await import\('@ai-sdk\//.test(readFileSync(path.join(folder, name), 'utf8')),
  );
  expect(lazy.sort()).toEqual(['anthropic.ts', 'google.ts', 'openai-compatible.ts', 'openai.ts']);
});

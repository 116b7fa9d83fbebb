import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vitest/config';

/** Prose in `.md` files is imported as text, as in the build. */
const markdownAsText: Plugin = {
  name: 'markdown-as-text',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.md')) return null;
    return `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`;
  },
};

const ring = (
  name: string,
  testTimeout: number,
  options: { maxWorkers?: number; isolate?: boolean } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    testTimeout,
    hookTimeout: testTimeout,
    ...options,
  },
});

export default defineConfig({
  plugins: [markdownAsText],
  test: {
    environment: 'node',
    pool: 'forks',
    projects: [
      ring('arch', 20_000),
      ring('unit', 10_000, { maxWorkers: 2, isolate: false }),
      ring('engine', 30_000, { maxWorkers: 2 }),
      ring('ui', 20_000, { maxWorkers: 2 }),
      ring('e2e', 60_000, { maxWorkers: 2 }),
      ring('perf', 120_000, { maxWorkers: 1 }),
    ],
  },
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../../support/source-files.ts';

type Output = {
  write(x: number, y: number, text: string, options: { transformers: readonly unknown[] }): void;
  clip(clip: { x1?: number; x2?: number; y1?: number; y2?: number }): void;
  unclip(): void;
  get(): { output: string; height: number };
};
type Bundle = {
  Output: new (size: { width: number; height: number }) => Output;
  sanitizeAnsi: (text: string) => string;
  stringWidth: (text: string) => number;
};

const source = `
export { default as Output } from './node_modules/ink/build/output.js';
export { default as sanitizeAnsi } from './node_modules/ink/build/sanitize-ansi.js';
export { default as stringWidth } from 'string-width';
`;

let folder: string;
let original: Bundle;
let patched: Bundle;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'llmcode-bundle-'));
  const patches = (await import(path.join(projectRoot, 'scripts/bundle-patches.mjs'))) as {
    bundlePatches(root: string): Plugin[];
  };
  const all = patches.bundlePatches(projectRoot);
  // Widths come from the newer library in both: what differs is not what is compared here.
  const widths = all.filter(({ name }) => name === 'one-string-width');
  original = await bundled('original', widths);
  patched = await bundled('patched', all);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function bundled(name: string, plugins: Plugin[]): Promise<Bundle> {
  const outfile = path.join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: projectRoot },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    plugins,
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as Bundle;
}

const pieces = fc.constantFrom(
  'plain text',
  ' ',
  '  two',
  '─────',
  '日本語',
  '👩‍👩‍👧 family',
  'e\u0301a',
  '\u200b',
  '\u2764\ufe0f',
  '\x1b[31mred\x1b[39m',
  '\x1b[1;38;2;10;20;30mbold\x1b[22;39m',
  '\x1b[48;5;7m grey \x1b[49m',
  '\x1b[4mopen',
);
const line = fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join(''));
const text = fc.oneof(
  { weight: 5, arbitrary: line },
  line.map((each) => `${each}\n${each}`),
);
const write = fc.record({
  kind: fc.constant('write' as const),
  x: fc.integer({ min: -3, max: 22 }),
  y: fc.integer({ min: -1, max: 6 }),
  text,
});
const clip = fc.record({
  kind: fc.constant('clip' as const),
  x1: fc.integer({ min: 0, max: 8 }),
  width: fc.integer({ min: 0, max: 20 }),
  y1: fc.integer({ min: 0, max: 3 }),
  height: fc.integer({ min: 0, max: 6 }),
});
const step = fc.oneof({ weight: 6, arbitrary: write }, clip, fc.constant({ kind: 'unclip' as const }));
const frame = fc.array(step, { maxLength: 12 });

function draw({ Output }: Bundle, steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const output = new Output({ width: 24, height: 6 });
  let open = 0;
  for (const each of steps) {
    if (each.kind === 'write') output.write(each.x, each.y, each.text, { transformers: [] });
    if (each.kind === 'clip') {
      output.clip({ x1: each.x1, x2: each.x1 + each.width, y1: each.y1, y2: each.y1 + each.height });
      open += 1;
    }
    if (each.kind === 'unclip' && open > 0) {
      output.unclip();
      open -= 1;
    }
  }
  return output.get();
}

describe('Ink as it is bundled', () => {
  it('draws the same frames as the library does', () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 3 }), (frames) => {
        for (const steps of frames) expect(draw(patched, steps)).toEqual(draw(original, steps));
      }),
      { numRuns: 400 },
    );
  });

  it('cleans text and measures it as the libraries do', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 30 })), (each) => {
        for (let time = 0; time < 2; time += 1) {
          expect(patched.sanitizeAnsi(each)).toBe(original.sanitizeAnsi(each));
          expect(patched.stringWidth(each)).toBe(stringWidth(each));
        }
      }),
    );
  });
});

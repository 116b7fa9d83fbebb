import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from '../support/source-files.ts';

const maxLines = 400;

describe('source files', () => {
  const source = sourceFiles('src');
  const all = [...source, ...sourceFiles('test').filter((file) => !file.path.startsWith('test/arch/'))];

  it(`have at most ${maxLines} lines`, () => {
    const long = all.filter((file) => file.text.split('\n').length - 1 > maxLines).map((file) => file.path);
    expect(long).toEqual([]);
  });

  it('hold no model names outside the catalogue, the demo and prose', () => {
    const names =
      /\b(gpt-\d|claude-(?:opus|sonnet|haiku|\d)|gemini-\d|deepseek-(?:chat|reasoner|v\d)|grok-\d|llama-?3|qwen\d|mistral-(?:large|small))/i;
    const named = source
      .filter((file) => !file.path.startsWith('src/providers/catalogue/'))
      .filter((file) => names.test(withoutComments(file.text)))
      .map((file) => file.path);
    expect(named).toEqual([]);
  });

  it('of the protocol that the first paint needs are free of zod', () => {
    const needed = ['apply-event', 'is-delta', 'model-ref-text', 'permission-mode', 'usage-totals'];
    const heavy = source
      .filter((file) => needed.some((name) => file.path === `src/protocol/${name}.ts`))
      .filter((file) => importsOf(file.text).some((site) => site.specifier === 'zod'));
    expect(heavy).toEqual([]);
  });

  it('never mock a room', () => {
    const mocking = sourceFiles('test').filter((file) => /vi\.mock\(\s*['"]#/.test(file.text));
    expect(mocking.map((file) => file.path)).toEqual([]);
  });

  it('carry lint exceptions only with a reason', () => {
    const exceptions = all.flatMap((file) =>
      [...file.text.matchAll(/biome-ignore[^\n]*/g)].map((match) => ({ path: file.path, text: match[0] })),
    );
    expect(exceptions.filter(({ text }) => !/biome-ignore\S* [\w/]+: \S.{8,}/.test(text))).toEqual([]);
    process.stdout.write(`lint exceptions: ${exceptions.length}\n`);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

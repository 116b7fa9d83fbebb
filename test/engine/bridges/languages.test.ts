import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLanguages } from '#bridges/lsp/languages.ts';
import { lspSettings } from '#bridges/lsp/settings.ts';
import { createWriteFollower } from '#bridges/lsp/write-follower.ts';
import { systemClock } from '#lib/clock.ts';
import { realPathOf } from '#lib/paths.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { createTools } from '#tools/index.ts';
import { toolSettings } from '#tools/settings.ts';
import { answer, call, done } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  openGate,
  openTestThread,
  resultText,
  tempFolder,
} from '../../support/engine/test-thread.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };

const cart = `import { price } from './price.ts';

export function total(items: string[]): number {
  return items.map(price).reduce((sum, each) => sum + each, 0);
}
`;
const price = `export function price(item: string): number {
  return item.length;
}
`;

/** A project in TypeScript with the real server, and a model that makes these calls one after the other. */
async function project(
  calls: readonly { tool: string; input: Record<string, string | number> }[],
  { settings = {}, isTrusted = true }: { settings?: object; isTrusted?: boolean } = {},
) {
  const cwd = realPathOf(await tempFolder());
  await mkdir(path.join(cwd, 'src'));
  await writeFile(path.join(cwd, 'src/cart.ts'), cart);
  await writeFile(path.join(cwd, 'src/price.ts'), price);
  const compilerOptions = { strict: true, noEmit: true, allowImportingTsExtensions: true, module: 'esnext' };
  await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const server = {
    command: path.join(root, 'node_modules/.bin/typescript-language-server'),
    // TypeScript of today brings no tsserver.
    initialization_options: {
      tsserver: { path: path.join(root, 'node_modules/typescript-5/lib/tsserver.js') },
    },
  };
  const values = lspSettings.parse({
    lsp: { servers: { 'typescript-language-server': server } },
    ...settings,
  });
  const languages = createLanguages({
    ...{ roots: [cwd], env, clock: systemClock },
    settings: () => values,
    isTrusted: () => isTrusted,
    timeouts: { start: 60_000, request: 60_000, afterWrite: 20_000 },
  });
  onTestFinished(() => languages.close());
  const asked: PermissionCall[] = [];
  const thread = await openTestThread({
    cwd,
    script: [
      ...calls.map(({ tool, input }) => [...call(tool, input), ...done('tool-calls')]),
      answer('Done.'),
    ],
    tools: createTools({ settings: toolSettings.parse({}), env: {}, languages }),
    services: { writes: createWriteFollower({ languages, formatters: () => values.formatters, env }) },
    gate: openGate((one) => {
      asked.push(one);
      return undefined;
    }),
    childEnv: env,
  });
  await thread.prompt('go');
  return {
    cwd,
    asked,
    results: callParts(thread.state().messages),
    files: (name: string) => readFile(path.join(cwd, name), 'utf8'),
  };
}

it('answers where a symbol is defined and used, what a file holds, and what is wrong in it', async () => {
  const { results } = await project([
    { tool: 'lsp_definition', input: { path: 'src/cart.ts', symbol: 'price', line: 4 } },
    { tool: 'lsp_references', input: { path: 'src/price.ts', symbol: 'price' } },
    { tool: 'lsp_symbols', input: { path: 'src/cart.ts' } },
    { tool: 'lsp_symbols', input: { path: 'src/cart.ts', query: 'total' } },
    { tool: 'lsp_diagnostics', input: { path: 'src/cart.ts' } },
    { tool: 'lsp_definition', input: { path: 'src/cart.ts', symbol: 'nothing' } },
  ]);
  expect(results.map(resultText)).toEqual([
    'src/price.ts:1:17',
    'src/cart.ts:1:10\nsrc/cart.ts:4:20\nsrc/price.ts:1:17',
    expect.stringContaining('3 function total'),
    expect.stringContaining('src/cart.ts:3 function total'),
    'No problems.',
    expect.stringContaining('nothing does not stand in'),
  ]);
}, 60_000);

it('tells a model of the errors that its change brought, and not of those that were there', async () => {
  const { results } = await project([
    { tool: 'write_file', input: { path: 'src/old.ts', content: 'const old: number = "x";\n' } },
    { tool: 'lsp_diagnostics', input: { path: 'src/old.ts' } },
    {
      tool: 'write_file',
      input: { path: 'src/old.ts', content: 'const old: number = "x";\nexport { gone };\n' },
    },
  ]);
  const [before, asked, after] = results.map(resultText);
  expect(before).not.toContain('New problems'); // No server runs yet, and none is started for it.
  expect(asked).toContain("1:7 error: Type 'string' is not assignable to type 'number'. (typescript 2322)");
  expect(after).toContain('New problems in src/old.ts:\n2:10 error:');
  expect(after).not.toContain('2322');
}, 60_000);

it('formats what was written, says so, and takes the new text for what the model knows', async () => {
  const { results, files } = await project(
    [
      { tool: 'write_file', input: { path: 'src/a.txt', content: 'one\n' } },
      { tool: 'edit_file', input: { path: 'src/a.txt', old_string: 'ONE', new_string: 'TWO' } },
      { tool: 'write_file', input: { path: 'b.md', content: 'kept\n' } },
    ],
    {
      settings: {
        formatters: {
          '*.txt': 'tr a-z A-Z < {path} > up && cat up > {path}',
          '*.md': 'echo broken >&2; exit 2',
        },
      },
    },
  );
  const [written, edited, failed] = results;
  expect(resultText(written)).toContain('A formatter changed src/a.txt');
  expect(edited?.result?.status).toBe('ok');
  expect(await files('src/a.txt')).toBe('TWO\n');
  expect(resultText(failed)).toContain('The formatter for *.md failed (2): broken');
}, 60_000);

it('is judged as the command that it starts where nobody trusts the folder, and as reading afterwards', async () => {
  const ask = { tool: 'lsp_symbols', input: { path: 'src/cart.ts' } };
  const { asked } = await project([ask, { tool: 'lsp_symbols', input: { path: 'src/price.ts' } }], {
    isTrusted: false,
  });
  const kinds = asked.map(({ resources }) => resources.map(({ kind }) => kind));
  expect(kinds).toEqual([['path', 'command'], ['path']]);
}, 60_000);

import type { Dirent } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { globTest } from '#lib/glob-pattern.ts';
import { displayPath } from '#lib/paths.ts';
import { fileProblem, specialKind } from '#lib/regular-file.ts';
import { defineTool } from '#protocol/tool.ts';
import { problemResult } from './files/problem-result.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import prose from './list-directory.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, nameOnOneLine, size } from './result/words.ts';
import { holdDecided } from './search/search-folder.ts';

type Input = { path?: string | undefined; ignore?: string[] | undefined; limit?: number | undefined };

const defaultLimit = 200;
const maxLimit = 2_000;

export const listDirectory = defineTool<Input>({
  name: 'list_directory',
  aliases: ['LS'],
  inputAliases: { directory: 'path', dir: 'path', dir_path: 'path' },
  prose,
  input: looseInput({
    path: toolPath.optional(),
    ignore: z.array(z.string()).optional(),
    limit: z.number().optional(),
  }),
  effect: 'read',
  touches: (input, { cwd }) => [{ kind: 'path', path: absolutePath(input.path ?? '.', cwd), access: 'read' }],
  title: (input, { cwd }) => displayPath(absolutePath(input.path ?? '.', cwd), cwd),
  async run(input, ctx) {
    const folder = absolutePath(input.path ?? '.', ctx.cwd);
    const shown = displayPath(folder, ctx.cwd);
    const held = await holdDecided(folder, ctx);
    if (!('at' in held)) return problemResult(held, { file: folder, ctx, use: 'listed' });
    await using _ = { [Symbol.asyncDispose]: held.close };
    if (held.kind === 'file')
      return toolError('not_a_folder', `${shown} is a file, not a folder. Read it with read_file.`);
    const entries = await entriesOf(held.at);
    if ('kind' in entries) return problemResult(entries, { file: folder, ctx, use: 'listed' });
    const ignored = (input.ignore ?? []).map(globTest);
    const wanted = entries.filter(({ name }) => !ignored.some((matches) => matches(name))).sort(foldersFirst);
    const limit = Math.min(maxLimit, Math.max(1, Math.trunc(input.limit ?? defaultLimit)));
    const files = await Promise.all(wanted.slice(0, limit).map((entry) => describe(held.at, entry)));
    const lines = files.map(({ path: name, detail }) => (detail ? `${name}  ${detail}` : name));
    const skipped = wanted.length - files.length;
    if (skipped > 0)
      lines.push(`[${count(skipped, 'more entry')} left out. Raise limit, or search with glob_search.]`);
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text: lines.length === 0 ? `[${shown} is empty.]` : lines.join('\n') }],
      view: { kind: 'files', files, total: wanted.length },
      summary: count(wanted.length, 'entry'),
    };
  },
});

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return fileProblem(error);
  }
}

function foldersFirst(a: Dirent, b: Dirent): number {
  if (a.isDirectory() !== b.isDirectory()) return a.isDirectory() ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

async function describe(folder: string, entry: Dirent): Promise<{ path: string; detail?: string }> {
  const name = nameOnOneLine(entry.name);
  const file = path.join(folder, entry.name);
  if (entry.isDirectory()) return { path: `${name}/` };
  try {
    if (entry.isSymbolicLink()) return { path: name, detail: `-> ${nameOnOneLine(await readlink(file))}` };
    if (!entry.isFile()) return { path: name, detail: specialKind(entry) };
    return { path: name, detail: size((await stat(file)).size) };
  } catch {
    return { path: name }; // Gone since the folder was read, or a name that is no UTF-8.
  }
}

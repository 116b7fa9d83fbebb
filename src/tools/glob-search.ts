import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { globTest, splitGlob } from '#lib/glob-pattern.ts';
import { displayPath } from '#lib/paths.ts';
import { defineTool } from '#protocol/tool.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import prose from './glob-search.md';
import { looseInput } from './result/loose-input.ts';
import { aborted, toolError } from './result/tool-error.ts';
import { count, nameOnOneLine, oneLine } from './result/words.ts';
import { listFiles } from './search/list-files.ts';
import { searchStart } from './search/search-folder.ts';

type Input = { pattern: string; path?: string | undefined };

const maxFiles = 100;
/** So many files are looked at for their age before other work gets a turn. */
const statBatch = 1_000;

export const globSearch = defineTool<Input>({
  name: 'glob_search',
  aliases: ['Glob'],
  inputAliases: { glob: 'pattern', directory: 'path', dir_path: 'path' },
  prose,
  input: looseInput({ pattern: toolPath, path: toolPath.optional() }),
  effect: 'read',
  touches: (input, { cwd }) => [{ kind: 'path', path: startOf(input, cwd).folder, access: 'read' }],
  title: (input, { cwd }) =>
    oneLine(input.pattern) +
    (input.path === undefined ? '' : ` in ${displayPath(absolutePath(input.path, cwd), cwd)}`),
  async run(input, ctx) {
    const { folder, rest } = startOf(input, ctx.cwd);
    const start = await searchStart(folder, ctx);
    if ('status' in start) return start;
    await using _ = { [Symbol.asyncDispose]: start.close };
    if (start.kind === 'file')
      return toolError('not_a_folder', `${displayPath(folder, ctx.cwd)} is a file. Search in a folder.`);

    const found: string[] = [];
    const matches = globTest(rest);
    await listFiles(start.at, ctx, (file) => {
      if (matches(file)) found.push(file);
    });
    if (ctx.signal.aborted) return aborted('The search was interrupted.');
    const newest = (await newestFirst(start.at, found)).slice(0, maxFiles);
    const files = newest.map((file) => ({
      path: nameOnOneLine(displayPath(path.join(folder, file), ctx.cwd)),
    }));
    const lines = files.map((file) => file.path);
    if (found.length > newest.length)
      lines.push(
        `[The newest ${newest.length} of ${count(found.length, 'file')}. Narrow the pattern or the path for the others.]`,
      );
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text: lines.length === 0 ? nothingText(input, ctx.cwd) : lines.join('\n') }],
      view: { kind: 'files', files, total: found.length },
      summary: count(found.length, 'file'),
    };
  },
});

function nothingText({ pattern, path: base }: Input, cwd: string): string {
  const named = path.resolve(absolutePath(base ?? '.', cwd), pattern);
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory())
    return `${pattern} is a folder. List it with list_directory, or search in it: ${path.join(pattern, '**')}`;
  return `No file matches ${pattern}. Ignored files (.gitignore) are not searched; bash find sees them.`;
}

/** Walking starts as deep as the pattern allows. */
function startOf({ pattern, path: base }: Input, cwd: string): { folder: string; rest: string } {
  const { folder, rest } = splitGlob(pattern.startsWith('~/') ? absolutePath(pattern, cwd) : pattern);
  const root = absolutePath(base ?? '.', cwd);
  // What was taken off the front had a `/`, so what is left is no longer a name at any depth.
  return { folder: path.resolve(root, folder), rest: folder === '' ? rest : `/${rest}` };
}

async function newestFirst(folder: string, files: readonly string[]): Promise<string[]> {
  const aged: { file: string; time: number }[] = [];
  for (const file of files) {
    aged.push({ file, time: timeOf(path.join(folder, file)) });
    if (aged.length % statBatch === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return aged.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}

function timeOf(file: string): number {
  try {
    return lstatSync(file).mtimeMs;
  } catch {
    return 0; // Gone since it was listed.
  }
}

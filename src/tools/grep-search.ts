import path from 'node:path';
import { z } from 'zod';
import { globTest, splitGlob } from '#lib/glob-pattern.ts';
import { displayPath } from '#lib/paths.ts';
import { scrubSecretFile } from '#lib/secrets.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import prose from './grep-search.md';
import { looseInput } from './result/loose-input.ts';
import { aborted, toolError } from './result/tool-error.ts';
import { count, nameOnOneLine, oneLine } from './result/words.ts';
import { grep } from './search/grep.ts';
import { type GrepFile, type GrepOutcome, type GrepRequest, maxHits } from './search/grep-hits.ts';
import { searchStart } from './search/search-folder.ts';

const modes = ['content', 'files_with_matches', 'count'] as const;

type Input = {
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  context?: number | undefined;
  ignore_case?: boolean | undefined;
  output_mode?: (typeof modes)[number] | undefined;
  limit?: number | undefined;
};

const defaultLimit = 100;
const maxLimit = 1_000;
const maxContext = 20;

export const grepSearch = defineTool<Input>({
  name: 'grep_search',
  aliases: ['Grep'],
  inputAliases: {
    query: 'pattern',
    regex: 'pattern',
    include: 'glob',
    '-i': 'ignore_case',
    '-C': 'context',
    '-A': 'context',
    '-B': 'context',
    head_limit: 'limit',
  },
  prose,
  input: looseInput({
    pattern: z.string().min(1),
    path: toolPath.optional(),
    glob: z.string().optional(),
    context: z.number().optional(),
    ignore_case: z.boolean().optional(),
    output_mode: z.enum(modes).optional(),
    limit: z.number().optional(),
  }),
  effect: 'read',
  touches: (input, { cwd }) => [{ kind: 'path', path: startOf(input, cwd).start, access: 'read' }],
  title: (input, { cwd }) => {
    const place = input.path === undefined ? '' : ` in ${displayPath(absolutePath(input.path, cwd), cwd)}`;
    return `"${oneLine(input.pattern)}"${place}${input.glob ? ` ${oneLine(input.glob)}` : ''}`;
  },
  async run(input, ctx) {
    const { start, rest } = startOf(input, ctx.cwd);
    const held = await searchStart(start, ctx);
    if ('status' in held) return held;
    await using _ = { [Symbol.asyncDispose]: held.close };
    const { kind, at } = held;
    const request: GrepRequest = {
      pattern: input.pattern,
      folder: kind === 'file' ? path.dirname(start) : start,
      file: kind === 'file' ? path.basename(start) : undefined,
      at,
      matches: rest === undefined || kind === 'file' ? () => true : globTest(rest),
      nameGlob: kind === 'file' ? undefined : nameGlobOf(rest),
      context: Math.min(maxContext, Math.max(0, Math.trunc(input.context ?? 0))),
      ignoreCase: input.ignore_case ?? false,
      mode: input.output_mode ?? 'content',
    };
    const outcome = await grep(request, ctx);
    if (ctx.signal.aborted) return aborted('The search was interrupted.');
    if (outcome.kind === 'bad-pattern')
      return toolError(
        'invalid_argument',
        `pattern is no valid regular expression: ${outcome.text.slice(0, 400)}. Escape special characters with \\ to search for them.`,
      );
    const limit = Math.min(maxLimit, Math.max(1, Math.trunc(input.limit ?? defaultLimit)));
    return resultOf(withoutSecrets(outcome, request, ctx), {
      request,
      limit,
      cwd: ctx.cwd,
      hasGlob: rest !== undefined,
    });
  },
});

/** A glob that starts with folders narrows the search to them. Some models give the glob as the path. */
function startOf(input: Input, cwd: string): { start: string; rest: string | undefined } {
  const isPathGlob = !input.glob && input.path?.includes('*') === true;
  const root = absolutePath(isPathGlob ? '.' : (input.path ?? '.'), cwd);
  const glob = isPathGlob ? input.path : input.glob;
  if (!glob) return { start: root, rest: undefined };
  const { folder, rest } = splitGlob(glob);
  return { start: path.resolve(root, folder), rest: folder === '' ? rest : `/${rest}` };
}

/** The last part of a glob, when it says anything about names. */
function nameGlobOf(glob: string | undefined): string | undefined {
  const name = glob?.replace(/^\/+/, '').split('/').at(-1);
  // Braces may hold a `/`, and then the last part is no pattern of its own.
  const isWhole = glob === undefined || !/\{[^}]*\//.test(glob);
  return name === undefined || name === '' || /^\*+$/.test(name) || !isWhole ? undefined : name;
}

/** Lines of a file with secrets are shown only where that file was asked for, and then without them. */
function withoutSecrets(
  outcome: Extract<GrepOutcome, { kind: 'found' }>,
  { folder, file: only }: GrepRequest,
  { services }: ToolContext,
): Extract<GrepOutcome, { kind: 'found' }> {
  const files = outcome.files.map((file) => {
    if (!services.isSecretFile(path.join(folder, file.file))) return file;
    const hide = (text: string) =>
      only === undefined
        ? '[not shown: the file holds secrets; read_file asks for it]'
        : scrubSecretFile(text);
    return { ...file, lines: file.lines.map((line) => ({ ...line, text: hide(line.text) })) };
  });
  return { ...outcome, files };
}

type Presentation = { request: GrepRequest; limit: number; cwd: string; hasGlob: boolean };

function resultOf(outcome: Extract<GrepOutcome, { kind: 'found' }>, shown: Presentation): ToolResult {
  const { files, isStopped } = outcome;
  const { request, limit } = shown;
  const total = files.reduce((sum, file) => sum + file.hits, 0);
  if (files.length === 0) return ok(nothingText(shown), 'no hits');
  const amount = (number: number) => `${number.toLocaleString('en-US')}${isStopped ? '+' : ''}`;
  const summary =
    request.mode === 'files_with_matches'
      ? `${amount(files.length)} ${files.length === 1 ? 'file' : 'files'}`
      : `${amount(total)} ${total === 1 ? 'hit' : 'hits'} in ${count(files.length, 'file')}`;
  const { text, isCut } = request.mode === 'content' ? contentText(files, shown) : listText(files, shown);
  const most = isStopped ? ` The search stopped at ${count(maxHits, 'hit')}.` : '';
  const note =
    isCut || isStopped
      ? `\n[${summary}; the first ${limit} are shown.${most} Narrow pattern, path or glob, or raise limit.]`
      : '';
  return ok(text + note, summary);
}

function ok(text: string, summary: string): ToolResult {
  return { status: 'ok', forModel: [{ kind: 'text', text }], summary };
}

function nothingText({ request, hasGlob, cwd }: Presentation): string {
  const shown = displayPath(path.join(request.folder, request.file ?? ''), cwd);
  const place = shown === '.' ? 'the working folder' : shown;
  const files = hasGlob ? ' in files of this glob' : '';
  return `Nothing matches in ${place}${files}. Binary files and files ignored by git are not searched; do not repeat this search unchanged.`;
}

function nameOf(file: GrepFile, { request, cwd }: Presentation): string {
  return nameOnOneLine(displayPath(path.join(request.folder, file.file), cwd));
}

function listText(files: readonly GrepFile[], shown: Presentation) {
  const lines = files
    .slice(0, shown.limit)
    .map((file) => nameOf(file, shown) + (shown.request.mode === 'count' ? `:${file.hits}` : ''));
  return { text: lines.join('\n'), isCut: files.length > lines.length };
}

/** File names as headings, `12:` before hits and `12-` before context, `--` between places. */
function contentText(files: readonly GrepFile[], shown: Presentation) {
  const blocks: string[] = [];
  let room = shown.limit;
  let isCut = false;
  for (const file of files) {
    if (room === 0) {
      isCut = true;
      break;
    }
    const rows: string[] = [];
    let previous: number | undefined;
    for (const line of file.lines) {
      if (room === 0 && line.isHit) {
        isCut = true;
        break;
      }
      if (shown.request.context > 0 && previous !== undefined && line.number > previous + 1) rows.push('--');
      rows.push(`${line.number}${line.isHit ? ':' : '-'}${line.text}`);
      previous = line.number;
      if (line.isHit) room -= 1;
    }
    blocks.push(`${nameOf(file, shown)}\n${rows.join('\n')}`);
  }
  return { text: blocks.join('\n\n'), isCut };
}

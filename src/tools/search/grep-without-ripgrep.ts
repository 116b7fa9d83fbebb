import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '#lib/regular-file.ts';
import { decodeText } from '#lib/text-file.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { createHits, type GrepOutcome, type GrepRequest, maxLineChars, spansLines } from './grep-hits.ts';
import { walkFiles } from './walk.ts';

const maxFileBytes = 10_000_000;

/** The same search in JavaScript, for platforms without the ripgrep binary. Slower, and with JavaScript's syntax. */
export async function grepWithoutRipgrep(request: GrepRequest, ctx: ToolContext): Promise<GrepOutcome> {
  const expression = compile(request);
  if (typeof expression === 'string') return { kind: 'bad-pattern', text: expression };
  const hits = createHits(request.matches);
  const real = await realpath(request.at);
  const files = request.file === undefined ? walkFiles(real, ctx.signal) : [request.file];
  for await (const file of files) {
    if (ctx.signal.aborted) break;
    if (!request.matches(file)) continue;
    const text = await textOf(request.file === undefined ? path.join(real, file) : real);
    if (text !== undefined && addHits({ file, text, expression, request, add: hits.add })) break;
  }
  return hits.found();
}

function compile({ pattern, ignoreCase }: GrepRequest): RegExp | string {
  try {
    return new RegExp(pattern, ignoreCase ? 'gim' : 'gm');
  } catch (error) {
    return String(error);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  const content = await readRegularFile(file, { maxBytes: maxFileBytes, real: file });
  if ('kind' in content) return undefined;
  const decoded = decodeText(content.bytes);
  return 'text' in decoded ? decoded.text : undefined;
}

type FileSearch = {
  file: string;
  text: string;
  expression: RegExp;
  request: GrepRequest;
  add: ReturnType<typeof createHits>['add'];
};

function addHits({ file, text, expression, request, add }: FileSearch): boolean {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hitLines = spansLines(request.pattern)
    ? linesOfMatches(lines.join('\n'), expression)
    : lines.flatMap((line, index) => (isHit(line, expression) ? [index] : []));
  if (hitLines.length === 0) return false;
  if (request.mode === 'files_with_matches') return add(file, 1);
  if (request.mode === 'count') return add(file, hitLines.length);
  const shown = new Set(
    hitLines.flatMap((index) =>
      Array.from({ length: request.context * 2 + 1 }, (_, at) => index - request.context + at),
    ),
  );
  const hits = new Set(hitLines);
  for (const index of [...shown].sort((a, b) => a - b)) {
    const line = lines[index];
    if (line === undefined) continue;
    const cut = line.length > maxLineChars ? `${line.slice(0, maxLineChars)} [... line cut]` : line;
    if (add(file, { number: index + 1, text: cut, isHit: hits.has(index) })) return true;
  }
  return false;
}

function isHit(line: string, expression: RegExp): boolean {
  expression.lastIndex = 0;
  return expression.test(line);
}

function linesOfMatches(text: string, expression: RegExp): number[] {
  const found = new Set<number>();
  for (const match of text.matchAll(expression)) {
    const first = text.slice(0, match.index).split('\n').length - 1;
    for (let at = 0; at < match[0].split('\n').length; at += 1) found.add(first + at);
  }
  return [...found];
}

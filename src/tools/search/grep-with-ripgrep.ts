import path from 'node:path';
import type { ToolContext } from '#protocol/tool.ts';
import { createHits, type GrepOutcome, type GrepRequest, maxLineChars, spansLines } from './grep-hits.ts';
import { runRipgrep, withoutDot } from './ripgrep.ts';

/** undefined when the program could not be started. */
export async function grepWithRipgrep(
  program: string,
  request: GrepRequest,
  ctx: ToolContext,
): Promise<GrepOutcome | undefined> {
  const hits = createHits(request.matches);
  // A file is named to ripgrep by where it was opened.
  const nameOf = (text: string) => request.file ?? withoutDot(text);
  const parser = createParser(request.mode, (file, line) => hits.add(nameOf(file), line));
  const end = await runRipgrep({
    program,
    args: argumentsOf(request),
    folder: request.file === undefined ? request.at : path.parse(request.folder).root,
    ctx,
    onText: parser.push,
  });
  if (end.cause === 'not-started') return undefined;
  const hasFailed = end.exitCode === 2 && end.stderr !== '';
  return hasFailed ? { kind: 'bad-pattern', text: complaintOf(end.stderr) } : hits.found();
}

/** Both engines explain a bad pattern over a dozen lines; what the first one finds is enough. */
function complaintOf(stderr: string): string {
  return /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr.trim();
}

function argumentsOf({ pattern, file, at, nameGlob, context, ignoreCase, mode }: GrepRequest): string[] {
  const modeArguments = {
    content: [
      '--line-number',
      '--no-heading',
      `--context=${context}`,
      `--max-columns=${maxLineChars}`,
      '--max-columns-preview',
    ],
    files_with_matches: ['--files-with-matches'],
    count: ['--count'],
  }[mode];
  return [
    ...modeArguments,
    '--with-filename',
    '--engine=auto',
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(spansLines(pattern) ? ['--multiline'] : []),
    ...(nameGlob === undefined ? [] : [`--type-add=wanted:${nameGlob}`, '--type=wanted']),
    `--regexp=${pattern}`,
    '--',
    file === undefined ? '.' : at,
  ];
}

/** Records are `path NUL rest newline`; a path may hold a newline itself. */
function createParser(mode: GrepRequest['mode'], add: ReturnType<typeof createHits>['add']) {
  let rest = '';
  let isEnough = false;
  const read = (file: string, text: string) => {
    if (mode === 'files_with_matches') isEnough = add(file, 1);
    else if (mode === 'count') isEnough = add(file, Number(text));
    else {
      const [, number, separator, line] = /^(\d+)([:-])(.*)$/s.exec(text) ?? [];
      if (number === undefined) return;
      const clean = (line ?? '').replace(/\r$/, '');
      isEnough = add(file, { number: Number(number), text: clean, isHit: separator === ':' });
    }
  };
  const push = (text: string): boolean => {
    rest += text;
    let start = 0;
    while (!isEnough) {
      start += betweenRecords.exec(rest.slice(start, start + 500))?.[0].length ?? 0;
      const zero = rest.indexOf('\0', start);
      if (zero === -1) break;
      const end = mode === 'files_with_matches' ? zero : rest.indexOf('\n', zero);
      if (end === -1) break;
      read(rest.slice(start, zero), rest.slice(zero + 1, end));
      start = end + 1;
    }
    rest = rest.slice(start);
    return isEnough;
  };
  return { push };
}

/** What ripgrep prints that is no record. Paths begin with `./`. */
const betweenRecords = /^(--\n|[^\0\n]*: binary file matches \([^\n]*\)\n)+/;

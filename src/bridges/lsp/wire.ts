import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { CodePlace, CodeProblem, CodeSymbol } from '#protocol/languages.ts';

const positionSchema = z.object({ line: z.number().int().min(0), character: z.number().int().min(0) });
const rangeSchema = z.object({ start: positionSchema });
const locationSchema = z.object({ uri: z.string(), range: rangeSchema });
const linkSchema = z.object({ targetUri: z.string(), targetSelectionRange: rangeSchema });
const symbolSchema = z.object({
  name: z.string(),
  kind: z.number(),
  containerName: z.string().optional(),
  location: locationSchema.optional(),
  selectionRange: rangeSchema.optional(),
  children: z.array(z.unknown()).optional(),
});
const problemSchema = z.object({
  range: rangeSchema,
  severity: z.number().optional(),
  message: z.string(),
  source: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
});
export const publishedSchema = z.object({
  uri: z.string(),
  version: z.number().nullish(),
  diagnostics: z.array(z.unknown()),
});

/** What one answer may hold; a server that lists more is cut. */
const maxItems = 5_000;
const maxDepth = 20;
const maxTextChars = 2_000;
const severities = ['error', 'warning', 'info', 'hint'] as const;
const kinds: Readonly<Record<number, string>> = {
  ...{ 1: 'file', 2: 'module', 3: 'namespace', 4: 'package', 5: 'class', 6: 'method', 7: 'property' },
  ...{ 8: 'field', 9: 'constructor', 10: 'enum', 11: 'interface', 12: 'function', 13: 'variable' },
  ...{ 14: 'constant', 22: 'enum member', 23: 'struct', 24: 'event', 25: 'operator', 26: 'type' },
};

/** The places in an answer to definition or references; what is no place is left out. */
export function placesIn(answer: unknown): CodePlace[] {
  const places = listOf(answer).flatMap((item) => {
    const link = linkSchema.safeParse(item).data;
    if (link) return placeOf(link.targetUri, link.targetSelectionRange);
    const location = locationSchema.safeParse(item).data;
    return location ? placeOf(location.uri, location.range) : [];
  });
  const byText = new Map(places.map((place) => [`${place.file}:${place.line}:${place.column}`, place]));
  return [...byText.values()];
}

/** The symbols in an answer, also those inside of others. `file` is where those without a place of their own stand. */
export function symbolsIn(answer: unknown, file?: string): CodeSymbol[] {
  const found: CodeSymbol[] = [];
  const visit = (items: readonly unknown[], container: string | undefined, depth: number) => {
    for (const item of items) {
      const symbol = symbolSchema.safeParse(item).data;
      if (!symbol || found.length >= maxItems) continue;
      const own = symbol.selectionRange && file !== undefined ? [placeIn(file, symbol.selectionRange)] : [];
      const [place] = symbol.location ? placeOf(symbol.location.uri, symbol.location.range) : own;
      const kind = kinds[symbol.kind] ?? 'symbol';
      if (place)
        found.push({ ...place, name: cut(symbol.name), kind, container: symbol.containerName ?? container });
      if (depth < maxDepth) visit(symbol.children ?? [], symbol.name, depth + 1);
    }
  };
  visit(listOf(answer), undefined, 0);
  return found;
}

export function problemsIn(items: readonly unknown[]): CodeProblem[] {
  return items.slice(0, maxItems).flatMap((item) => {
    const problem = problemSchema.safeParse(item).data;
    if (!problem) return [];
    const { range, severity = 1, message, source, code } = problem;
    return {
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: severities[severity - 1] ?? 'hint',
      text: cut(message),
      source: [source, code].filter((part) => part !== undefined).join(' '),
    };
  });
}

/** undefined for what is no file, e.g. a part of an archive. */
export function fileOfUri(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function placeOf(uri: string, range: z.infer<typeof rangeSchema>): CodePlace[] {
  const file = fileOfUri(uri);
  return file === undefined ? [] : [placeIn(file, range)];
}

function placeIn(file: string, { start }: z.infer<typeof rangeSchema>): CodePlace {
  return { file, line: start.line + 1, column: start.character + 1 };
}

function listOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer.slice(0, maxItems);
  return answer === null || answer === undefined ? [] : [answer];
}

function cut(text: string): string {
  return text.length > maxTextChars ? `${text.slice(0, maxTextChars).toWellFormed()}…` : text;
}

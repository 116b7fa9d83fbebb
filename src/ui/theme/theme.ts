import { errorText, LlmcodeError } from '#lib/errors.ts';
import { nearestName } from '#lib/nearest.ts';
import { baseStyles } from './base-styles.ts';
import type { ColorLevel } from './color-level.ts';
import { type CompiledStyle, compileStyle, isNamedStyle, parseStyle, type StyleSpec } from './style-spec.ts';
import { type ThemeToken, themeTokens } from './tokens.ts';

/** A theme made ready for one terminal. `id` stands for content and colour level, so it can stand in cache keys. */
export type Theme = {
  readonly id: string;
  readonly name: string;
  readonly appearance: 'dark' | 'light';
  readonly colorLevel: ColorLevel;
  readonly styles: Readonly<Record<ThemeToken, CompiledStyle>>;
};

/**
 * Reads a theme file. A token that it leaves out takes the base style (ANSI 16 colours), so a small file of one's
 * own is enough. Throws `theme-invalid` with the entry that cannot be read, its line, and a caret under it.
 */
export function loadTheme(json: string, options: { colorLevel: ColorLevel }): Theme {
  const file = parseThemeFile(json);
  return makeTheme(file, { colorLevel: options.colorLevel, version: versionOf(json) });
}

/** The theme that needs no file: base styles only. */
export function fallbackTheme(options: { colorLevel: ColorLevel }): Theme {
  const { colorLevel } = options;
  return makeTheme({ name: 'base', appearance: 'dark', colors: {} }, { colorLevel, version: 0 });
}

type ThemeFile = {
  name: string;
  appearance: 'dark' | 'light';
  /** The background that the colours were chosen for. */
  background?: string;
  colors: Partial<Record<ThemeToken, StyleSpec>>;
};

/** The file with every style parsed. */
export function parseThemeFile(json: string): ThemeFile {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw invalid('The theme is not valid JSON', { json, offset: offsetIn(cause), cause });
  }
  if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['colors']))
    throw invalid('A theme needs "name" (text) and "colors" (token to style)', { json });
  const colors: Partial<Record<ThemeToken, StyleSpec>> = {};
  for (const [token, text] of Object.entries(value['colors'])) {
    const offset = json.indexOf(JSON.stringify(token), json.indexOf('"colors"'));
    if (!isToken(token)) {
      const near = nearestName(token, themeTokens);
      const hint = near ? `; did you mean "${near}"?` : '';
      throw invalid(`The theme has an unknown token "${token}"${hint}`, { json, offset });
    }
    const style = typeof text === 'string' ? parseStyle(text) : undefined;
    if (!style) {
      const what = `The theme's "${token}" is no style: ${JSON.stringify(text)}`;
      const how = 'write "[color] [on color] [bold …]" with #rrggbb, a name such as bright-blue, or default';
      throw invalid(`${what}; ${how}`, { json, offset });
    }
    colors[token] = style;
  }
  const { background } = value;
  return {
    name: value['name'],
    appearance: value['appearance'] === 'light' ? 'light' : 'dark',
    ...(typeof background === 'string' ? { background } : {}),
    colors,
  };
}

/** Where the parser stopped; it says so in its message. */
function offsetIn(error: unknown): number | undefined {
  const place = /at position (\d+)/.exec(errorText(error))?.[1];
  return place === undefined ? undefined : Number(place);
}

/** The line of the place with a caret below it, cut to what a notice can show. */
function invalid(
  what: string,
  { json, offset = -1, cause }: { json: string; offset?: number | undefined; cause?: unknown },
): LlmcodeError {
  const sentence = what.endsWith('?') ? what : `${what}.`;
  if (offset < 0) return new LlmcodeError('theme-invalid', sentence, { cause });
  const before = json.slice(0, offset).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = json.split('\n')[before.length - 1] ?? '';
  const from = Math.max(0, column - 30);
  const shown = line
    .slice(from, from + 70)
    .replaceAll('\t', ' ')
    .trimEnd();
  const caret = `${' '.repeat(column - from)}^`;
  const text = `${sentence}\n\n\`\`\`\nline ${before.length}\n${shown}\n${caret}\n\`\`\``;
  return new LlmcodeError('theme-invalid', text, { cause });
}

const versions = new Map<string, number>();

/** The same number for the same text: rows that were drawn with an earlier state of a file are not taken again. */
function versionOf(json: string): number {
  const version = versions.get(json) ?? versions.size + 1;
  versions.set(json, version);
  return version;
}

function makeTheme(
  file: ThemeFile,
  { colorLevel, version }: { colorLevel: ColorLevel; version: number },
): Theme {
  const styles: Partial<Record<ThemeToken, CompiledStyle>> = {};
  for (const token of themeTokens) {
    const own = file.colors[token];
    // Sixteen colours are the terminal's own choice: what a theme mixed itself has no good neighbour among them.
    const isUsable = own && (colorLevel !== 'ansi16' || isNamedStyle(own));
    styles[token] = compileStyle(isUsable ? own : baseStyles[token], { token, colorLevel });
  }
  return {
    id: `${file.name}#${version}:${colorLevel}`,
    name: file.name,
    appearance: file.appearance,
    colorLevel,
    styles: styles as Record<ThemeToken, CompiledStyle>,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isToken(text: string): text is ThemeToken {
  return (themeTokens as readonly string[]).includes(text);
}

import { LlmcodeError } from '#lib/errors.ts';
import { baseStyles } from './base-styles.ts';
import type { ColorLevel } from './color-level.ts';
import { type CompiledStyle, compileStyle, isNamedStyle, parseStyle, type StyleSpec } from './style-spec.ts';
import { type ThemeToken, themeTokens } from './tokens.ts';

/** A theme made ready for one terminal. `id` names the colour level too, so it can stand in cache keys. */
export type Theme = {
  readonly id: string;
  readonly name: string;
  readonly appearance: 'dark' | 'light';
  readonly colorLevel: ColorLevel;
  readonly styles: Readonly<Record<ThemeToken, CompiledStyle>>;
};

/**
 * Reads a theme file. A token that it leaves out takes the base style (ANSI 16 colours), so a small file of one's
 * own is enough. Throws `theme-invalid` and names the entry that cannot be read.
 */
export function loadTheme(json: string, options: { colorLevel: ColorLevel }): Theme {
  const file = parseThemeFile(json);
  return makeTheme(file, options.colorLevel);
}

/** The theme that needs no file: base styles only. */
export function fallbackTheme(options: { colorLevel: ColorLevel }): Theme {
  return makeTheme({ name: 'base', appearance: 'dark', colors: {} }, options.colorLevel);
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
    throw new LlmcodeError('theme-invalid', 'The theme is not valid JSON.', { cause });
  }
  if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['colors']))
    throw new LlmcodeError('theme-invalid', 'A theme needs "name" (text) and "colors" (token to style).');
  const colors: Partial<Record<ThemeToken, StyleSpec>> = {};
  for (const [token, text] of Object.entries(value['colors'])) {
    const style = typeof text === 'string' ? parseStyle(text) : undefined;
    if (!isToken(token))
      throw new LlmcodeError('theme-invalid', `The theme has an unknown token "${token}".`);
    if (!style)
      throw new LlmcodeError('theme-invalid', `The theme's "${token}" is no style: ${String(text)}.`);
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

function makeTheme(file: ThemeFile, colorLevel: ColorLevel): Theme {
  const styles: Partial<Record<ThemeToken, CompiledStyle>> = {};
  for (const token of themeTokens) {
    const own = file.colors[token];
    // Sixteen colours are the terminal's own choice: what a theme mixed itself has no good neighbour among them.
    const isUsable = own && (colorLevel !== 'ansi16' || isNamedStyle(own));
    styles[token] = compileStyle(isUsable ? own : baseStyles[token], { token, colorLevel });
  }
  return {
    id: `${file.name}:${colorLevel}`,
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

import type { ColorLevel } from './color-level.ts';
import type { ThemeToken } from './tokens.ts';

export type StyleAttribute = 'bold' | 'faint' | 'italic' | 'underline' | 'inverse' | 'strike';

/** A style as a theme file writes it: `[color] [on color] [attributes]`, e.g. `#a6e3a1 on #1f3a2a bold`. */
export type StyleSpec = {
  foreground?: string;
  background?: string;
  attributes: readonly StyleAttribute[];
};

/** A style made ready for one terminal. `open` and `close` frame the text; both may be empty. */
export type CompiledStyle = { readonly open: string; readonly close: string };

const ansiNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const brightNames = ansiNames.map((name) => `bright-${name}`);
const colorNames = [...ansiNames, ...brightNames];

const attributeCodes: Readonly<Record<StyleAttribute, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  faint: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strike: [9, 29],
};

/** Without colours these still tell apart what must be told apart. */
const colorlessAttributes: Partial<Record<ThemeToken, StyleAttribute>> = {
  dim: 'faint',
  reasoning: 'faint',
  lineNumber: 'faint',
  codeComment: 'faint',
  border: 'faint',
  meterEmpty: 'faint',
  accent: 'bold',
  heading: 'bold',
  strong: 'bold',
  error: 'bold',
  warning: 'bold',
  borderFocus: 'bold',
  selection: 'inverse',
  diffAddedWord: 'underline',
  diffRemovedWord: 'underline',
  link: 'underline',
};

/** Returns undefined for what is no style. An empty text and `default` are the terminal's own colours. */
export function parseStyle(text: string): StyleSpec | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '' && word !== 'default');
  const attributes: StyleAttribute[] = [];
  let foreground: string | undefined;
  let background: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (isAttribute(word)) {
      attributes.push(word);
    } else if (word === 'on') {
      index += 1;
      const color = words[index];
      if (color === undefined || !isColor(color)) return undefined;
      background = color;
    } else if (isColor(word) && foreground === undefined) {
      foreground = word;
    } else {
      return undefined;
    }
  }
  return {
    ...(foreground === undefined ? {} : { foreground }),
    ...(background === undefined ? {} : { background }),
    attributes,
  };
}

/** True when a terminal with the 16 named colours can show it as it is meant. */
export function isNamedStyle({ foreground, background }: StyleSpec): boolean {
  return !foreground?.startsWith('#') && !background?.startsWith('#');
}

export function compileStyle(
  style: StyleSpec,
  { token, colorLevel }: { token: ThemeToken; colorLevel: ColorLevel },
): CompiledStyle {
  const on: (string | number)[] = [];
  const off: number[] = [];
  const attributes = new Set(style.attributes);
  if (colorLevel === 'none') {
    const extra = colorlessAttributes[token];
    if (extra) attributes.add(extra);
  } else {
    if (style.foreground) {
      on.push(colorCode(style.foreground, colorLevel, 'foreground'));
      off.push(39);
    }
    if (style.background) {
      on.push(colorCode(style.background, colorLevel, 'background'));
      off.push(49);
    }
  }
  for (const attribute of attributes) {
    on.push(attributeCodes[attribute][0]);
    off.push(attributeCodes[attribute][1]);
  }
  return { open: sequence(on), close: sequence(off.reverse()) };
}

/** Turns attributes on and off around a text that is already painted. */
export function attributeSequence(attribute: StyleAttribute): { open: string; close: string } {
  const [on, off] = attributeCodes[attribute];
  return { open: sequence([on]), close: sequence([off]) };
}

/** Red, green, blue from 0 to 255 of a `#rrggbb` colour. */
export function parseHex(color: string): readonly [number, number, number] | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) return undefined;
  const [, red = '', green = '', blue = ''] = match;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function sequence(codes: readonly (string | number)[]): string {
  return codes.length === 0 ? '' : `\x1b[${codes.join(';')}m`;
}

function isAttribute(word: string): word is StyleAttribute {
  return Object.hasOwn(attributeCodes, word);
}

function isColor(word: string): boolean {
  return colorNames.includes(word) || parseHex(word) !== undefined;
}

function colorCode(color: string, level: ColorLevel, side: 'foreground' | 'background'): string | number {
  const shift = side === 'background' ? 10 : 0;
  const named = colorNames.indexOf(color);
  if (named >= 0) return shift + (named < 8 ? 30 + named : 90 + named - 8);
  const rgb = parseHex(color) ?? [128, 128, 128];
  return level === 'truecolor' ? `${38 + shift};2;${rgb.join(';')}` : `${38 + shift};5;${nearest256(rgb)}`;
}

function nearest256(rgb: readonly [number, number, number]): number {
  const [red, green, blue] = rgb;
  const steps = [0, 95, 135, 175, 215, 255];
  const level = (value: number) =>
    steps.reduce(
      (best, step, index) => (Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value) ? index : best),
      0,
    );
  const cube = [level(red), level(green), level(blue)] as const;
  const cubeColor = [steps[cube[0]] ?? 0, steps[cube[1]] ?? 0, steps[cube[2]] ?? 0] as const;
  const gray = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const grayValue = 8 + gray * 10;
  const isGrayCloser = distance(rgb, [grayValue, grayValue, grayValue]) < distance(rgb, cubeColor);
  return isGrayCloser ? 232 + gray : 16 + cube[0] * 36 + cube[1] * 6 + cube[2];
}

function distance(a: readonly [number, number, number], b: readonly [number, number, number]): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

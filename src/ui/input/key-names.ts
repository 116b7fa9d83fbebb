/** A key as the keymap writes it, or what is wrong with it. `warning`: it works, but not everywhere. */
export type NamedKey = { readonly name: string; readonly warning?: string } | { readonly problem: string };

const aliases: Readonly<Partial<Record<string, string>>> = {
  esc: 'escape',
  return: 'enter',
  cr: 'enter',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  del: 'delete',
  bs: 'backspace',
  spc: 'space',
  plus: '+',
};

const modifiers: Readonly<Partial<Record<string, 'ctrl' | 'alt' | 'shift'>>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  c: 'ctrl',
  alt: 'alt',
  option: 'alt',
  opt: 'alt',
  meta: 'alt',
  shift: 'shift',
};

export const keyNames = [
  'enter',
  'escape',
  'tab',
  'backspace',
  'delete',
  'space',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'pageup',
  'pagedown',
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
];

/** What most terminals send for a key with Ctrl is what they send for another key. */
const sameAs: Readonly<Partial<Record<string, string>>> = {
  'ctrl+i': 'tab',
  'ctrl+m': 'enter',
  'ctrl+[': 'escape',
};

/** Reads `Ctrl+Shift+Z`, `esc`, `C-x`; the order of the modifiers is free. */
export function readKey(text: string): NamedKey {
  const parts = splitParts(text.trim().toLowerCase());
  const last = parts.at(-1) ?? '';
  const held = new Set<string>();
  for (const part of parts.slice(0, -1)) {
    const modifier = modifiers[part];
    if (!modifier) return { problem: `"${part}" cannot be held down in a terminal; ctrl, alt and shift can` };
    held.add(modifier);
  }
  const key = aliases[last] ?? last;
  const isCharacter = [...key].length === 1 && key !== ' ';
  if (!isCharacter && !keyNames.includes(key)) return { problem: `there is no key "${last}"` };
  const name =
    ['ctrl', 'alt', 'shift']
      .filter((each) => held.has(each))
      .map((each) => `${each}+`)
      .join('') + key;
  const warning = warningOf(name, held);
  return warning === undefined ? { name } : { name, warning };
}

/** True for what only stands in the text: it is never a key of a command by itself. */
export function typesText(name: string): boolean {
  const key = name.replace(/^shift\+/, '');
  return [...key].length === 1 || key === 'space';
}

function warningOf(name: string, held: ReadonlySet<string>): string | undefined {
  const same = sameAs[name];
  if (same) return `most terminals send ${same} for ${name}, so it works only where the two are told apart`;
  if (held.has('ctrl') && held.has('shift') && /\+[a-z]$/.test(name))
    return `most terminals send ${name.replace('shift+', '')} for ${name}, so it works only where the two are told apart`;
  return undefined;
}

/** `ctrl++` ends in a plus; `C-x` is the other way to write it. */
function splitParts(text: string): string[] {
  const plus = /^[a-z]-./.test(text) ? text.replaceAll(/([a-z])-(?=.)/g, '$1+') : text;
  if (plus === '+') return ['+'];
  return plus.endsWith('++') ? [...plus.slice(0, -2).split('+'), '+'] : plus.split('+');
}

/** `ctrl+left` as `Ctrl+←`; the keys of a chord one after the other. */
export function keyLabel(name: string): string {
  return name.split(' ').map(oneKey).join(' ');
}

function oneKey(name: string): string {
  const parts = name.endsWith('+') ? [...name.slice(0, -2).split('+'), '+'] : name.split('+');
  return parts
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : capital(part)))
    .join('+');
}

const names: Readonly<Partial<Record<string, string>>> = {
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

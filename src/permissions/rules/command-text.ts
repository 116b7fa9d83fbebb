import type { ShellWord } from '../shell/words.ts';

/**
 * Words in one spelling whatever their quoting was, so that a rule and a command compare as text. A word that is
 * known only at run time stands for itself.
 */
export function commandText(words: readonly ShellWord[]): string {
  return words.map(spell).join(' ');
}

export function spell(word: ShellWord): string {
  return word.kind === 'literal' ? spellLiteral(word.value) : word.source;
}

function spellLiteral(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

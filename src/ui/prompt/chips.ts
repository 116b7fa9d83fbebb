import { chipCharacter, chipCharacters } from './text-units.ts';

/** A folded paste: one character in the text stands for all of it. `label` is plain ASCII, so its length is its width. */
type Chip = { readonly text: string; readonly label: string };
/** By chip character; entries are never taken out, so that undo finds them. */
export type Chips = ReadonlyMap<string, Chip>;

const pasteLimit = { lines: 5, characters: 800 };
/** A recalled prompt was written here before, so only a huge one is folded. */
const recallLimit = { lines: 200, characters: 20_000 };

export function isBigPaste(text: string): boolean {
  return text.length > pasteLimit.characters || countLines(text) > pasteLimit.lines;
}

export function isBigRecall(text: string): boolean {
  return text.length > recallLimit.characters || countLines(text) > recallLimit.lines;
}

/** Keeps a text under a new chip character. */
export function addChip(chips: Chips, text: string): { chips: Chips; character: string } {
  const character = chipCharacter(chips.size);
  const lines = countLines(text);
  const amount = lines > 1 ? `${grouped(lines)} lines` : `${grouped(text.length)} characters`;
  return { chips: new Map(chips).set(character, { text, label: `[pasted ${amount}]` }), character };
}

/** The text with every chip replaced by what it stands for. */
export function expandChips(text: string, chips: Chips): string {
  return text.replaceAll(chipCharacters, (character) => chips.get(character)?.text ?? '');
}

/** The chip of a grapheme, cut to `width` cells. */
export function chipLabel(chips: Chips, grapheme: string, width: number): string {
  const label = chips.get(String.fromCodePoint(grapheme.codePointAt(0) ?? 0))?.label ?? '[?]';
  return label.length <= width ? label : `${label.slice(0, Math.max(0, width - 1))}]`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines += 1;
  return lines;
}

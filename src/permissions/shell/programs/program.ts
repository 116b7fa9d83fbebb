import { type OptionTable, type ParsedArguments, type Refusal, readArguments } from '../argv.ts';
import type { ShellWord } from '../words.ts';

/**
 * Known to only read, and which files and folders its arguments name; or why that cannot be told. `asksRepository`:
 * as long as the settings of the repository it runs in name no program for it.
 */
export type ReadVerdict = { reads: readonly ShellWord[]; asksRepository?: true } | Refusal;

/** A program that can be told to only read by its arguments. `args` does not hold its name. */
export type Program = { names: readonly string[]; judge(args: readonly ShellWord[]): ReadVerdict };

type Operands =
  /** Files or folders that are read; at most `max` of them, because one more would be an output file. */
  | { kind: 'paths'; max?: number }
  /** Plain text: the first `texts` of them, the rest are paths. */
  | { kind: 'texts'; texts?: number }
  | { kind: 'none' };

/** A program for which a table of options and the meaning of its operands say everything. */
export function program(
  names: readonly string[],
  table: OptionTable,
  operands: Operands,
  check: (parsed: ParsedArguments) => Refusal | undefined = () => undefined,
): Program {
  return {
    names,
    judge(args) {
      const parsed = readArguments(args, table);
      if ('check' in parsed) return parsed;
      const refusal = check(parsed) ?? tooMany(parsed.operands, operands);
      if (refusal) return refusal;
      const named = pathOperands(parsed.operands, operands);
      const reads = [...parsed.files, ...named.filter((word) => word.source !== '-')];
      return { reads: table.hidesText ? reads.map(withoutText) : reads };
    },
  };
}

/** The files are looked at, but what is in them is not shown. */
export function withoutText(word: ShellWord): ShellWord {
  return word.kind === 'glob' && word.tree ? { ...word, tree: { ...word.tree, isHidden: true } } : word;
}

function tooMany(words: readonly ShellWord[], operands: Operands): Refusal | undefined {
  const max = operands.kind === 'none' ? 0 : operands.kind === 'paths' ? operands.max : undefined;
  if (max === undefined) return undefined;
  // A pattern may become more than one operand.
  const extra =
    words[max] ?? (max > 0 ? words.find((word) => word.kind === 'glob' && !word.isSingle) : undefined);
  return extra && { check: 'option', source: extra.source };
}

function pathOperands(words: readonly ShellWord[], operands: Operands): readonly ShellWord[] {
  switch (operands.kind) {
    case 'paths':
      return words;
    case 'texts':
      return operands.texts === undefined ? [] : words.slice(operands.texts);
    case 'none':
      return [];
  }
}

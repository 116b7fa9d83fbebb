import type { Option } from 'commander';
import { subcommandNames } from './subcommand-names.ts';

/**
 * The command line with its subcommand in front, options that stood before it behind; undefined when it has none. A
 * word behind `-p` or `--` is a prompt, whatever it is called.
 */
export function withSubcommandFirst(
  argv: readonly string[],
  options: readonly Option[],
): readonly string[] | undefined {
  const at = firstOperand(argv, options);
  const name = argv[at];
  if (name === undefined || !subcommandNames.some((known) => known === name)) return undefined;
  const before = argv.slice(0, at);
  if (before.some((word) => word === '-p' || word === '--print')) return undefined;
  const after = argv.slice(at + 1);
  const end = after.includes('--') ? after.indexOf('--') : after.length;
  return [name, ...after.slice(0, end), ...before, ...after.slice(end)];
}

/** Where the first word stands that is neither an option nor the value of one; the length when there is none. */
function firstOperand(argv: readonly string[], options: readonly Option[]): number {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return argv.length;
    if (!word.startsWith('-') || word === '-') return at;
    const option = options.find(({ short, long }) => short === word || long === word);
    const next = argv[at + 1];
    const takesNext = option?.required || (option?.optional && next !== undefined && !next.startsWith('-'));
    if (takesNext) at += 1;
  }
  return argv.length;
}

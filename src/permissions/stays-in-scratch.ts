import type { CallPart } from './parts.ts';
import type { CommandPart } from './shell/analysis.ts';
import { literalWord, wordText } from './shell/words.ts';
import { wordList } from './word-list.ts';

const fileCommands = new Set(wordList('mkdir touch tee cp mv rm rmdir unlink truncate'));
/** Why such a command is not plainly read-only; for any other reason it is asked for. */
const plainChecks: ReadonlySet<string> = new Set(['unknown-program', 'rm-rf']);

/** True for a plain command that changes files, every one of them in the thread's folder for temporary files. */
export function staysInScratch(
  { layers, nested, refusals }: CommandPart,
  touched: readonly CallPart[],
): boolean {
  const [words = []] = layers;
  if (layers.length !== 1 || nested || !fileCommands.has(wordText(words[0] ?? literalWord('')))) return false;
  if (words.some(({ kind }) => kind !== 'literal')) return false;
  if (!refusals.every(({ check }) => plainChecks.has(check))) return false;
  const writes = touched.filter((part) => part.kind === 'path' && part.use.access === 'write');
  return (
    writes.length > 0 && writes.every((part) => part.kind === 'path' && part.verdict.level === 'scratch')
  );
}

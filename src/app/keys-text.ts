import { codeName } from '#lib/quote.ts';
import { cleanName } from '#lib/terminal-text.ts';
import type { KeyBindings } from '#protocol/key-bindings.ts';
import { describe } from '#ui/input/actions.ts';
import { type AppliedKeys, applyBindings } from '#ui/input/apply-bindings.ts';
import { keyLabel } from '#ui/input/key-label.ts';
import { type KeyCommand, type KeyContext, keyContexts } from '#ui/input/keymap.ts';

const mostProblems = 12;

/** What of the key files does not work, as Markdown; empty when all does. */
export function keyProblemText(bindings: KeyBindings): string {
  return problemText(applyBindings(bindings).problems);
}

/** The keys as they work, by where they do, each with the file and line that says so. */
export function keysText(bindings: KeyBindings, file: string): string {
  const applied = applyBindings(bindings);
  const tables = keyContexts.map((context) => `**${context}**\n\n${table(applied, context)}`);
  const own = applied.origins.size === 0 ? ' There are no keys of your own yet.' : '';
  const how = `Your own keys go into ${codeName(file)}; it is read again when it changes.${own}`;
  return [...tables, how, problemText(applied.problems)].filter((part) => part !== '').join('\n\n');
}

function problemText(problems: readonly string[]): string {
  if (problems.length === 0) return '';
  const shown = problems.slice(0, mostProblems).map((problem) => `- ${escaped(cleanName(problem))}`);
  const more = problems.length - shown.length;
  const rest = more > 0 ? [`- … and ${more} more`] : [];
  return ['These lines of your key files do not work; the others do:', ...shown, ...rest].join('\n');
}

function table({ keymap, origins }: AppliedKeys, context: KeyContext): string {
  const byCommand = Map.groupBy(Object.entries(keymap[context]), ([, command]) => command);
  const rows = [...byCommand].map(([command, entries]) => {
    const keys = entries.map(([key]) => key);
    const from = keys.flatMap((key) => origins.get(`${context} ${key}`) ?? []);
    return `| ${keys.map((key) => cellCode(keyLabel(key))).join(' ')} | ${cellCode(command)} | ${does(command)} | ${from.map(escaped).join(' ')} |`;
  });
  return ['| key | action | does | from |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function does(command: KeyCommand): string {
  return escaped(cleanName(describe(command)));
}

function cellCode(text: string): string {
  return codeName(text).replaceAll('|', '\\|');
}

/** Names of files and actions are text, not Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_|<>[\]]/g, '\\$&');
}

import { cleanName } from './terminal-text.ts';

const longest = 80;

/** A name that somebody typed, for a message: on one line, and no longer than a name is. */
export function shownName(name: string): string {
  const start = name.slice(0, longest + 1).toWellFormed();
  return cleanName(name.length > longest ? `${start.slice(0, longest - 1).toWellFormed()}…` : start);
}

/** As `shownName`, as code of a markdown text: nothing in it is taken for a mark. */
export function codeName(name: string): string {
  return asCode(shownName(name));
}

/** As `codeName`, of any length. */
export function codeText(text: string): string {
  return asCode(cleanName(text));
}

function asCode(shown: string): string {
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const ticks = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = runs.length > 0 ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

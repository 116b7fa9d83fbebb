import type { CommandSpec } from '#protocol/command.ts';

/** One row of the popup. */
export type CompletionItem = {
  /** What is put into the text. */
  readonly insert: string;
  readonly label: string;
  /** Dim, behind the label. */
  readonly detail: string;
  /** A folder: its content is offered next. */
  readonly continues: boolean;
  /** Complete as it is: Enter takes it and sends. */
  readonly runs: boolean;
};

/** What stands at the cursor and can be completed. `query` is the text from `from` to `to` without its mark. */
export type CompletionTarget =
  | { readonly kind: 'file'; readonly query: string; readonly from: number; readonly to: number }
  | { readonly kind: 'command'; readonly query: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'argument';
      readonly command: CommandSpec;
      readonly query: string;
      readonly from: number;
      readonly to: number;
    };

export type Completion = {
  readonly target: CompletionTarget;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** The list is still being read. */
  readonly isLoading: boolean;
};

export const completionRows = 8;

/** Finds what the cursor stands in; undefined when there is nothing to complete. */
export function completionTarget(
  text: string,
  cursor: number,
  commands: readonly CommandSpec[],
): CompletionTarget | undefined {
  return commandTarget(text, cursor, commands) ?? fileTarget(text, cursor);
}

/** A full-width slash or blank, as Chinese and Japanese input gives them, counts as the plain one. */
export function plainCommandLine(line: string): string {
  return line.replace(/^／/, '/').replace(/^(\/\S*?)\u3000/, '$1 ');
}

/** True when a text asks for a command: `/name …`, but not a path such as `/usr/bin`. */
export function isCommandLine(text: string): boolean {
  return /^[/／][^\s/／]*(?:\s|$)/.test(text);
}

/** The command of a line that holds nothing else, when it cannot run so. */
export function commandWithoutArgument(
  line: string,
  commands: readonly CommandSpec[],
): CommandSpec | undefined {
  const name = /^\/(\S+)$/.exec(line)?.[1];
  const command = commands.find((each) => each.name === name || (name && each.aliases.includes(name)));
  return command && needsArgument(command) ? command : undefined;
}

export function needsArgument({ args }: CommandSpec): boolean {
  return args !== '' && !args.startsWith('[');
}

/** The commands that fit, the best first: by the start of a name, then by any part of it, then by a word of the summary. */
export function commandItems(commands: readonly CommandSpec[], query: string): CompletionItem[] {
  const wanted = query.toLowerCase();
  return commands
    .map((command) => ({ command, rank: commandRank(command, wanted) }))
    .filter((scored) => scored.rank < notFitting)
    .sort((a, b) => a.rank - b.rank || a.command.name.localeCompare(b.command.name))
    .map(({ command }) => ({
      insert: command.args === '' ? `/${command.name}` : `/${command.name} `,
      label: `/${command.name}${command.args === '' ? '' : ` ${command.args}`}`,
      detail: command.summary,
      continues: false,
      runs: !needsArgument(command),
    }));
}

export function argumentItems(command: CommandSpec, query: string): CompletionItem[] {
  const wanted = query.toLowerCase();
  return (command.choices ?? [])
    .filter((choice) => choice.toLowerCase().startsWith(wanted))
    .map((choice) => ({ insert: choice, label: choice, detail: '', continues: false, runs: true }));
}

const notFitting = 9;

function commandRank(command: CommandSpec, wanted: string): number {
  if (command.name === wanted) return 0;
  if (command.name.startsWith(wanted)) return 1;
  if (command.aliases.some((alias) => alias.startsWith(wanted))) return 2;
  if (command.name.includes(wanted)) return 3;
  const isInSummary = wanted.length >= 3 && ` ${command.summary.toLowerCase()}`.includes(` ${wanted}`);
  return isInSummary ? 4 : notFitting;
}

function commandTarget(
  text: string,
  cursor: number,
  commands: readonly CommandSpec[],
): CompletionTarget | undefined {
  const match = /^[/／]([^\s/／]*)/.exec(text);
  if (!match) return undefined;
  const end = match[0].length;
  if (cursor >= 1 && cursor <= end) {
    if (text.charAt(end) === '/') return undefined;
    return { kind: 'command', query: text.slice(1, cursor), from: 0, to: end };
  }
  const command = commands.find(({ name, aliases }) => name === match[1] || aliases.includes(match[1] ?? ''));
  const gap = /^\s+/.exec(text.slice(end))?.[0].length ?? 0;
  const from = end + gap;
  if (!command?.choices || gap === 0 || cursor < from) return undefined;
  const to = from + (/^\S*/.exec(text.slice(from))?.[0].length ?? 0);
  if (cursor > to) return undefined;
  return { kind: 'argument', command, query: text.slice(from, cursor), from, to };
}

/** `@` after a blank, then a path: plain up to the next blank, or in quotes when it holds blanks. */
function fileTarget(text: string, cursor: number): CompletionTarget | undefined {
  const start = text.lastIndexOf('\n', cursor - 1) + 1;
  const head = text.slice(start, cursor);
  const match = /(?:^|[\s([{<'"])@(?:"([^"\n]*)|([^\s"]*))$/.exec(head);
  if (!match) return undefined;
  const query = match[1] ?? match[2] ?? '';
  const from = start + head.lastIndexOf('@');
  const isQuoted = match[1] !== undefined;
  const tail = text.slice(cursor);
  const rest = isQuoted ? /^[^"\n]*"?/.exec(tail) : /^[^\s"]*/.exec(tail);
  return { kind: 'file', query, from, to: cursor + (rest?.[0].length ?? 0) };
}

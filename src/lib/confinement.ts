import { existsSync, openSync } from 'node:fs';
import { LlmcodeError } from './errors.ts';

/** What a process runs in so that it reaches only a part of the machine. */
export type Confinement = {
  /** The program that confines and its arguments; what is confined follows them. */
  argv: readonly string[];
  /** Set for it; undefined takes a variable away. */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * It has processes of its own, which all end with it. Signals then go past the program that confines, and what is
   * left running is counted inside. A `command` only.
   */
  ownsProcesses: boolean;
  /** Given to it on descriptor 4. */
  filterFile?: string | undefined;
  /**
   * Runs inside, beside the command and as long as it does. The command waits for a line from it. Only where
   * `ownsProcesses`.
   */
  helper?: readonly string[] | undefined;
};

/** Throws when it cannot be opened: nothing may run without the filter. */
export function openFilter(confinement: Confinement | undefined): number | undefined {
  if (confinement?.filterFile === undefined) return undefined;
  try {
    return openSync(confinement.filterFile, 'r');
  } catch (error) {
    throw new LlmcodeError('no-filter', 'What the sandbox keeps on disk is gone.', { cause: error });
  }
}

/** A helper that is not ready by then is of no use to the command, which will say so. */
const startHelper = `if (($# > 1)); then
  exec 6< <(exec "\${@:2}" </dev/null 2>/dev/null 3>&- 4>&- 5>&-)
  helper=$!
  read -rt 5 -u 6
fi
`;

/**
 * Where all processes end with the first one, this is the first: it says on descriptor 3 that it runs, waits for the
 * command and a moment for what is just ending, and says there whether something was left. What it has to say of its
 * own, e.g. that the command was killed, goes nowhere. For any shell: most start in half the time that bash takes.
 */
const watch = `echo started >&3
(exec "$0" --norc -c "$1" 2>&4 3>&- 4>&- 6<&-)
status=$?
[ "$helper" ] && kill -9 "$helper" && wait "$helper"
for turn in 0 1 2 3 4 5 6 7 8 9; do
  set -- /proc/[0-9]*
  [ $# -le 2 ] && break
  sleep 0.01
done
[ $# -le 2 ] || echo left >&3
exit $status`;

const quietly = `trap : TERM INT HUP
exec 4>&2 2>/dev/null
helper=
`;

/** The words that run a command text in a shell without start files. */
export function watchedShell(bash: string, command: string, confinement: Confinement | undefined): string[] {
  if (!confinement?.ownsProcesses) return [bash, '--norc', '-c', command];
  const { helper } = confinement;
  if (helper) return [bash, '--norc', '-c', `${quietly}${startHelper}${watch}`, bash, command, ...helper];
  const shell = existsSync(plainShell) ? plainShell : bash;
  return [shell, '-c', `${quietly}${watch}`, bash, command];
}

const plainShell = '/bin/sh';

/** What gives the filter to the program that confines; `$0` is its file, the rest what is to run. */
const filterScript = 'exec "$@" 4<"$0"';

/** The same in a terminal: nobody is told what was left running, as nothing can be. */
export function terminalShell(bash: string, command: string, confinement: Confinement | undefined): string[] {
  if (!confinement) return [bash, '--norc', '-c', command];
  const { argv, helper, filterFile } = confinement;
  const inner = helper
    ? [bash, '--norc', '-c', `${startHelper}exec "$0" --norc -c "$1" 6<&-`, bash, command, ...helper]
    : [bash, '--norc', '-c', command];
  const words = [...argv, ...inner];
  return filterFile === undefined ? words : [bash, '--norc', '-c', filterScript, filterFile, ...words];
}

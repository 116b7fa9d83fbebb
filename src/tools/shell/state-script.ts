/** What a shell leaves behind: its folder and what it would hand on to programs. */
export type ShellState = { cwd: string; env: ReadonlyMap<string, string> };

/**
 * The text for bash that runs `command` as it stands and says on descriptor 5 in what state the shell ends. All of
 * it is on the first line, so that the lines of the command keep their numbers. An `exit` and `set -e` are seen by
 * the trap; a command that sets that trap itself is seen when it comes to its end. Of a shell that is replaced or
 * killed nothing is known. What is said is said in a subshell, so that no option of the command changes it.
 */
export function withLastState(command: string): string {
  return `${prologue}eval ${quoted(command)}; __llmcode_status=$?; __llmcode_state || :; exit $__llmcode_status`;
}

const state = [
  'set +eux',
  "IFS=$'\\n'",
  'set -f',
  'builtin cd -P . || exit',
  `builtin printf '%s\\0' "$PWD"`,
  `for n in $(builtin compgen -e); do builtin printf '%s=%s\\0' "$n" "\${!n}"; done`,
  `builtin printf '\\0'`,
].join('; ');

const prologue =
  `exec 62>&5 3>&- 4>&- 5>&-; __llmcode_state() { [ -z "\${__llmcode_told-}" ] || return 0; __llmcode_told=1; ` +
  `(${state}) 2>/dev/null >&62; }; trap '__llmcode_state || :' EXIT; `;

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** undefined when it was not said to the end. */
export function readState(words: string | undefined): ShellState | undefined {
  const items = words?.split('\0') ?? [];
  const end = items.indexOf('');
  const [cwd] = items;
  if (end < 1 || !cwd?.startsWith('/')) return undefined;
  const env = new Map<string, string>();
  for (const item of items.slice(1, end)) {
    const at = item.indexOf('=');
    // A value that is no text would not come back as it was.
    if (at > 0 && !item.includes('\ufffd')) env.set(item.slice(0, at), item.slice(at + 1));
  }
  return { cwd, env };
}

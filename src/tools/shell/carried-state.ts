import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { displayPath, isInside, realPathOf } from '#lib/paths.ts';
import type { ShellState } from './state-script.ts';

type Environment = Readonly<Record<string, string>>;

/** What a command was started with; variables in `unseen` were set beside that. */
type Beginning = { cwd: string; env: Environment; unseen: Readonly<Record<string, unknown>> };

const maxVariables = 200;
const maxChars = 60_000;

/** The shell's own, and ours. */
const internal = /^(_|PWD|OLDPWD|SHLVL|LINES|COLUMNS|BASH.*|LLMCODE.*)$/;

/**
 * With these a later command would do something else than its words say, and its words are what it is judged by: what
 * the shell does with a text, which program a name means, what programs load, run or read before anything else.
 */
const powerful = new RegExp(
  `^(${[
    'ENV|IFS|CDPATH|GLOBIGNORE|SHELLOPTS|POSIXLY_CORRECT|PS\\d|PROMPT_COMMAND|EXECIGNORE|FUNCNEST|TIMEFORMAT',
    'HOME|TMPDIR|SHELL|USER|LOGNAME|XDG_.*|PATH|MANPATH|INFOPATH|TERMINFO.*',
    'LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|MALLOC_.*|GLIBC_TUNABLES|RES_OPTIONS',
    'GIT_.*|SSH_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS.*|MORE|.*_OPTIONS|.*_OPTS|.*_ARGS|GREP_.*|RIPGREP_.*',
    'NODE_.*(?<!NODE_ENV)|NPM_.*|npm_.*|YARN_.*|PYTHON.*|PERL5.*|PERLLIB|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHP.*',
    'JAVA.*|_JAVA.*|JDK_.*|CLASSPATH|RUSTC?_.*|RUSTC|CARGO_.*|GOFLAGS|GOROOT|GOPATH|CC|CXX|AR|LD|MAKE.*|CMAKE_.*',
    'DOCKER_.*|KUBECONFIG|AWS_.*|.*_PROXY|.*_proxy|CURL_.*|SSL_.*|WGETRC|TAR_.*|ZIPOPT|UNZIP.*|FPATH|.*PRELOAD.*',
  ].join('|')})$`,
);

/**
 * What one command leaves for the next: the folder, a PATH with more folders, and exported variables that no program
 * takes for more than a value. Only a folder of the workspace is kept.
 */
export class CarriedState {
  readonly #main: string;
  readonly #roots: readonly string[];
  #cwd: string;
  /** undefined: taken away. */
  readonly #changes = new Map<string, string | undefined>();
  #lost: string | undefined;

  constructor({ cwd, roots }: { cwd: string; roots: readonly string[] }) {
    this.#main = cwd;
    this.#roots = roots;
    this.#cwd = cwd;
  }

  /** Where the next command starts; the main folder again when that one is gone. */
  get cwd(): string {
    if (this.#cwd !== this.#main && !this.#isUsable(this.#cwd)) {
      this.#lost = this.#cwd;
      this.#cwd = this.#main;
    }
    return this.#cwd;
  }

  /** The PATH for the next command, when it is not the one at the start. */
  get searchPath(): string | undefined {
    return this.#changes.get('PATH');
  }

  /** A command gets no other PATH than the one that it was judged with. */
  environment(base: Environment, searchPath: string | undefined): Record<string, string> {
    const env: Record<string, string> = { ...base };
    if (searchPath !== undefined) env['PATH'] = searchPath;
    for (const [name, value] of this.#changes) {
      if (name === 'PATH') continue;
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
    return env;
  }

  /** Takes over what a command left; says what of it the next one gets, and what it does not. */
  take(state: ShellState | undefined, begun: Beginning): string[] {
    const notes: string[] = [];
    if (this.#lost !== undefined) {
      notes.push(
        `The folder ${this.#show(this.#lost)} is gone: commands start in ${this.#show(this.#main)} again.`,
      );
      this.#lost = undefined;
    }
    if (!state) return notes;
    notes.push(...this.#takeFolder(state.cwd, begun.cwd), ...this.#takeVariables(state.env, begun));
    return notes;
  }

  #takeFolder(folder: string, before: string): string[] {
    if (folder === realPathOf(before)) return [];
    if (!this.#isUsable(folder))
      return [
        `It ended in ${folder}, outside the workspace: the next command starts in ${this.#show(this.#cwd)}.`,
      ];
    if (folder === this.#cwd) return [];
    this.#cwd = folder;
    return [`Commands now start in ${folder === this.#main ? folder : this.#show(folder)}.`];
  }

  #takeVariables(
    after: ReadonlyMap<string, string>,
    { env: before, unseen }: Pick<Beginning, 'env' | 'unseen'>,
  ): string[] {
    const kept: string[] = [];
    const left: string[] = [];
    const names = new Set([...after.keys(), ...Object.keys(before)]);
    for (const name of names) {
      const value = after.get(name);
      if (value === before[name] || internal.test(name) || Object.hasOwn(unseen, name)) continue;
      if (!this.#mayKeep(name, { value, before: before[name] })) {
        left.push(name);
        continue;
      }
      this.#changes.set(name, value);
      kept.push(value === undefined ? `${name} (unset)` : name);
    }
    return [
      ...(kept.length === 0 ? [] : [`Kept for later commands: ${listed(kept)}.`]),
      ...(left.length === 0
        ? []
        : [`Not kept for later commands: ${listed(left)}. Set it in each command that needs it.`]),
    ];
  }

  #mayKeep(
    name: string,
    { value, before }: { value: string | undefined; before: string | undefined },
  ): boolean {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
    if (name === 'PATH') return this.#isHarmlessPath(value ?? '', before ?? '');
    if (powerful.test(name)) return false;
    const others = [...this.#changes].filter(([other]) => other !== name);
    const chars = others.reduce((sum, [other, text]) => sum + other.length + (text?.length ?? 0), 0);
    return others.length < maxVariables && chars + (value?.length ?? 0) <= maxChars;
  }

  /**
   * What came lies in the workspace, where whatever is found is judged as what it is, or where the model does not
   * write. Nothing else was taken away.
   */
  #isHarmlessPath(after: string, before: string): boolean {
    const known = before.split(path.delimiter);
    const folders = after.split(path.delimiter);
    const roots = [...this.#roots, ...this.#roots.map(realPathOf)];
    const isOwn = (folder: string) => roots.some((root) => isInside(realPathOf(folder), root));
    if (!known.every((folder) => isOwn(folder) || folders.includes(folder))) return false;
    const open = [realPathOf(tmpdir()), '/tmp', '/var/tmp'];
    const isOpen = (folder: string) => open.some((root) => isInside(realPathOf(folder), root));
    return folders
      .filter((folder) => !known.includes(folder))
      .every((folder) => path.isAbsolute(folder) && (isOwn(folder) || !isOpen(folder)));
  }

  #isUsable(folder: string): boolean {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    const real = realPathOf(folder);
    return this.#roots.some((root) => isInside(real, realPathOf(root)));
  }

  #show(folder: string): string {
    return folder === this.#main ? 'the main folder' : displayPath(folder, this.#main);
  }
}

const mostNames = 12;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

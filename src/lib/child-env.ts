import path from 'node:path';
import { absoluteFolders, standardPath } from './find-program.ts';
import type { Environment } from './paths.ts';

/** Parts of names whose values no child process may see. */
const secretParts = [
  'API_KEY',
  'APIKEY',
  'ACCESS_KEY',
  'SECRET',
  'TOKEN',
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'CREDENTIAL',
  'PRIVATE_KEY',
  'AUTH_',
];
const secretEnds = ['_KEY', '_AUTH', '_PAT'];

/** Names that look secret and are not. */
const harmless = new Set(['SSH_AUTH_SOCK', 'GPG_KEY', 'TOKENIZERS_PARALLELISM']);

/** What the package runner that started us says about our own package, and what would run code in each shell. */
const misleading =
  /^(npm_(package|lifecycle|config_(local_prefix|global_prefix|user_agent|node_gyp)|command|execpath|node_execpath).*|INIT_CWD|BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|FORCE_COLOR|CLICOLOR_FORCE)$/;

/** What would make a command mean something else than its words: the permission tables go by the words. */
const altering =
  /^(CDPATH|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|RIPGREP_CONFIG_PATH|TAR_OPTIONS|GREP_OPTIONS|GIT_EXTERNAL_DIFF|GIT_CONFIG_.*)$/;

/** Settings with which the repository's own git config would run programs in commands that only read. */
const gitSettings = [
  ['core.fsmonitor', 'false'],
  ['safe.bareRepository', 'explicit'],
] as const;

/** Keeps programs from waiting for a person or a terminal that is not there. */
const unattended = {
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  // `git status` would otherwise write the index behind the back of a read-only mode.
  GIT_OPTIONAL_LOCKS: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  // What a program printed before a timeout must not be lost in its buffer.
  PYTHONUNBUFFERED: '1',
  TERM: 'dumb',
  LLMCODE: '1',
};

/**
 * The environment for child processes: without secrets (their names are listed in `LLMCODE_HIDDEN_ENV`), with
 * only absolute folders on PATH, and set up for running without a person.
 */
export function childEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  const hidden: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || misleading.test(name) || altering.test(name)) continue;
    if (isSecretName(name)) hidden.push(name);
    else kept[name] = value;
  }
  return {
    ...kept,
    ...unattended,
    ...gitConfiguration(),
    // Without one bash would look in places of its own, the working folder among them.
    PATH: absoluteFolders(kept['PATH'] ?? '').join(path.delimiter) || standardPath,
    ...(hidden.length === 0 ? {} : { LLMCODE_HIDDEN_ENV: hidden.sort().join(',') }),
  };
}

/** The values of variables whose names say that they are secret. */
export function secretValues(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) ? [value] : [],
  );
}

function gitConfiguration(): Record<string, string> {
  const entries = gitSettings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(gitSettings.length), ...Object.fromEntries(entries) };
}

function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  if (harmless.has(upper)) return false;
  return secretParts.some((part) => upper.includes(part)) || secretEnds.some((end) => upper.endsWith(end));
}

import path from 'node:path';
import type { CheckId } from '../checks.ts';
import { isCredential } from '../paths/names.ts';
import { wordList } from '../word-list.ts';
import { findProgram } from './programs/index.ts';
import { isSecretVariable } from './secret-variable.ts';
import { programName } from './unwrap.ts';
import type { SimpleCommand } from './walk.ts';
import { type ShellWord, wordText } from './words.ts';

/** One simple command with all wrappers off, in its place among the others of a text. */
export type ShellStep = {
  words: readonly ShellWord[];
  command: SimpleCommand;
  /** Index of the step in whose words it stands as a substitution, or that runs the text it is part of. */
  host: number | undefined;
  /** Of the text that its host runs: what it prints does not come back to the host. */
  isText: boolean;
  dirs: readonly string[];
};

/** What the commands of one text do together: send credentials away, run what they fetch, give a shell away. */
export function jointCatastrophe(
  steps: readonly ShellStep[],
): { check: CheckId; source: string } | undefined {
  const sinks = steps.filter(isSink);
  const secret = steps.find(
    (step, index) =>
      (sinks.length > 0 && bringsSecrets(step)) ||
      (dumpsSecrets(step) &&
        sinks.some(
          (sink) =>
            comesBefore(step, sink) || isHostedBy(step, steps.indexOf(sink), steps) || sink === steps[index],
        )),
  );
  if (secret) return { check: 'exfiltration', source: secret.command.source };
  const fetched = steps.find((step, index) => runsFetched(step, index, steps));
  if (fetched) return { check: 'remote-code', source: fetched.command.source };
  const shell = steps.find((step) => givesShell(step, steps));
  if (shell) return { check: 'reverse-shell', source: shell.command.source };
  const bomb = steps.find((step) => {
    const isRecursive = step.words[0]?.kind === 'literal' && step.words[0].value === step.command.inFunction;
    return isRecursive && step.command.stages.length > 0;
  });
  if (bomb) return { check: 'fork-bomb', source: bomb.command.source };
  const agent = steps.find(startsUnsafeAgent);
  if (agent) return { check: 'agent-unsafe', source: agent.command.source };
  const grant = steps.find(changesOwnConfig);
  return grant && { check: 'own-settings', source: grant.command.source };
}

const fetchers = new Set(wordList('curl wget http https xh aria2c lynx fetch nc ncat netcat'));
const connectors = new Set(wordList('nc ncat netcat socat telnet openssl'));
const senders = new Set([
  ...fetchers,
  ...connectors,
  'ssh',
  'scp',
  'sftp',
  'ftp',
  'tftp',
  'lftp',
  'rsync',
  'rclone',
  'mosh',
  'dig',
  'nslookup',
  'host',
  'drill',
  'ping',
  'ping6',
  'whois',
  'traceroute',
  'mail',
  'mailx',
  'mutt',
  'sendmail',
  'msmtp',
  'swaks',
  'aws',
  'gsutil',
  'gcloud',
  'az',
  'mosquitto_pub',
  'wscat',
  'websocat',
  'croc',
  'wormhole',
  'ffsend',
  'transfer',
]);
const shellNames = new Set(wordList('sh bash dash zsh ksh ash fish'));
const codeReaders = new Set([
  ...shellNames,
  'python',
  'python2',
  'python3',
  'perl',
  'ruby',
  'node',
  'php',
  'lua',
  'tclsh',
  'deno',
  'bun',
  'osascript',
  'pwsh',
  'powershell',
]);
const networkFile = /^\/dev\/(tcp|udp)\//;

const nameOf = (step: ShellStep) => programName(step.words[0]) ?? '';
const argsOf = (step: ShellStep) => step.words.slice(1);

function usesNetworkFile({ command }: ShellStep): boolean {
  return command.redirects.some(({ target }) => target && networkFile.test(headOf(target)));
}

/** The known beginning of a word. */
function headOf(word: ShellWord): string {
  return word.kind === 'literal' ? word.value : word.head;
}

function isSink(step: ShellStep): boolean {
  if (usesNetworkFile(step)) return true;
  const name = nameOf(step);
  if (!senders.has(name)) return false;
  const texts = argsOf(step).map(wordText);
  if (name === 'openssl') return texts.includes('s_client');
  // A server on this machine is not another one.
  const addresses = texts.filter((text) => /^(https?:\/\/|localhost|127\.|\[::1\])/.test(text));
  return (
    addresses.length === 0 ||
    !addresses.every((text) => /^(https?:\/\/)?(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/?#]|$)/.test(text))
  );
}

function bringsSecrets(step: ShellStep): boolean {
  const { command, dirs } = step;
  const read = command.redirects
    .filter(({ mode }) => mode === 'read' || mode === 'list')
    .flatMap(({ target }) => target ?? []);
  const fed = command.redirects.filter(({ mode }) => mode === 'text').flatMap(({ target }) => target ?? []);
  const assigned = command.assignments.flatMap(({ value }) => value ?? []);
  const named = [...read, ...assigned, ...filesIn(step)];
  if (
    named.some((word) =>
      candidates(word).some((name) => dirs.some((dir) => isCredential(path.resolve(dir, name)))),
    )
  ) {
    return true;
  }
  const shown = senders.has(nameOf(step)) ? withoutValues(argsOf(step), identityOptions) : step.words;
  return [...shown, ...fed].some((word) => word.kind === 'dynamic' && word.variables.some(isSecretVariable));
}

function dumpsSecrets(step: ShellStep): boolean {
  const texts = argsOf(step).map(wordText);
  switch (nameOf(step)) {
    case 'env':
    case 'printenv':
      return true;
    case 'set':
      return texts.length === 0;
    case 'export':
    case 'declare':
    case 'typeset':
      return texts.length === 0 || texts.some((text) => /^-[a-z]*[px]$/.test(text));
    case 'gpg':
    case 'gpg2':
      return texts.some((text) => text.startsWith('--export-secret'));
    case 'gh':
    case 'glab':
      return texts[0] === 'auth' && texts[1] === 'token';
    case 'pass':
    case 'op':
    case 'vault':
    case 'security':
      return true;
    default:
      return false;
  }
}

/** Options that say who one is, and those that name a file to write: their values are not what is sent. */
const identityOptions =
  /^(-i|-F|-e|-o|-O|-D|-E|-H|-u|-b|-c|-J|--rsh|--key|--cert|--cacert|--capath|--netrc-file|--output|--output-document|--dump-header|--header|--user|--oauth2-bearer|--cookie|--cookie-jar|--password-file|--exclude-from|--include-from)$/;
/** For programs in which `-F` and the like carry data. */
const formOptions =
  /^(-i|-o|-O|-D|-E|-H|-u|-c|--key|--cert|--cacert|--capath|--netrc-file|--output|--output-document|--dump-header|--header|--user|--oauth2-bearer|--cookie-jar)$/;
const printers = new Set(
  wordList(`
    echo printf ls stat test [ basename dirname which type cd mkdir touch rm chmod git
  `),
);

/** The words of a step that name files whose content goes somewhere. */
function filesIn(step: ShellStep): readonly ShellWord[] {
  const name = nameOf(step);
  if (printers.has(name)) return [];
  const args = argsOf(step);
  if (wordList('curl wget http https xh aria2c').includes(name)) {
    return withoutValues(args, formOptions).filter((word, index, all) => {
      const isUpload = /^(-[A-Za-z]*T|--upload-file|--post-file|--body-file)$/.test(
        wordText(all[index - 1] ?? word),
      );
      return isUpload || /[@<]|^--(post|body)-file=|^-T.|^file:/.test(headOf(word) || word.source);
    });
  }
  if (senders.has(name)) return withoutValues(args, identityOptions);
  const program = step.words[0]?.kind === 'literal' ? findProgram(step.words[0].value) : undefined;
  const verdict = program?.judge(args);
  return verdict && 'reads' in verdict ? verdict.reads : args;
}

function withoutValues(args: readonly ShellWord[], options: RegExp): ShellWord[] {
  return args.filter((word, index) => {
    const before = args[index - 1];
    const isValue = before !== undefined && options.test(wordText(before));
    const equals = wordText(word).indexOf('=');
    return !isValue && !(equals > 0 && options.test(wordText(word).slice(0, equals)));
  });
}

/** The parts of a word that could be the name of a file. */
function candidates(word: ShellWord): string[] {
  if (word.kind !== 'dynamic' && /^https?:\/\//.test(headOf(word))) return [];
  const texts =
    word.kind === 'literal'
      ? [word.value]
      : word.kind === 'glob'
        ? [word.pattern]
        : [word.head, ...word.fragments];
  return texts
    .flatMap((text) => [text, ...text.split(/[=@:,<>;|&()\s'"]+/)])
    .filter((text) => text.length > 1);
}

/** What a network program prints is read as code by this one. */
function runsFetched(step: ShellStep, index: number, steps: readonly ShellStep[]): boolean {
  const isFetch = (other: ShellStep) => fetchers.has(nameOf(other));
  const name = nameOf(step);
  const takesText = name === 'eval' || name === 'source' || name === '.';
  const args = argsOf(step);
  const hasCode =
    codeReaders.has(name) &&
    (readsInput(args) ||
      args.some((word) => /^-[a-z]*[ce]$/.test(wordText(word))) ||
      args[0]?.source.startsWith('<('));
  if ((takesText || hasCode) && steps.some((other) => isFetch(other) && isPrintedInto(other, index, steps)))
    return true;
  if (!codeReaders.has(name) || !readsInput(args)) return false;
  return steps.some((other) => isFetch(other) && comesBefore(other, step));
}

function isHostedBy(step: ShellStep, index: number, steps: readonly ShellStep[]): boolean {
  const seen = new Set<number>();
  for (let host = step.host; host !== undefined && !seen.has(host); host = steps[host]?.host) {
    if (host === index) return true;
    seen.add(host);
  }
  return false;
}

/** What it prints becomes words of the step at `index`. */
function isPrintedInto(step: ShellStep, index: number, steps: readonly ShellStep[]): boolean {
  const seen = new Set<ShellStep>();
  for (let at: ShellStep | undefined = step; at && !seen.has(at); ) {
    seen.add(at);
    if (at.host === index) return !at.isText;
    at = at.host === undefined ? undefined : steps[at.host];
  }
  return false;
}

function comesBefore(first: ShellStep, second: ShellStep): boolean {
  return first.command.stages.some((one) =>
    second.command.stages.some((other) => one.pipeline === other.pipeline && one.stage < other.stage),
  );
}

/** An interpreter without a file reads its program from standard input. */
function readsInput(args: readonly ShellWord[]): boolean {
  const texts = args.map(wordText);
  if (texts.some((text) => /^-[a-z]*[cemE]$/.test(text) || text.startsWith('-m'))) return false;
  return texts.every((text) => text.startsWith('-')) || texts.includes('-s');
}

function givesShell(step: ShellStep, steps: readonly ShellStep[]): boolean {
  const name = nameOf(step);
  const texts = argsOf(step).map(wordText);
  if (connectors.has(name) && name !== 'openssl') {
    const isNetcat = name !== 'socat' && name !== 'telnet';
    if (
      isNetcat &&
      texts.some(
        (text) => /^(-[a-z]*[ec]|--exec|--sh-exec|--lua-exec)$/.test(text) || /^--(sh-)?exec=/.test(text),
      )
    ) {
      return true;
    }
    if (name === 'socat' && texts.some((text) => /\b(EXEC|SYSTEM|SHELL):/i.test(text))) return true;
  }
  if (!shellNames.has(name)) return false;
  if (usesNetworkFile(step)) return true;
  const isLive = texts.some((text) => /^-[a-z]*i/.test(text)) || readsInput(argsOf(step));
  if (!isLive) return false;
  return steps.some((other) => {
    const isConnection = connectors.has(nameOf(other)) || usesNetworkFile(other);
    return isConnection && (comesBefore(step, other) || comesBefore(other, step) || usesNetworkFile(other));
  });
}

const agentNames = new Set(
  wordList(`
    llmcode claude codex gemini qwen opencode crush aider goose cursor-agent copilot amp q droid auggie
  `),
);
const unsafeFlags =
  /^(--dangerously[\w-]*|--yolo|--full-auto|--yes-always|--allow-all[\w-]*|--trust-all-tools|--allow-dangerously[\w-]*|--i-know|--skip-permissions[\w-]*)(=.*)?$/;
const unsafeValues = /^(full_access|yolo|bypassPermissions|auto_accept|auto|danger-full-access|never)$/;
const unsafeOptions = wordList(`
    --permission-mode --approval-mode --sandbox -s --ask-for-approval -a --mode
  `);

/** By name, also as a package with a version. */
function isAgent(word: string): boolean {
  const name = (word.split('/').at(-1) ?? '').replace(/@[\w.-]+$/, '');
  return agentNames.has(name) || agentNames.has(name.replace(/-(code|cli)$/, ''));
}

function startsUnsafeAgent(step: ShellStep): boolean {
  const name = nameOf(step);
  // `npx claude …` and the like start one as well.
  const start = step.words.findIndex((word) => isAgent(wordText(word)));
  const runners = wordList('npx bunx pnpm yarn uvx pipx npm');
  if (start < 0 || !(agentNames.has(name) || runners.includes(name))) return false;
  const texts = step.words.slice(start + 1).map(wordText);
  return texts.some((text, index) => {
    if (unsafeFlags.test(text)) return true;
    if ((name === 'gemini' || name === 'crush' || name === 'qwen') && text === '-y') return true;
    if (name === 'cursor-agent' && (text === '-f' || text === '--force')) return true;
    const [option = '', value] = text.split('=', 2);
    return unsafeOptions.includes(option) && unsafeValues.test(value ?? texts[index + 1] ?? '');
  });
}

function changesOwnConfig(step: ShellStep): boolean {
  const [first, second] = argsOf(step).map(wordText);
  return nameOf(step) === 'llmcode' && first === 'config' && second === 'set';
}

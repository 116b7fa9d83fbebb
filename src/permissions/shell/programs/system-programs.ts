import { wordList } from '../../word-list.ts';
import type { Refusal } from '../argv.ts';
import { isSecretVariable } from '../secret-variable.ts';
import { type ShellWord, wordText } from '../words.ts';
import { type Program, program, type ReadVerdict } from './program.ts';

const help = ['help', 'version'];

/** Programs that describe files, the machine and the session. */
export const systemPrograms: readonly Program[] = [
  program(
    ['ls', 'dir', 'vdir'],
    {
      flags: '1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ',
      values: 'ITw',
      long: wordList(`
    all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type
    format= full-time group-directories-first no-group human-readable si dereference-command-line hide=
    hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal
    hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time=
    time-style= tabsize= width= context zero help version
  `),
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['tree'],
    {
      flags: 'adfipsughDFqNQrtUvcJXxC',
      values: 'LPI',
      long: wordList('noreport dirsfirst gitignore filelimit= prune du si help version'),
    },
    { kind: 'paths' },
  ),
  program(
    ['stat'],
    {
      flags: 'Lft',
      values: 'c',
      long: wordList('dereference file-system format= printf= terse help version'),
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['file'],
    { flags: 'bhikLNr0', long: wordList('brief mime mime-type mime-encoding help version') },
    { kind: 'paths' },
  ),
  program(
    ['du'],
    {
      flags: 'abchHklLmPsSx0',
      values: 'dBt',
      long: wordList(`
    all apparent-size bytes total human-readable si summarize separate-dirs max-depth= exclude=
    threshold= block-size= one-file-system help version
  `),
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['df'],
    {
      flags: 'ahHiklPT',
      values: 'Btx',
      long: wordList(`
    all human-readable si inodes local portability print-type type= exclude-type= total help version
  `),
    },
    { kind: 'paths' },
  ),
  program(['pwd'], { flags: 'LP' }, { kind: 'none' }),
  program(['true', 'false', ':'], {}, { kind: 'texts' }),
  program(
    ['basename'],
    { flags: 'az', values: 's', long: ['multiple', 'suffix=', 'zero', ...help] },
    { kind: 'texts' },
  ),
  program(['dirname'], { flags: 'z', long: ['zero', ...help] }, { kind: 'texts' }),
  program(
    ['realpath', 'readlink'],
    {
      flags: 'eEfLmnPqsvz',
      long: wordList(`
    canonicalize canonicalize-existing canonicalize-missing logical physical no-symlinks relative-to=
    relative-base= no-newline quiet zero help version
  `),
    },
    { kind: 'paths' },
  ),
  program(
    wordList('whoami logname tty arch nproc users'),
    { flags: 's', long: ['all', 'ignore=', 'silent', ...help] },
    { kind: 'none' },
  ),
  program(
    ['id', 'groups'],
    { flags: 'gGnruzZ', long: wordList('group groups name real user help version') },
    { kind: 'texts' },
  ),
  program(
    ['uname'],
    {
      flags: 'aimnoprsv',
      long: wordList(`
    all kernel-name nodename kernel-release kernel-version machine processor operating-system help
    version
  `),
    },
    { kind: 'none' },
  ),
  program(
    ['hostname'],
    { flags: 'adfiIsAy', long: wordList('short fqdn long ip-address all-ip-addresses help version') },
    { kind: 'none' },
  ),
  program(['uptime'], { flags: 'psV', long: ['pretty', 'since', ...help] }, { kind: 'none' }),
  program(
    ['free'],
    { flags: 'bghklmtvw', long: wordList('human total wide si bytes kibi mebi gibi help version') },
    { kind: 'none' },
  ),
  program(
    ['date'],
    {
      flags: 'uR',
      values: 'd',
      attached: 'I',
      long: wordList('utc universal date= iso-8601? rfc-email rfc-3339= help version'),
    },
    { kind: 'texts' },
    // An operand without a plus sign sets the clock.
    ({ operands }) => refuse(operands.find((word) => !wordText(word).startsWith('+'))),
  ),
  program(['cal'], { flags: '13jmsy' }, { kind: 'texts' }),
  program(
    ['seq'],
    { flags: 'w', values: 'fs', long: ['equal-width', 'format=', 'separator=', ...help], numeric: true },
    { kind: 'texts' },
  ),
  program(['locale'], { flags: 'akm', long: ['all-locales', 'charmaps'] }, { kind: 'texts' }),
  program(['getconf'], { flags: 'a' }, { kind: 'texts' }),
  { names: ['ps'], judge: judgePs },
  program(['which', 'type'], { flags: 'aps', long: ['all'] }, { kind: 'texts' }),
  { names: ['node', 'nodejs'], judge: versionOnly(['-v', '--version']) },
  { names: ['python3', 'python'], judge: versionOnly(['-V', '--version']) },
  { names: ['echo'], judge: judgeEcho },
  {
    names: ['printf'],
    // `-v` assigns to a variable, and evaluates a subscript in its name.
    judge: (args) => {
      const first = args[0];
      const isOption = first !== undefined && wordText(first).startsWith('-') && wordText(first) !== '--';
      return refuseDynamic(args) ?? (isOption ? refuse(first) : undefined) ?? { reads: [] };
    },
  },
  { names: ['test', '['], judge: judgeTest },
  {
    names: ['env', 'printenv'],
    // What is printed is the environment of the command, which is free of secrets.
    judge: (args) => (args[0] ? { check: 'env-leak', source: args[0].source } : { reads: [] }),
  },
];

/** An interpreter that only says its version; without arguments it reads a program from standard input. */
function versionOnly(options: readonly string[]): (args: readonly ShellWord[]) => ReadVerdict {
  return (args) => {
    const [first] = args;
    if (!first) return { check: 'bare-interpreter', source: 'no arguments' };
    const isVersion = args.length === 1 && first.kind === 'literal' && options.includes(first.value);
    return isVersion ? { reads: [] } : { check: 'interpreter', source: args.map(wordText).join(' ') };
  };
}

/** One selection in a usual spelling: `e` among the BSD letters prints the environments of other processes. */
function judgePs(args: readonly ShellWord[]): ReadVerdict {
  let selections = 0;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as ShellWord;
    const text = wordText(word);
    const next = args[index + 1];
    if (word.kind !== 'literal') return { check: 'option', source: word.source };
    if (/^--(forest|no-headers|sort=[+-]?[\w%]+)$/.test(text)) continue;
    if (['-o', '-p', '--ppid', '--pid'].includes(text) && next && /^[\w,%=]+$/.test(wordText(next))) {
      index += 1;
      continue;
    }
    if (!/^(aux?w*|axu?|-ef|-e|-A|-f|-eF|-ely?)$/.test(text) || selections > 0) {
      return { check: 'option', source: text };
    }
    selections += 1;
  }
  return { reads: [] };
}

function refuse(word: ShellWord | undefined): Refusal | undefined {
  return word && { check: 'option', source: wordText(word) };
}

function refuseDynamic(words: readonly ShellWord[]): Refusal | undefined {
  const dynamic = words.find((word) => word.kind === 'dynamic');
  return dynamic && { check: 'injection', source: dynamic.source };
}

/** Prints values; what runs to make them is flagged where it stands. Values of secrets are not for printing. */
function judgeEcho(args: readonly ShellWord[]): ReadVerdict {
  const secret = args.find((word) => word.kind === 'dynamic' && word.variables.some(isSecretVariable));
  return secret ? { check: 'env-leak', source: secret.source } : { reads: [] };
}

const fileTests = wordList('-a -b -c -d -e -f -g -h -k -L -N -O -p -r -s -S -u -w -x');
const textTests = ['-n', '-z'];
const comparisons = ['=', '==', '!='];
const numberComparisons = wordList('-eq -ne -lt -le -gt -ge');

/** Only one plain test of up to three words: `-v` and arithmetic over names run code. */
function judgeTest(args: readonly ShellWord[]): ReadVerdict {
  const dynamic = refuseDynamic(args);
  if (dynamic) return dynamic;
  const words = args.filter((word, index) => !(index === args.length - 1 && wordText(word) === ']'));
  const plain = words.filter((word, index) => !(index === 0 && wordText(word) === '!'));
  const [first, second, third] = plain;
  if (!first || plain.length > 3 || plain.some((word) => word.kind !== 'literal')) {
    return { check: 'option', source: args.map(wordText).join(' ') };
  }
  if (plain.length === 1) return { reads: [] };
  if (plain.length === 2 && second) {
    if (fileTests.includes(wordText(first))) return { reads: [second] };
    if (textTests.includes(wordText(first))) return { reads: [] };
  }
  if (second && third) {
    if (comparisons.includes(wordText(second))) return { reads: [] };
    const areNumbers = /^-?\d+$/.test(wordText(first)) && /^-?\d+$/.test(wordText(third));
    if (numberComparisons.includes(wordText(second)) && areNumbers) return { reads: [] };
  }
  return { check: 'option', source: args.map(wordText).join(' ') };
}

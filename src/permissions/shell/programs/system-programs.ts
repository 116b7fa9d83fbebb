import { wordList } from '../../word-list.ts';
import type { Refusal } from '../argv.ts';
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
      hidesText: true,
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
      hidesText: true,
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
      hidesText: true,
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
  program(['true', 'false', ':'], { anyText: true, anyGlob: true }, { kind: 'texts' }),
  program(
    ['basename'],
    {
      flags: 'az',
      values: 's',
      long: ['multiple', 'suffix=', 'zero', ...help],
      anyText: true,
      anyGlob: true,
    },
    { kind: 'texts' },
  ),
  program(
    ['dirname'],
    { flags: 'z', long: ['zero', ...help], anyText: true, anyGlob: true },
    { kind: 'texts' },
  ),
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
  program(['which', 'type'], { flags: 'afpPst', long: ['all'] }, { kind: 'texts' }),
  {
    names: ['env', 'printenv'],
    // What is printed is the environment of the command, which is free of secrets.
    judge: (args) => (args[0] ? { check: 'env-leak', source: args[0].source } : { reads: [] }),
  },
];

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

import { wordList } from '../../word-list.ts';
import { wordText } from '../words.ts';
import { type Program, program } from './program.ts';
import { treesOf } from './search-programs.ts';

const help = ['help', 'version'];

/** Programs that print, cut, compare and count text. */
export const textPrograms = [
  program(
    ['cat'],
    {
      flags: 'AbeEnstTuv',
      long: wordList(`
    show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version
  `),
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['tac'],
    { flags: 'br', values: 's', long: ['before', 'regex', 'separator=', ...help] },
    { kind: 'paths' },
  ),
  program(['rev'], { flags: 'hV', long: help }, { kind: 'paths' }),
  program(
    ['nl'],
    {
      flags: 'p',
      values: 'bdfhilnsvw',
      long: ['body-numbering=', 'number-format=', 'number-width=', ...help],
    },
    { kind: 'paths' },
  ),
  program(
    ['head'],
    {
      flags: 'qvz',
      values: 'cn',
      long: wordList('bytes= lines= quiet silent verbose zero-terminated help version'),
      numeric: true,
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['tail'],
    // Without -f and -F: a command that follows a file never ends.
    {
      flags: 'qvz',
      values: 'cn',
      long: wordList('bytes= lines= quiet silent verbose zero-terminated help version'),
      numeric: true,
      anyGlob: true,
    },
    { kind: 'paths' },
  ),
  program(
    ['wc'],
    {
      flags: 'clmLw',
      long: wordList(`
    bytes chars lines words max-line-length total= files0-from< help version
  `),
      anyGlob: true,
      hidesText: true,
    },
    { kind: 'paths' },
    // The named file holds further names that nobody has looked at.
    ({ files }) => files[0] && { check: 'option', source: files[0].source },
  ),
  program(
    ['sort'],
    {
      flags: 'bcCdfghiMmnRrsuVz',
      values: 'kt',
      long: wordList(`
    ignore-leading-blanks check dictionary-order ignore-case general-numeric-sort human-numeric-sort
    ignore-nonprinting month-sort merge numeric-sort random-sort reverse stable unique version-sort
    zero-terminated key= field-separator= help version
  `),
    },
    { kind: 'paths' },
  ),
  program(
    ['uniq'],
    {
      // Some systems read what stands behind an operand as operands: the second is an output file.
      stopsAtOperand: true,
      flags: 'cdDiuz',
      values: 'fsw',
      long: wordList(`
    count repeated ignore-case unique zero-terminated skip-fields= skip-chars= check-chars= help version
  `),
    },
    { kind: 'paths', max: 1 },
  ),
  program(
    ['cut'],
    {
      flags: 'nsz',
      values: 'bcdf',
      long: wordList(`
    bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated
    help version
  `),
    },
    { kind: 'paths' },
  ),
  program(
    ['paste'],
    { flags: 'sz', values: 'd', long: ['delimiters=', 'serial', 'zero-terminated', ...help] },
    { kind: 'paths' },
  ),
  program(
    ['join'],
    {
      flags: 'iz',
      values: 'aejotv12',
      long: wordList('ignore-case header check-order nocheck-order help version'),
    },
    { kind: 'paths', max: 2 },
  ),
  program(
    ['tr'],
    { flags: 'cCdst', long: wordList('complement delete squeeze-repeats truncate-set1 help version') },
    { kind: 'texts' },
  ),
  program(
    ['fold'],
    { flags: 'bs', values: 'w', long: ['bytes', 'spaces', 'width=', ...help] },
    { kind: 'paths' },
  ),
  program(['fmt'], { flags: 'cstu', values: 'w', long: ['width=', ...help] }, { kind: 'paths' }),
  program(
    ['expand', 'unexpand'],
    { flags: 'ai', values: 't', long: ['all', 'tabs=', 'initial', ...help] },
    { kind: 'paths' },
  ),
  program(
    ['column'],
    { flags: 'txn', values: 'cosNR', long: ['table', 'separator=', 'output-separator='] },
    { kind: 'paths' },
  ),
  program(
    ['comm'],
    {
      flags: '123z',
      long: wordList(`
    check-order nocheck-order output-delimiter= total zero-terminated help version
  `),
    },
    { kind: 'paths', max: 2 },
  ),
  belowFolders(
    program(
      ['diff'],
      {
        flags: 'abBcdeEinNpqrstTuwyZ',
        values: 'CFILUxW',
        long: wordList(`
      brief report-identical-files unified? context? side-by-side width= recursive ignore-case
      ignore-all-space ignore-space-change ignore-blank-lines ignore-trailing-space minimal text new-file
      color? exclude= label= strip-trailing-cr suppress-common-lines no-dereference help version
    `),
      },
      { kind: 'paths', max: 2 },
    ),
  ),
  program(
    ['cmp'],
    {
      flags: 'bls',
      values: 'in',
      long: wordList('print-bytes bytes= ignore-initial= quiet silent verbose help version'),
    },
    { kind: 'paths' },
  ),
  program(
    wordList(`
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
  `),
    // Without -c: a list of sums names further files.
    { flags: 'btz', long: wordList('binary text tag zero help version'), hidesText: true },
    { kind: 'paths' },
  ),
  program(
    ['base64', 'base32'],
    { flags: 'di', values: 'w', long: ['decode', 'ignore-garbage', 'wrap=', ...help] },
    { kind: 'paths', max: 1 },
  ),
  program(
    ['od'],
    {
      flags: 'abcdfhilosvx',
      values: 'AjNt',
      attached: 'w',
      long: wordList(`
    address-radix= format= read-bytes= skip-bytes= output-duplicates help version
  `),
    },
    { kind: 'paths' },
  ),
  program(['hexdump', 'hd'], { flags: 'bcCdovx', values: 'ns' }, { kind: 'paths' }),
  program(['xxd'], { flags: 'abeEiupC', values: 'clgos', stopsAtOperand: true }, { kind: 'paths', max: 1 }),
  program(
    ['strings'],
    { flags: 'afw', values: 'ents', long: wordList('all bytes= radix= print-file-name help version') },
    { kind: 'paths' },
    // `@file` would be read as more arguments.
    ({ operands }) => {
      const list = operands.find((word) => wordText(word).startsWith('@'));
      return list && { check: 'option', source: list.source };
    },
  ),
  program(
    ['shuf'],
    { flags: 'erz', values: 'in', long: wordList('echo input-range= head-count= repeat help version') },
    { kind: 'paths', max: 1 },
  ),
  program(['zcat', 'gzcat'], { flags: 'fhv', long: help }, { kind: 'paths' }),
  program(
    ['jq'],
    {
      flags: 'acCeMnrRsS',
      long: wordList(`
    ascii-output compact-output color-output monochrome-output exit-status null-input raw-output
    raw-input slurp sort-keys tab help version
  `),
    },
    { kind: 'texts', texts: 1 },
    // A filter may load modules from the folder.
    ({ operands: [filter] }) =>
      filter?.kind === 'literal' && !/\b(import|include|modulemeta|get_search_list)\b/.test(filter.value)
        ? undefined
        : { check: 'sub-language', source: filter?.source ?? 'jq' },
  ),
];

/** What shows the lines of all files below the folders that it gets, hidden ones too, unless it only says which. */
function belowFolders({ names, judge }: Program): Program {
  return {
    names,
    judge(args) {
      const verdict = judge(args);
      if ('check' in verdict) return verdict;
      const isQuiet = args.some((word) => /^(--brief|-[A-Za-z]*q)/.test(wordText(word)));
      const trees = treesOf(verdict.reads, { names: [], search: undefined, isQuiet, hasHidden: true });
      return { ...verdict, reads: [...verdict.reads, ...trees] };
    },
  };
}

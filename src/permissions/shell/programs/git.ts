import { wordList } from '../../word-list.ts';
import { type OptionTable, type ParsedArguments, type Refusal, readArguments } from '../argv.ts';
import { type ShellWord, wordText } from '../words.ts';
import { diffOptions, logOptions } from './git-options.ts';
import type { Program, ReadVerdict } from './program.ts';
import { searched, treesOf } from './search-programs.ts';

type Subcommand = {
  table: OptionTable;
  /** Operands are plain text and name no files. */
  isText?: boolean;
  /** The first operand is a pattern unless `-e` gives one. */
  hasPattern?: boolean;
  check?: (parsed: ParsedArguments, args: readonly ShellWord[]) => Refusal | undefined;
};

const hasOption = (parsed: ParsedArguments, ...names: string[]) =>
  parsed.options.some(({ name }) => names.includes(name));

/** Without one of these an operand names what would be made or changed. */
const listsOnly =
  (...names: string[]) =>
  (parsed: ParsedArguments): Refusal | undefined =>
    parsed.operands[0] && !hasOption(parsed, ...names)
      ? { check: 'option', source: parsed.operands[0].source }
      : undefined;

const refFilters = ['--merged', '--no-merged', '--contains', '--no-contains', '--points-at'];

const atMost =
  (count: number) =>
  ({ operands }: ParsedArguments): Refusal | undefined => {
    const extra = operands[count];
    return extra && { check: 'option', source: extra.source };
  };

const subcommands = new Map<string, Subcommand>([
  [
    'status',
    {
      table: {
        flags: 'sbvz',
        attached: 'u',
        long: wordList(`
    short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column?
    no-column ahead-behind no-ahead-behind renames no-renames find-renames?
  `),
      },
    },
  ],
  ['log', { table: logOptions }],
  ['show', { table: logOptions }],
  ['whatchanged', { table: logOptions }],
  ['diff', { table: diffOptions }],
  [
    'diff-tree',
    {
      table: {
        ...diffOptions,
        flags: `${diffOptions.flags}crtmv`,
        long: [...(diffOptions.long ?? []), 'root', 'no-commit-id', 'cc', 'pretty?', 'always'],
      },
    },
  ],
  [
    'blame',
    {
      table: {
        flags: 'bcefklnpstw',
        values: 'L',
        attached: 'MC',
        long: wordList(`
    root show-stats porcelain line-porcelain incremental abbrev= date= show-name show-number show-email
    color-lines color-by-age score-debug ignore-rev=
  `),
      },
    },
  ],
  [
    'grep',
    {
      table: {
        flags: 'aIiwvhHEFGPnlLcopqrz',
        values: 'eABCm',
        long: wordList(`
    cached text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp
    fixed-strings line-number column files-with-matches name-only files-without-match null only-matching
    count color? no-color break heading show-function context= after-context= before-context=
    function-context max-count= max-depth= and or not quiet recursive no-recursive all-match
  `),
        numeric: true,
      },
      hasPattern: true,
    },
  ],
  [
    'shortlog',
    {
      table: {
        flags: 'nsec',
        attached: 'w',
        long: wordList(`
    numbered summary email format= group= committer since= until= no-merges all
  `),
      },
    },
  ],
  [
    'describe',
    {
      table: {
        long: wordList(`
    all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent
    dirty? broken?
  `),
      },
      isText: true,
    },
  ],
  [
    'rev-parse',
    {
      table: {
        flags: 'q',
        long: wordList(`
    abbrev-ref? short? verify quiet symbolic symbolic-full-name all branches? tags? remotes?
    show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir git-common-dir
    absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository
    revs-only no-revs since= until= show-object-format?
  `),
      },
      isText: true,
    },
  ],
  [
    'rev-list',
    {
      table: {
        flags: 'gim',
        values: 'n',
        numeric: true,
        long: wordList(`
    count all branches? tags? remotes? max-count= skip= since= until= after= before= author= grep=
    merges no-merges first-parent reverse topo-order date-order oneline abbrev-commit pretty? format=
    parents children left-right left-only right-only objects no-walk? ancestry-path boundary cherry-pick
    cherry-mark
  `),
      },
    },
  ],
  [
    'ls-files',
    {
      table: {
        flags: 'cdmoisuktvz',
        values: 'x',
        long: wordList(`
    cached deleted modified others ignored stage unmerged killed directory no-empty-directory exclude=
    exclude-standard error-unmatch full-name abbrev? debug deduplicate eol format=
  `),
      },
    },
  ],
  [
    'ls-tree',
    {
      table: {
        flags: 'drtlz',
        long: wordList(`
    long name-only name-status object-only full-name full-tree abbrev? format=
  `),
      },
    },
  ],
  ['cat-file', { table: { flags: 'pets', long: ['allow-unknown-type'] } }],
  [
    'show-ref',
    {
      table: {
        flags: 'dhqs',
        attached: 's',
        long: wordList('head heads tags branches dereference hash? verify quiet abbrev?'),
      },
      isText: true,
    },
  ],
  [
    'for-each-ref',
    {
      table: {
        long: wordList(`
    count= sort= format= color? points-at= merged? no-merged? contains? no-contains? ignore-case
  `),
      },
      isText: true,
    },
  ],
  [
    'merge-base',
    {
      table: { flags: 'a', long: ['all', 'octopus', 'is-ancestor', 'independent', 'fork-point'] },
      isText: true,
    },
  ],
  ['name-rev', { table: { long: wordList('tags name-only always all refs= exclude=') }, isText: true }],
  ['count-objects', { table: { flags: 'vH', long: ['verbose', 'human-readable'] }, check: atMost(0) }],
  ['cherry', { table: { flags: 'v', long: ['abbrev?'] }, isText: true }],
  ['check-ignore', { table: { flags: 'qvnz', long: ['quiet', 'verbose', 'non-matching', 'no-index'] } }],
  ['check-attr', { table: { flags: 'az', long: ['all', 'cached'] } }],
  ['symbolic-ref', { table: { flags: 'q', long: ['short', 'quiet'] }, isText: true, check: atMost(1) }],
  ['version', { table: { long: ['build-options'] }, check: atMost(0) }],
  [
    'branch',
    {
      table: {
        flags: 'ailqrv',
        long: wordList(`
    list all remotes show-current verbose quiet abbrev? no-abbrev color? no-color column? no-column
    sort= format= ignore-case points-at= merged? no-merged? contains= no-contains=
  `),
      },
      isText: true,
      check: listsOnly('--list', ...refFilters),
    },
  ],
  [
    'tag',
    {
      table: {
        flags: 'il',
        attached: 'n',
        long: wordList(`
    list sort= format= color? column? no-column ignore-case points-at= merged? no-merged? contains=
    no-contains=
  `),
      },
      isText: true,
      check: listsOnly('-l', '--list', '-n', ...refFilters),
    },
  ],
  ['remote', { table: { flags: 'v', long: ['verbose', 'all', 'push'] }, isText: true, check: judgeRemote }],
  ['reflog', { table: logOptions, check: judgeReflog }],
  ['stash', { table: logOptions, check: judgeStash }],
  [
    'worktree',
    {
      table: { flags: 'vz', long: ['porcelain', 'verbose'] },
      isText: true,
      check: ({ operands }) => onlyWord(operands, ['list'], 1),
    },
  ],
  [
    'config',
    {
      table: {
        flags: 'lz',
        long: wordList(`
    get get-all get-regexp list local global system worktree show-origin show-scope name-only null type=
    bool int path includes no-includes
  `),
      },
      isText: true,
      check: judgeConfig,
    },
  ],
]);

const globalPlain = new Set(
  wordList(`
    --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs
    --icase-pathspecs --no-replace-objects --no-lazy-fetch
  `),
);

/** git, by subcommand. Its own options can name another repository, whose configuration runs programs. */
export const git: Program = { names: ['git'], judge: judgeGit };

function judgeGit(args: readonly ShellWord[]): ReadVerdict {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    if (word.kind !== 'literal') return { check: 'option', source: word.source };
    if (globalPlain.has(word.value)) continue;
    const folder = args[at + 1];
    if (word.value === '-C' && folder?.kind === 'literal' && /^(\.\/*)+$/.test(folder.value)) {
      at += 1;
      continue;
    }
    break;
  }
  const name = args[at];
  if (name?.kind !== 'literal') return { check: 'option', source: name?.source ?? 'git' };
  if (name.value === '--version' || name.value === '-v') {
    return args.length === at + 1 ? { reads: [] } : { check: 'option', source: 'git' };
  }
  const subcommand = subcommands.get(name.value);
  if (!subcommand) return { check: 'option', source: `git ${wordText(name)}` };
  const rest = args.slice(at + 1);
  const parsed = readArguments(rest, subcommand.table);
  if ('check' in parsed) return parsed;
  const refusal = subcommand.check?.(parsed, rest);
  if (refusal) return refusal;
  // A format may ask for the check of a signature.
  const isOfNames = subcommand.isText && name.value !== 'describe' && !hasOption(parsed, '--format');
  if (isOfNames) return { reads: [] };
  const asksRepository = true;
  if (subcommand.isText) return { reads: [], asksRepository };
  const isPatternFirst = subcommand.hasPattern && !hasOption(parsed, '-e');
  const named = parsed.operands.slice(isPatternFirst ? 1 : 0).flatMap(namedFiles);
  const reads = subcommand.hasPattern ? [...named, ...treesOf([], searchedByGit(parsed))] : named;
  return { reads, asksRepository };
}

function searchedByGit(parsed: ParsedArguments): Parameters<typeof treesOf>[1] {
  const isQuiet = hasOption(
    parsed,
    ...wordList('-l -L -c -q --files-with-matches --name-only --files-without-match --count --quiet'),
  );
  const search = searched(parsed.options, parsed.operands);
  return { names: [], search, isQuiet, hasHidden: true, isTracked: true };
}

/** An operand may be a revision, a pattern of files, or `revision:file`; each way that it can be read counts. */
function namedFiles(word: ShellWord): ShellWord[] {
  if (word.kind !== 'literal') return [word];
  const pieces = word.value.split(':');
  const names = pieces.map((_, index) =>
    pieces
      .slice(index)
      .join(':')
      .replace(/^(\([^)]*\)|[!^])*/, ''),
  );
  return names
    .filter((name, index) => index === 0 || name !== '')
    .map((name, index) => {
      // Behind a colon a path begins at the top of the repository.
      const file = index === 0 ? name : name.replace(/^\/+/, '') || '.';
      const isPattern = /[*?[]/.test(file);
      return isPattern
        ? { kind: 'glob', source: word.source, pattern: file, head: '' }
        : { kind: 'literal', source: word.source, value: file };
    });
}

function onlyWord(
  operands: readonly ShellWord[],
  words: readonly string[],
  max: number,
): Refusal | undefined {
  const [first] = operands;
  const isKnown = first === undefined || words.includes(wordText(first));
  const extra = operands[max];
  if (isKnown && !extra) return undefined;
  return { check: 'option', source: (extra ?? first)?.source ?? 'git' };
}

function judgeRemote(parsed: ParsedArguments): Refusal | undefined {
  if (parsed.operands.length === 0) return undefined;
  return onlyWord(parsed.operands, ['get-url'], 2);
}

function judgeReflog({ operands }: ParsedArguments): Refusal | undefined {
  const [first] = operands;
  const writes = ['expire', 'delete', 'drop', 'write'];
  return first && writes.includes(wordText(first)) ? { check: 'option', source: first.source } : undefined;
}

/** Unless the first word is one of these, stash puts the changes away. */
function judgeStash(_parsed: ParsedArguments, args: readonly ShellWord[]): Refusal | undefined {
  const word = args[0] && wordText(args[0]);
  return word === 'list' || word === 'show'
    ? undefined
    : { check: 'option', source: `git stash ${word ?? ''}` };
}

/** One key is read, two write. */
function judgeConfig(parsed: ParsedArguments): Refusal | undefined {
  const isList = hasOption(parsed, '-l', '--list');
  const isGet = hasOption(parsed, '--get', '--get-all', '--get-regexp');
  const count = parsed.operands.length;
  if ((isList && count === 0) || (isGet && count === 1)) return undefined;
  return { check: 'option', source: `git config ${parsed.operands.map(wordText).join(' ')}` };
}

import { wordList } from '../../word-list.ts';
import { type ParsedArguments, readArguments } from '../argv.ts';
import { literalWord, type ShellWord, wordText } from '../words.ts';
import { type Program, program, type ReadVerdict, withoutText } from './program.ts';

const patternOptions = ['-e', '--regexp', '-f', '--file', '--files'];
/** Only names or counts are shown. */
const quietOptions = wordList(`
    -l -L -c -q --files --files-with-matches --files-without-match --count --count-matches --quiet --silent
  `);

/** grep and rg take their pattern from `-e`, from `-f` or from the first operand. */
function patternThenPaths({ options, operands, files }: ParsedArguments, reach: Reach): ReadVerdict {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const isGiven = has(...patternOptions);
  const paths = isGiven ? operands : operands.slice(1);
  // A pattern for file names can aim at files that would be left out otherwise.
  const includes = options.flatMap(({ name, value }) =>
    ['-g', '--glob', '--iglob', '--include'].includes(name) && value ? [value] : [],
  );
  const globs = includes.map(asPattern);
  const named = paths.filter((word) => word.source !== '-');
  const isQuiet = has(...quietOptions);
  const depth = reach(options);
  const hasHidden = depth === 'all';
  const search = searched(options, operands);
  const trees =
    depth === 'none' ? [] : treesOf(named, { names: includes.map(wordText), search, isQuiet, hasHidden });
  const reads = [...files, ...globs, ...named, ...trees];
  return { reads: isQuiet ? reads.map(withoutText) : reads };
}

/** Which files below the folders that it gets a search looks into. */
type Reach = (options: ParsedArguments['options']) => 'all' | 'visible' | 'none';

/** What lines must hold to be shown; undefined when any line may be. */
export function searched(
  options: ParsedArguments['options'],
  operands: readonly ShellWord[],
): string | undefined {
  const names = options.map(({ name }) => name);
  const isOpen = ['-v', '--invert-match', '-f', '--file', '--passthru'].some((name) => names.includes(name));
  // Lines around a match come with it; a file with secrets is short.
  if (isOpen) return undefined;
  const given = options.flatMap(({ name, value }) =>
    (name === '-e' || name === '--regexp') && value ? [wordText(value)] : [],
  );
  const [first] = operands;
  const all = given.length > 0 ? given : first?.kind === 'literal' ? [first.value] : [''];
  return all.join('\n');
}

/** What a search below the named folders, or below the working folder, may show. */
export function treesOf(
  paths: readonly ShellWord[],
  choice: {
    names: readonly string[];
    search: string | undefined;
    isQuiet: boolean;
    hasHidden: boolean;
    isTracked?: true;
  },
): ShellWord[] {
  if (choice.isQuiet) return [];
  const { names, search, hasHidden, isTracked } = choice;
  const kept = names.filter((name) => !name.startsWith('!'));
  const tree = { names: kept, hasHidden, search, ...(isTracked ? { isTracked } : {}) };
  const folders = paths.length > 0 ? paths : [literalWord('.')];
  return folders.flatMap((word): ShellWord[] => {
    if (word.kind === 'dynamic') return [];
    const text = word.kind === 'literal' ? word.value : word.head.slice(0, word.head.lastIndexOf('/') + 1);
    const head = text === '' ? '' : text.replace(/\/*$/, '/');
    return [{ kind: 'glob', source: word.source, pattern: `${head}**`, head, tree }];
  });
}

function asPattern(word: ShellWord): ShellWord {
  const pattern = wordText(word);
  return pattern.startsWith('!')
    ? { ...word, kind: 'literal', value: '.' }
    : { kind: 'glob', source: pattern, pattern, head: '' };
}

const grepTable = {
  flags: 'EFGPivwxclLoqsbHhnTUzraIZ',
  values: 'eABCmdD',
  files: 'f',
  long: wordList(`
    extended-regexp fixed-strings basic-regexp perl-regexp regexp= file< ignore-case no-ignore-case
    invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches
    max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label=
    line-number initial-tab null after-context= before-context= context= text binary-files= exclude=
    exclude-dir= include= recursive line-buffered null-data help version
  `),
  numeric: true,
  // Of its options none writes or runs anything.
  anyGlob: true,
};

const rgTable = {
  // Without -z (starts decompressors), -L (follows links out), -u and -. (reach what is kept apart).
  flags: 'aFihnNoPqsSUvwxlcHI0bp',
  values: 'ABCEegjmMrtTd',
  files: 'f',
  long: wordList(`
    after-context= before-context= context= case-sensitive color= colors= column no-column
    context-separator= count count-matches crlf encoding= files files-with-matches files-without-match
    fixed-strings glob= iglob= glob-case-insensitive heading no-heading ignore-case invert-match json
    line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth=
    max-filesize= multiline multiline-dotall no-config no-messages null null-data one-file-system
    only-matching passthru pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text
    threads= trim type= type-not= type-list vimgrep with-filename no-filename word-regexp file< help
    version
  `),
};

const fdTable = {
  flags: 'igapFs0',
  values: 'tedEcSj',
  long: wordList(`
    type= extension= max-depth= min-depth= exclude= glob fixed-strings ignore-case case-sensitive
    absolute-path full-path print0 color= size= help version
  `),
};

/** Options and tests of find that only look; those in `valued` take one word. */
const findPlain = new Set(
  wordList(`
    -H -P -print -print0 -ls -prune -quit -not ! ( ) -a -and -o -or , -depth -d -mount -xdev -daystart
    -noleaf -warn -nowarn -ignore_readdir_race -empty -executable -readable -writable -nogroup -nouser
    -true -false
  `),
);
const findValued = new Set(
  wordList(`
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth
    -mindepth -size -mtime -mmin -ctime -cmin -atime -amin -used -perm -user -group -uid -gid -links
    -inum -fstype -lname -ilname -printf -newermt
  `),
);
const findFiles = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

function judgeFind(args: readonly ShellWord[]): ReadVerdict {
  const reads: ShellWord[] = [];
  let isExpression = false;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as ShellWord;
    if (word.kind === 'dynamic') return { check: 'injection', source: word.source };
    // A file in the folder could be named like an action.
    if (word.kind === 'glob' && (word.head === '' || word.head.startsWith('-'))) {
      return { check: 'glob', source: word.source };
    }
    const text = wordText(word);
    const isTest = /^[-!(),]/.test(text);
    if (!isTest) {
      if (isExpression) return { check: 'option', source: text };
      reads.push(word);
      continue;
    }
    if (/^-(exec|ok)(dir)?$/.test(text)) {
      return { check: 'recursive-ops', source: args.slice(index).map(wordText).join(' ') };
    }
    isExpression ||= text !== '-H' && text !== '-P';
    if (findPlain.has(text)) continue;
    const value = args[index + 1];
    if (value?.kind !== 'literal') return { check: 'option', source: text };
    if (findFiles.has(text)) reads.push(value);
    else if (!findValued.has(text)) return { check: 'option', source: text };
    index += 1;
  }
  return { reads };
}

function judgedBy(
  names: readonly string[],
  table: Parameters<typeof readArguments>[1],
  reach: Reach,
): Program {
  return {
    names,
    judge(args) {
      const parsed = readArguments(args, table);
      return 'check' in parsed ? parsed : patternThenPaths(parsed, reach);
    },
  };
}

export const searchPrograms: readonly Program[] = [
  judgedBy(['grep', 'egrep', 'fgrep'], grepTable, (options) =>
    options.some(({ name }) => name === '-r' || name === '--recursive') ? 'all' : 'none',
  ),
  judgedBy(['rg'], rgTable, () => 'visible'),
  judgedBy(['fd', 'fdfind'], fdTable, () => 'none'),
  { names: ['find'], judge: judgeFind },
  program(
    ['tar'],
    { flags: 'tvzjJ', files: 'f', long: ['list', 'verbose', 'file<'] },
    { kind: 'texts' },
    ({ options, files }) => {
      const isList = options.some(({ name }) => name === '-t' || name === '--list');
      // A colon makes the archive one of another machine.
      const isLocal = files.length === 1 && files.every((word) => !/[:]/.test(wordText(word)));
      return isList && isLocal ? undefined : { check: 'option', source: 'tar' };
    },
  ),
];

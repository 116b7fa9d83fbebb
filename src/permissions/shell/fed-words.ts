import { execOfFind, programName } from './unwrap.ts';
import { type ShellWord, type TreeNames, wordText } from './words.ts';

/** What `find … -exec` and `xargs` run, with words that say which files they get. */
type FedCommand = {
  /** The words of the outer program by itself; undefined when it does nothing but run the inner one. */
  outer: readonly ShellWord[] | undefined;
  /** Each must be judged: the same command on the files of another folder. */
  inner: readonly (readonly ShellWord[])[];
};

/**
 * Undefined when it cannot be told which files the inner command gets. `feeders`: what writes into the pipe, the
 * nearest first.
 */
export function fedCommand(
  words: readonly ShellWord[],
  feeders: readonly (readonly ShellWord[])[],
): FedCommand | undefined {
  switch (programName(words[0])) {
    case 'find':
      return fedByFind(words);
    case 'xargs':
      return fedByPipe(words.slice(1), feeders);
    default:
      return undefined;
  }
}

function fedByFind(words: readonly ShellWord[]): FedCommand | undefined {
  const texts = words.map(wordText);
  const { start, end } = execOfFind(words) ?? { start: 0, end: 0 };
  const isOnly = texts.filter((text) => /^-(exec|execdir|ok|okdir)$/.test(text)).length === 1;
  if (texts[start] !== '-exec' || !isOnly || end === words.length) return undefined;
  const outer = [...words.slice(0, start), ...words.slice(end + 1)];
  const isSingle = texts[end] === ';';
  const files = filesOfFind(outer.slice(1), { isOpened: true });
  const command = words.slice(start + 1, end);
  if (command.length === 0) return undefined;
  return files && { outer, inner: files.map((file) => place(command, '{}', { file, isSingle })) };
}

function fedByPipe(
  args: readonly ShellWord[],
  feeders: readonly (readonly ShellWord[])[],
): FedCommand | undefined {
  let at = 0;
  let isSplit = true;
  let isSingle = false;
  let sign: string | undefined;
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (word?.kind !== 'literal') return undefined;
    const text = word.value;
    const next = args[at + 1];
    const value = next?.kind === 'literal' ? next.value : '';
    if (!text.startsWith('-')) break;
    if (/^(-0|-0r|-r0|--null)$/.test(text)) isSplit = false;
    else if (/^-I./.test(text)) sign = text.slice(2);
    else if (text === '-I' && value !== '') {
      sign = value;
      at += 1;
    } else if (/^(-r|--no-run-if-empty|-[nLP]\d+)$/.test(text)) isSingle ||= /^-[nL]1$/.test(text);
    else if (/^-[nLP]$/.test(text) && /^\d+$/.test(value)) {
      isSingle ||= text !== '-P' && value === '1';
      at += 1;
    } else if (/^-d(\\n|\n)$/.test(text)) isSplit = false;
    else if (text === '-d' && /^(\\n|\n)$/.test(value)) {
      isSplit = false;
      at += 1;
    } else return undefined;
  }
  const command = args.slice(at);
  const files = filesOfPipe(feeders, isSplit ? { isOpened: true, isSplit } : { isOpened: true });
  if (!files || command.length === 0) return undefined;
  const fed = files.map((file) =>
    sign === undefined
      ? [...command, single(file, isSingle)]
      : place(command, sign, { file, isSingle: true }),
  );
  return { outer: undefined, inner: fed };
}

type TreeWord = Extract<ShellWord, { kind: 'glob' }>;
type Marks = Pick<TreeNames, 'isOpened' | 'isSplit'>;

function single(file: TreeWord, isSingle: boolean): TreeWord {
  return isSingle ? { ...file, isSingle } : file;
}

/** Where the sign is part of a word, nobody can say what the word becomes. */
function place(
  command: readonly ShellWord[],
  sign: string,
  { file, isSingle }: { file: TreeWord; isSingle: boolean },
): ShellWord[] {
  return command.map((word) => {
    const text = wordText(word);
    if (!text.includes(sign)) return word;
    if (word.kind === 'literal' && text === sign) return single(file, isSingle);
    const { source } = word;
    return { kind: 'dynamic', source, head: '', fragments: text.split(sign), variables: [], isSingle: true };
  });
}

function treeWord(folder: string, tree: TreeNames): TreeWord {
  const start = folder === '' ? '' : folder.replace(/\/*$/, '/');
  return { kind: 'glob', source: "'{}'", pattern: `${start}**`, head: start, tree };
}

/** Filters that let whole lines through and change none. */
function isFilter(words: readonly ShellWord[]): boolean {
  const texts = words.slice(1).map(wordText);
  const isPlain = words.every((word) => word.kind === 'literal');
  switch (programName(words[0])) {
    case 'head':
    case 'tail':
      return isPlain && texts.every((text) => /^(-n|-?\d+|-n\d+)$/.test(text));
    case 'sort':
    case 'uniq':
      return isPlain && texts.every((text) => /^-[ruzV]+$/.test(text));
    case 'grep':
    case 'egrep':
      return (
        isPlain &&
        texts.filter((text) => !/^-[viEFwxz]+$/.test(text)).length === 1 &&
        texts.every((text) => !/^-.*[^viEFwxz-]/.test(text))
      );
    default:
      return false;
  }
}

function filesOfPipe(feeders: readonly (readonly ShellWord[])[], marks: Marks): TreeWord[] | undefined {
  const at = feeders.findIndex((words) => !isFilter(words));
  const source = feeders[at];
  switch (programName(source?.[0])) {
    case 'find':
      return filesOfFind(source?.slice(1) ?? [], marks);
    case 'git':
      return filesOfGit(source?.slice(1) ?? [], marks);
    default:
      return undefined;
  }
}

/** Names relative to the folder, as git prints them by default. */
function filesOfGit(args: readonly ShellWord[], marks: Marks): TreeWord[] | undefined {
  if (args.some((word) => word.kind !== 'literal')) return undefined;
  const [name = '', ...texts] = args.map(wordText);
  const options = texts.filter((text) => text.startsWith('-'));
  const known =
    name === 'ls-files'
      ? /^(-z|--)$/
      : name === 'diff'
        ? /^(-z|--|--name-only|--cached|--staged|--diff-filter=\w+)$/
        : name === 'grep'
          ? /^(-[lzwiEF]+|--)$/
          : undefined;
  if (!known || options.some((text) => !known.test(text))) return undefined;
  if (name === 'diff' && !options.includes('--name-only')) return undefined;
  if (name === 'grep' && !options.some((text) => /^-\w*l/.test(text))) return undefined;
  const patterns = texts.filter((text) => !text.startsWith('-'));
  const isNarrow =
    name === 'ls-files' && patterns.length > 0 && patterns.every((text) => /^\*\.\w+$/.test(text));
  return [treeWord('', { names: isNarrow ? patterns : [], hasHidden: true, isTracked: true, ...marks })];
}

/** The files that a `find` without further actions names. */
function filesOfFind(args: readonly ShellWord[], marks: Marks): TreeWord[] | undefined {
  if (args.some((word) => word.kind === 'dynamic')) return undefined;
  const texts = args.map(wordText);
  if (texts.some((text) => /^-(printf|ls|L|follow|files0-from|fprint.*|fls|delete)$/.test(text)))
    return undefined;
  const end = texts.findIndex((text) => /^[-!(),]/.test(text) && !/^-[HP]$/.test(text));
  const starts = args.slice(0, end < 0 ? args.length : end).filter((word) => !/^-[HP]$/.test(wordText(word)));
  if (starts.some((word) => word.kind !== 'literal')) return undefined;
  const tests = end < 0 ? [] : texts.slice(end);
  const names = wantedNames(tests);
  const without = leftOut(tests);
  const folders = starts.length > 0 ? starts.map(wordText) : ['.'];
  if (folders.length > 8) return undefined;
  return folders.map((folder) => {
    // `./x/*` is about the first level, and only where names begin with a dot.
    const fitting = without.filter((pattern) => pattern.startsWith('*') || folder === '.');
    return treeWord(folder, { names, hasHidden: true, without: fitting, ...marks });
  });
}

/** Patterns for names that every file must fit one of; empty when some file may fit none. */
function wantedNames(tests: readonly string[]): string[] {
  const isNot = (at: number) => tests[at - 1] === '!' || tests[at - 1] === '-not';
  const isAny = tests.includes('-o') || tests.includes('-or') || tests.includes(',');
  const names = tests.flatMap((text, at) => {
    const value = tests[at + 1];
    return (text === '-name' || text === '-iname') && value !== undefined && !isNot(at) ? [value] : [];
  });
  const hasNot = tests.includes('!') || tests.includes('-not');
  if (tests.includes('(') && hasNot) return [];
  if (!isAny) return names.slice(0, 1);
  const branches = tests.filter((text) => text === '-o' || text === '-or').length + 1;
  return names.length === branches && !tests.includes(',') && !hasNot ? names : [];
}

/** Folders whose files are never named (`-not -path ./x/…`): at the first level with a dot, else with a star. */
function leftOut(tests: readonly string[]): string[] {
  if (tests.some((text) => ['-o', '-or', ',', '(', '\\('].includes(text))) return [];
  return tests.flatMap((text, at) => {
    const isNot = tests[at - 1] === '!' || tests[at - 1] === '-not';
    const folder = /^([.*]\/[\w.-]+)\/\*$/.exec(tests[at + 1] ?? '')?.[1];
    return isNot && text === '-path' && folder !== undefined ? [folder] : [];
  });
}

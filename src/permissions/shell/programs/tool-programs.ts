import { wordList } from '../../word-list.ts';
import { wordText } from '../words.ts';
import { type Program, program } from './program.ts';

/**
 * Programs of developers. Those of binutils are not here: they take a file named `@x` for more options, one of which
 * loads a library. Those that run or load something of the working folder even for a version are not here either:
 * npm and yarn (their settings lie there), cargo and rustc (the folder picks the tool), go (fetches the one that
 * go.mod names), mvn, gradle.
 */
export const toolPrograms: readonly Program[] = [
  versionOnly(['node', 'nodejs'], ['-v', '--version']),
  versionOnly(['python', 'python2', 'python3'], ['-V', '--version']),
  versionOnly(['ruby', 'perl', 'php', 'lua'], ['-v', '--version']),
  versionOnly(['java', 'javac'], ['-version', '--version']),
  versionOnly(['make', 'gmake'], ['-v', '--version']),
  versionOnly(
    wordList(`
    gcc g++ cc clang clang++ ld cmake ninja curl wget tmux ffmpeg pandoc rsync sqlite3 psql mysql redis-cli
    docker podman aws gh
  `),
    ['--version'],
  ),
  program(
    ['unzip'],
    { flags: 'lqvZ1' },
    { kind: 'paths' },
    // Without one of these it unpacks.
    ({ options }) =>
      options.some(({ name }) => ['-l', '-v', '-Z'].includes(name))
        ? undefined
        : { check: 'option', source: 'unzip' },
  ),
  program(['zipinfo'], { flags: '12hlmsSvz' }, { kind: 'paths' }),
  program(['pgrep'], { flags: 'acfilnovwx', values: 'uPUg' }, { kind: 'texts' }),
  program(
    ['ss'],
    { flags: 'tulnpasx46HO', long: wordList('tcp udp listening numeric processes all help version') },
    { kind: 'none' },
  ),
  program(
    ['lscpu', 'lsblk'],
    { flags: 'afJp', long: ['all', 'json', 'fs', 'help', 'version'] },
    { kind: 'none' },
  ),
  program(['lsb_release', 'sw_vers'], { flags: 'acdirs', long: ['all'] }, { kind: 'none' }),
  program(['whereis'], { flags: 'bms' }, { kind: 'texts' }),
  program(['sleep'], {}, { kind: 'texts' }),
  program(
    ['numfmt', 'factor'],
    { long: wordList('from= to= suffix= padding= field= grouping help version') },
    { kind: 'texts' },
  ),
  program(['bc'], { flags: 'lqs' }, { kind: 'none' }),
  program(
    ['iconv'],
    { flags: 'cs', values: 'ft', long: wordList('from-code= to-code= list silent help version') },
    { kind: 'paths' },
  ),
];

/** A program that only says its version; an interpreter without arguments reads a program from its input. */
function versionOnly(names: readonly string[], options: readonly string[]): Program {
  return {
    names,
    judge(args) {
      const [first] = args;
      if (!first) return { check: 'bare-interpreter', source: 'no arguments' };
      const isVersion = args.length === 1 && first.kind === 'literal' && options.includes(first.value);
      return isVersion ? { reads: [] } : { check: 'interpreter', source: args.map(wordText).join(' ') };
    },
  };
}

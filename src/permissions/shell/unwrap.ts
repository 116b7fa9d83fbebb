import type { CheckId } from '../checks.ts';
import { wordList } from '../word-list.ts';
import type { ShellAssignment } from './walk.ts';
import { literalWord, type ShellWord, wordText } from './words.ts';

/** What a wrapper runs: another program's words, or text that a shell reads. */
type Unwrapped = {
  inner: readonly ShellWord[];
  /** Shell source that runs; null when there is some but it is known only at run time. */
  text: string | null | undefined;
  assignments: readonly ShellAssignment[];
  /** Harmless by itself: what it runs decides alone. Undefined refusal only with all options known. */
  refusal: CheckId | undefined;
  /** An allow rule for the inner command covers this one too. */
  isStrippable: boolean;
};

type Wrapper = {
  /** Short options with a value. */
  values?: string;
  /** Long options whose value is the next word. */
  longValues?: readonly string[];
  /** Operands before the command. */
  operands?: number;
  /** `NAME=value` words before the command set variables. */
  hasAssignments?: boolean;
  /** Options that keep a transparent wrapper transparent, in full. */
  known?: RegExp;
  refusal?: CheckId;
  isStrippable?: boolean;
  /** Short or long options whose value is shell text. */
  textOptions?: readonly string[];
  /** What it reads becomes further words of the command. */
  addsWords?: true;
};

const shells = wordList('sh bash dash zsh ksh mksh ash rbash');

const wrappers = new Map<string, Wrapper>([
  ['command', { known: /^-p$/, isStrippable: true }],
  ['builtin', { known: /^$/, isStrippable: true }],
  ['noglob', { known: /^$/, isStrippable: true }],
  [
    'nice',
    {
      values: 'n',
      longValues: ['--adjustment'],
      known: /^(-n|-?\d+|-\d+|--adjustment=-?\d+)$/,
      isStrippable: true,
    },
  ],
  [
    'timeout',
    {
      values: 'ks',
      longValues: ['--kill-after', '--signal'],
      operands: 1,
      known:
        /^(-[ksv]|-k\d+\w?|-s\w+|--foreground|--preserve-status|--verbose|--kill-after(=\S+)?|--signal(=\S+)?)$/,
      isStrippable: true,
    },
  ],
  [
    'stdbuf',
    {
      values: 'ioe',
      longValues: ['--input', '--output', '--error'],
      known: /^(-[ioe](L|\d+\w?)?|--(input|output|error)=\w+)$/,
      isStrippable: true,
    },
  ],
  ['time', { values: 'fo', longValues: ['--format', '--output'], known: /^-p$/, isStrippable: true }],
  [
    'env',
    {
      values: 'uCS',
      longValues: ['--unset', '--chdir', '--split-string'],
      hasAssignments: true,
      known: /^(-i|--ignore-environment|-u|--unset=\w+)$/,
      textOptions: ['-S', '--split-string'],
    },
  ],
  ['nohup', { refusal: 'background', isStrippable: true }],
  ['exec', { values: 'a', refusal: 'state-builtin' }],
  [
    'sudo',
    {
      values: 'CDghpRrtTuU',
      longValues: wordList('--user --group --host --prompt --chdir --chroot --role --type'),
      hasAssignments: true,
      refusal: 'privilege',
    },
  ],
  ['doas', { values: 'Cu', refusal: 'privilege' }],
  ['pkexec', { longValues: ['--user'], refusal: 'privilege' }],
  [
    'su',
    {
      values: 'gGsw',
      longValues: ['--group', '--shell'],
      operands: 1,
      refusal: 'privilege',
      textOptions: ['-c', '--command'],
    },
  ],
  ['runuser', { values: 'gGsuw', operands: 0, refusal: 'privilege', textOptions: ['-c', '--command'] }],
  [
    'xargs',
    {
      values: 'adEeIiLlnPs',
      longValues: wordList(`
    --arg-file --delimiter --max-args --max-lines --max-procs --max-chars --replace
  `),
      refusal: 'recursive-ops',
      addsWords: true,
    },
  ],
  ['parallel', { values: 'jSaIN', refusal: 'recursive-ops', addsWords: true }],
  ['setsid', { refusal: 'background' }],
  ['ionice', { values: 'cnpPu', refusal: 'wrapper' }],
  ['chrt', { values: 'TPDp', operands: 1, refusal: 'wrapper' }],
  ['taskset', { operands: 1, refusal: 'wrapper' }],
  ['numactl', { values: 'NmC', refusal: 'wrapper' }],
  ['setpriv', { refusal: 'wrapper' }],
  ['setarch', { refusal: 'wrapper' }],
  ['systemd-run', { values: 'pEtu', refusal: 'wrapper' }],
  ['systemd-inhibit', { refusal: 'wrapper' }],
  ['caffeinate', { values: 'tw', refusal: 'wrapper' }],
  ['watch', { values: 'nq', longValues: ['--interval'], refusal: 'wrapper' }],
  ['strace', { values: 'aeoOpsSuEPIbX', refusal: 'wrapper' }],
  ['ltrace', { values: 'aAeoOpsSulFwnx', refusal: 'wrapper' }],
  ['gdb', { refusal: 'wrapper' }],
  ['unshare', { values: 'SGRw', refusal: 'wrapper' }],
  ['nsenter', { values: 'tSGrw', refusal: 'wrapper' }],
  ['chroot', { operands: 1, refusal: 'privilege' }],
  ['flock', { values: 'wE', operands: 1, refusal: 'wrapper', textOptions: ['-c', '--command'] }],
  ['script', { values: 'EIOBTot', refusal: 'wrapper', textOptions: ['-c', '--command'] }],
  ['busybox', { refusal: 'wrapper' }],
  ['toybox', { refusal: 'wrapper' }],
  ['entr', { refusal: 'wrapper' }],
  ['unbuffer', { refusal: 'wrapper' }],
  ['dbus-run-session', { refusal: 'wrapper' }],
  ['xvfb-run', { values: 'nesfp', refusal: 'wrapper' }],
  ['proxychains', { values: 'f', refusal: 'network' }],
  ['torsocks', { refusal: 'network' }],
]);

/** The words that start a program, without folder and with the backslash that skips an alias gone. */
export function programName(word: ShellWord | undefined): string | undefined {
  if (word?.kind !== 'literal') return undefined;
  return word.value.slice(word.value.lastIndexOf('/') + 1);
}

/** Undefined when the command runs nothing else that can be seen. */
export function unwrap(words: readonly ShellWord[]): Unwrapped | undefined {
  const name = programName(words[0]);
  if (name === undefined) return undefined;
  const args = words.slice(1);
  if (shells.includes(name)) return unwrapShell(args);
  // Close enough to see what it must never run, not to say that it is harmless.
  if (name === 'fish') return { ...unwrapShell(args), refusal: 'unsupported-shell' };
  if (name === 'eval') return asText(args, 'injection');
  if (name === 'trap') return asText(args.slice(0, 1), 'state-builtin');
  if (name === 'find' || name === 'fd' || name === 'fdfind') return unwrapFind(args);
  const wrapper = wrappers.get(name);
  return wrapper && unwrapCommand(args, wrapper);
}

function unwrapCommand(args: readonly ShellWord[], wrapper: Wrapper): Unwrapped {
  const assignments: ShellAssignment[] = [];
  let text: string | null | undefined;
  let refusal = wrapper.refusal;
  let operands = wrapper.operands ?? 0;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    const value = wordText(word);
    const isOption = value.startsWith('-') && value !== '-';
    if (value === '--') continue;
    if (isOption) {
      if (word.kind !== 'literal' || !wrapper.known?.test(value)) refusal ??= 'wrapper';
      const optionText = textOf(value, args[at + 1], wrapper.textOptions ?? []);
      if (optionText) {
        text = optionText.text;
        at += optionText.tookNext ? 1 : 0;
      } else if (takesNext(value, wrapper)) at += 1;
      continue;
    }
    const assigned = wrapper.hasAssignments ? /^([A-Za-z_]\w*)=/.exec(value) : null;
    if (assigned) {
      const rest = value.slice(assigned[0].length);
      const isLiteral = word.kind === 'literal';
      assignments.push({
        name: assigned[1] ?? '',
        value: isLiteral ? literalWord(rest) : undefined,
        source: word.source,
      });
      continue;
    }
    if (operands === 0) break;
    operands -= 1;
  }
  const inner = args.slice(at);
  return {
    inner: wrapper.addsWords && inner.length > 0 ? [...inner, readWords] : inner,
    text,
    assignments,
    refusal,
    isStrippable: wrapper.isStrippable ?? false,
  };
}

/** Known only when it runs. */
const readWords: ShellWord = {
  kind: 'dynamic',
  source: 'what it reads',
  head: '',
  fragments: [],
  variables: [],
};

function takesNext(option: string, wrapper: Wrapper): boolean {
  if (option.startsWith('--')) return wrapper.longValues?.includes(option) ?? false;
  // Attached (`-n5`) takes nothing more; in a cluster only the last letter can take the next word.
  const letters = option.slice(1);
  const first = [...letters].findIndex((letter) => wrapper.values?.includes(letter));
  return first >= 0 && first === letters.length - 1;
}

function textOf(
  option: string,
  next: ShellWord | undefined,
  textOptions: readonly string[],
): { text: string | null; tookNext: boolean } | undefined {
  for (const known of textOptions) {
    const isCluster = known.length === 2 && /^-[A-Za-z]+$/.test(option) && option.endsWith(known.charAt(1));
    if (option === known || isCluster) {
      return { text: next?.kind === 'literal' ? next.value : null, tookNext: true };
    }
    if (known.startsWith('--') && option.startsWith(`${known}=`)) {
      return { text: option.slice(known.length + 1), tookNext: false };
    }
    if (known.length === 2 && option.startsWith(known)) return { text: option.slice(2), tookNext: false };
  }
  return undefined;
}

/** `bash -c text`; without `-c` it runs a file or what it is fed. */
function unwrapShell(args: readonly ShellWord[]): Unwrapped {
  const nothing = { inner: [], assignments: [], isStrippable: false };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    const value = wordText(word);
    if (!/^[-+]/.test(value)) break;
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(value)) {
      const text = args.slice(at + 1).find((next) => !/^[-+]./.test(wordText(next)));
      return { ...nothing, text: text?.kind === 'literal' ? text.value : null, refusal: 'interpreter' };
    }
    if (wordList('-o -O +o +O --rcfile --init-file').includes(value)) at += 1;
  }
  return { ...nothing, text: undefined, refusal: args.length === 0 ? 'bare-interpreter' : 'interpreter' };
}

function asText(args: readonly ShellWord[], refusal: CheckId): Unwrapped {
  const isKnown = args.every((word) => word.kind === 'literal');
  const text = isKnown ? args.map(wordText).join(' ') : null;
  return {
    inner: [],
    text: args.length > 0 ? text : undefined,
    assignments: [],
    refusal,
    isStrippable: false,
  };
}

const execOptions = wordList('-exec -execdir -ok -okdir -x -X --exec --exec-batch');

function unwrapFind(args: readonly ShellWord[]): Unwrapped | undefined {
  const found = execOfFind(args);
  if (!found) return undefined;
  const inner = args.slice(found.start + 1, found.end);
  return { inner, text: undefined, assignments: [], refusal: 'recursive-ops', isStrippable: false };
}

/** The first command that find runs: from its option to the sign that ends it. A `+` ends it only behind `{}`. */
export function execOfFind(args: readonly ShellWord[]): { start: number; end: number } | undefined {
  const texts = args.map(wordText);
  const start = texts.findIndex((text) => execOptions.includes(text));
  if (start < 0) return undefined;
  const isPlus = (at: number) => texts[at - 1] === '{}' || at === texts.length - 1;
  const isEnd = (text: string, at: number) => at > start && (text === ';' || (text === '+' && isPlus(at)));
  const end = texts.findIndex(isEnd);
  return { start, end: end < 0 ? texts.length : end };
}

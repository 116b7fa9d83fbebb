import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Stands in everything that is planted; where it shows, it may only show as these letters. */
const plantedWord = 'PLANTED';

const clipboard = `\x1b]52;c;${Buffer.from(plantedWord).toString('base64')}\x07`;

/**
 * Attacks on a terminal by text, each with the word that says what it aims at. No text that a program shows may
 * bring any of them to the terminal.
 */
export const attacks: Readonly<Record<string, string>> = {
  clipboard,
  'clipboard with ST': clipboard.replace('\x07', '\x1b\\'),
  'clipboard in C1': `\x9d52;c;UExBTlRFRA==\x9c`,
  'clipboard through tmux': `\x1bPtmux;\x1b${clipboard}\x1b\\`,
  title: `\x1b]0;${plantedWord}\x07`,
  'title with ST': `\x1b]2;${plantedWord}\x1b\\`,
  'title without an end': `\x1b]0;${plantedWord}`,
  'title stack': '\x1b[22;0t\x1b[23;0t',
  'icon and folder': `\x1b]1;${plantedWord}\x07\x1b]7;file:///${plantedWord}\x07`,
  link: `\x1b]8;;https://evil.example/${plantedWord}\x1b\\here\x1b]8;;\x1b\\`,
  notification: `\x1b]9;${plantedWord}\x07\x1b]777;notify;${plantedWord};x\x07\x1b]99;;${plantedWord}\x1b\\`,
  palette: '\x1b]4;1;rgb:01/02/03\x07\x1b]10;#010203\x07\x1b]11;#010203\x07\x1b]104\x07',
  colours: '\x1b[38;2;1;2;3m\x1b[48;2;4;5;6m\x1b[7;8;9m',
  'colours in C1': '\x9b38;2;1;2;3m\x9b7m',
  cursor: '\x1b[7;77H\x1b[77G\x1b[3A\x1b[200b',
  screen: '\x1b[2J\x1b[3J\x1b[H\x1b[J\x1b[7S\x1b[7L\x1b[7M',
  region: '\x1b[5;10r\x1b[?6h\x1b[?7l\x1b[4h',
  modes: '\x1b[?1049l\x1b[?25l\x1b[?1003h\x1b[?2004l\x1b[?1h\x1b=\x1b[?9001h\x1b[?2026h',
  keyboard: '\x1b[>31u\x1b[=31;1u\x1b[>4;2m',
  reset: '\x1bc\x1b[!p\x1b#8',
  charset: '\x0e\x1b(0\x1b)0\x1b%@lqqk',
  questions: '\x1b[6n\x1b[c\x1b[>c\x1b]52;c;?\x07\x1bP+q544e\x1b\\\x1b[?996n\x05',
  strings: `\x1b_G${plantedWord}\x1b\\\x1b^${plantedWord}\x1b\\\x1bX${plantedWord}\x1b\\\x1bP0;0q${plantedWord}\x1b\\`,
  'end of paste': '\x1b[201~\r!touch owned\r',
  controls: 'a\x00\x01\x07\x08\x08\x7fb\rc\x0bd\x0ce\x85f',
  bidi: 'user\u202e\u2066nimda\u2069\u2066\u200f',
  invisible: 'pass\u200bword\u2060\ufeff\u{e0049}\u{e006e}',
  'cut sequence': '\x1b[38;2;1;2',
};

/** Pieces of the attacks that are enough to know one by; none of them may stand in what reaches a terminal. */
export const attackMarks: readonly string[] = [
  ...[
    '\x1b]52',
    '\x9d',
    '\x9b',
    '\x1bP',
    '\x1b_',
    '\x1b^',
    '\x1bX',
    '\x1b]0',
    '\x1b]1;',
    '\x1b]2',
    '\x1b]4',
    '\x1b]7',
  ],
  ...[
    '\x1b]8',
    '\x1b]9',
    '\x1b]10;',
    '\x1b]11;#',
    '\x1b[38;2;1;2',
    '\x1b[48;2;4;5',
    '\x1b[7;8;9m',
    '\x1b[7;77H',
  ],
  ...['\x1b[200b', '\x1b[2J', '\x1b[3J', '\x1b[7S', '\x1b[7L', '\x1b[5;10r', '\x1b[?6h', '\x1b[4h'],
  ...[
    '\x1b[?1003h',
    '\x1b[?1h',
    '\x1b=',
    '\x1b[?9001h',
    '\x1b[>31u',
    '\x1b[=31',
    '\x1b[>4;2m',
    '\x1bc',
    '\x1b[!p',
  ],
  ...[
    '\x1b#8',
    '\x0e',
    '\x1b(0',
    '\x1b%',
    '\x1b[6n',
    '\x1b[c',
    '\x1b[>c',
    '\x05',
    '\x07',
    '\x08',
    '\x7f',
    '\u202e',
  ],
];

type CorpusRow = { kind: string; input: string };

/** The attacks, and what the corpus adds where it is at hand. */
export function hostileTexts(): string[] {
  const file = path.resolve(import.meta.dirname, '../../../../shared/corpora/terminal-cases.jsonl');
  const rows = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const inputs = rows.map((row) => JSON.parse(row) as CorpusRow).map(({ input }) => input);
  return [...Object.values(attacks), ...inputs];
}

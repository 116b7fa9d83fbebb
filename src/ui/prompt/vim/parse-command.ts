import { isRegisterName } from './registers.ts';
import type { Motion, Operator, Target, VimAction, VimCommand } from './vim-state.ts';

/** `more`: the keys may become a command. `bad`: they never will. */
export type Parsed = 'more' | 'bad' | VimCommand;

const plainMotions = new Set(
  'h l j k w W b B e E 0 ^ $ _ + - | G % { } ; , <Left> <Right> <Up> <Down> <Home> <End> <Space> <BS>'.split(
    ' ',
  ),
);
const searchMotions = new Set(['f', 'F', 't', 'T']);
const gMotions = new Set(['g', 'e', 'E', '_']);
const operators = new Set(['d', 'c', 'y', '>', '<']);
const gOperators = new Set(['~', 'u', 'U']);
const objects = new Set('w W p " \' ` ( ) b [ ] { } B < > t'.split(' '));

/** Keys that stand for an operator with its target. */
const short: Readonly<Record<string, readonly [Operator, string]>> = {
  x: ['d', 'l'],
  '<Del>': ['d', 'l'],
  X: ['d', 'h'],
  s: ['c', 'l'],
  D: ['d', '$'],
  C: ['c', '$'],
};
const shortLines: Readonly<Record<string, Operator>> = { Y: 'y', S: 'c' };
const normalKeys = new Set([
  'i',
  'I',
  'a',
  'A',
  'o',
  'O',
  'p',
  'P',
  'u',
  'J',
  '~',
  '.',
  'R',
  'v',
  'V',
  '<C-r>',
  '<C-a>',
  '<C-x>',
]);
const visualKeys = new Set(['p', 'P', 'J', 'o', 'O', 'v', 'V', 'I', 'A']);
const visualOperators: Readonly<Record<string, readonly [Operator, boolean]>> = {
  d: ['d', false],
  x: ['d', false],
  '<Del>': ['d', false],
  '<BS>': ['d', false],
  D: ['d', true],
  X: ['d', true],
  c: ['c', false],
  s: ['c', false],
  C: ['c', true],
  S: ['c', true],
  R: ['c', true],
  y: ['y', false],
  Y: ['y', true],
  '>': ['>', true],
  '<': ['<', true],
  '~': ['g~', false],
  u: ['gu', false],
  U: ['gU', false],
};

const mostCount = 9_999;

export function parseCommand(keys: readonly string[], { isVisual }: { isVisual: boolean }): Parsed {
  const start = { at: 0, register: null as string | null, count: null as number | null };
  for (;;) {
    const counted = readCount(keys, start.at);
    if (counted) {
      start.at = counted.at;
      start.count = counted.count;
    }
    if (keys[start.at] !== '"') break;
    const name = keys[start.at + 1];
    if (name === undefined) return 'more';
    if (!isRegisterName(name)) return 'bad';
    start.register = name;
    start.at += 2;
  }
  const { at, register, count } = start;
  if (keys[at] === undefined) return 'more';
  const read = isVisual ? readVisual(keys, at) : readNormal(keys, at);
  if (typeof read === 'string') return read;
  const all = read.count === undefined ? count : Math.min(mostCount, (count ?? 1) * read.count);
  return { register, count: all, action: read.action };
}

type Read = 'more' | 'bad' | { readonly action: VimAction; readonly count?: number };

function readCount(keys: readonly string[], from: number): { at: number; count: number } | undefined {
  let at = from;
  let count = 0;
  while (/^[0-9]$/.test(keys[at] ?? '') && !(at === from && keys[at] === '0')) {
    count = Math.min(mostCount, count * 10 + Number(keys[at]));
    at += 1;
  }
  return at === from ? undefined : { at, count };
}

function readNormal(keys: readonly string[], at: number): Read {
  const key = keys[at] ?? '';
  const operator = readOperator(keys, at);
  if (operator) return readTarget(keys, operator.at, operator.operator);
  const shortened = own(short, key);
  if (shortened) {
    const [name, motion] = shortened;
    const target: Target = { kind: 'motion', motion: { name: motion } };
    return { action: { kind: 'operate', operator: name, target } };
  }
  const lines = own(shortLines, key);
  if (lines) return { action: { kind: 'operate', operator: lines, target: { kind: 'lines' } } };
  if (normalKeys.has(key)) return { action: { kind: 'key', name: key } };
  if (key === 'r') return withCharacter(keys, at);
  if (key === 'g' && keys[at + 1] === 'J') return { action: { kind: 'key', name: 'gJ' } };
  const motion = readMotion(keys, at);
  return typeof motion === 'string' ? motion : { action: { kind: 'move', motion } };
}

function readVisual(keys: readonly string[], at: number): Read {
  const key = keys[at] ?? '';
  const found = own(visualOperators, key);
  if (found) {
    const [operator, isLinewise] = found;
    return { action: { kind: 'operate-selected', operator, isLinewise } };
  }
  if (key === 'i' || key === 'a') {
    const object = keys[at + 1];
    if (object === undefined) return 'more';
    return objects.has(object) ? { action: { kind: 'select', object, isAround: key === 'a' } } : 'bad';
  }
  if (visualKeys.has(key)) return { action: { kind: 'key', name: key } };
  if (key === 'r') return withCharacter(keys, at);
  if (key === 'g' && keys[at + 1] === 'J') return { action: { kind: 'key', name: 'gJ' } };
  const cased = readOperator(keys, at);
  if (cased) return { action: { kind: 'operate-selected', operator: cased.operator, isLinewise: false } };
  const motion = readMotion(keys, at);
  return typeof motion === 'string' ? motion : { action: { kind: 'move', motion } };
}

function readOperator(keys: readonly string[], at: number): { operator: Operator; at: number } | undefined {
  const key = keys[at] ?? '';
  if (operators.has(key)) return { operator: key as Operator, at: at + 1 };
  const second = keys[at + 1] ?? '';
  return key === 'g' && gOperators.has(second)
    ? { operator: `g${second}` as Operator, at: at + 2 }
    : undefined;
}

function readTarget(keys: readonly string[], from: number, operator: Operator): Read {
  const counted = readCount(keys, from);
  const at = counted?.at ?? from;
  const count = counted ? { count: counted.count } : {};
  const key = keys[at];
  if (key === undefined) return 'more';
  const isSame = key === operator || (operator.startsWith('g') && `g${key}` === operator);
  const isSameInFull = operator.startsWith('g') && key === 'g' && `g${keys[at + 1]}` === operator;
  if (isSame || isSameInFull)
    return { action: { kind: 'operate', operator, target: { kind: 'lines' } }, ...count };
  if (key === 'i' || key === 'a') {
    const object = keys[at + 1];
    if (object === undefined) return 'more';
    if (!objects.has(object)) return 'bad';
    return {
      action: { kind: 'operate', operator, target: { kind: 'object', object, isAround: key === 'a' } },
      ...count,
    };
  }
  const motion = readMotion(keys, at);
  if (typeof motion === 'string') return motion;
  return { action: { kind: 'operate', operator, target: { kind: 'motion', motion } }, ...count };
}

function readMotion(keys: readonly string[], at: number): 'more' | 'bad' | Motion {
  const key = keys[at] ?? '';
  if (plainMotions.has(key)) return { name: key };
  const next = keys[at + 1];
  if (searchMotions.has(key)) {
    if (next === undefined) return 'more';
    const character = typed(next);
    return character === undefined ? 'bad' : { name: key, character };
  }
  if (key !== 'g') return 'bad';
  if (next === undefined) return 'more';
  return gMotions.has(next) ? { name: `g${next}` } : 'bad';
}

function withCharacter(keys: readonly string[], at: number): Read {
  const next = keys[at + 1];
  if (next === undefined) return 'more';
  const character = next === '<CR>' ? '\n' : typed(next);
  return character === undefined ? 'bad' : { action: { kind: 'key', name: 'r', character } };
}

/** The character that a key types; undefined for a key that types none. */
function typed(key: string): string | undefined {
  if (key === '<Space>') return ' ';
  if (key === '<Tab>') return '\t';
  return /^<.+>$/.test(key) ? undefined : key;
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

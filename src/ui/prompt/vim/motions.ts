import { lineEnd, lineStart, nextGrapheme, previousGrapheme } from '../text-units.ts';
import { matchingBracket } from './brackets.ts';
import {
  atColumn,
  charactersBack,
  charactersOn,
  columnOf,
  firstSolid,
  lastInLine,
  lineFrom,
  lineNumbered,
} from './lines.ts';
import type { Motion, Operator } from './vim-state.ts';
import { isEmptyLine, isSolid, tokenAt, tokensOf } from './words.ts';

/** Where a motion leads, and what an operator takes with it. `goal`: the column that further j and k aim at. */
export type Reach = {
  readonly to: number;
  readonly isLinewise?: boolean;
  readonly isInclusive?: boolean;
  readonly goal?: number;
};

export type MotionScene = {
  readonly text: string;
  readonly cursor: number;
  readonly count: number | null;
  readonly goal: number | null;
  readonly find: Motion | null;
  /** The operator that waits for the motion. */
  readonly operator: Operator | null;
  readonly isVisual: boolean;
};

/** Undefined when the motion leads nowhere. */
export function reachOf(motion: Motion, scene: MotionScene): Reach | undefined {
  const { text, cursor, count } = scene;
  const times = count ?? 1;
  switch (motion.name) {
    case 'h':
    case '<Left>':
      return moved(cursor, charactersBack(text, cursor, times));
    case '<BS>':
      return moved(cursor, characters(text, cursor, -times));
    case 'l':
    case '<Right>': {
      const to = charactersOn(text, cursor, times);
      return moved(cursor, scene.operator || scene.isVisual ? to : Math.min(to, lastInLine(text, cursor)));
    }
    case '<Space>':
      return moved(cursor, characters(text, cursor, times));
    case 'j':
    case '<Down>':
      return toLine(scene, times);
    case 'k':
    case '<Up>':
      return toLine(scene, -times);
    case '0':
    case '<Home>':
      return { to: lineStart(text, cursor) };
    case '^':
      return { to: firstSolid(text, cursor) };
    case '|':
      return { to: atColumn(text, lineStart(text, cursor), times - 1) };
    case '$':
    case '<End>':
      return endOfLine(scene, times);
    case 'g_': {
      const start = lineFrom(text, cursor, times - 1) ?? lineStart(text, cursor);
      const solid = text.slice(start, lineEnd(text, start)).trimEnd().length;
      return { to: solid === 0 ? start : previousGrapheme(text, start + solid), isInclusive: true };
    }
    case '_':
      return solidLine(text, times === 1 ? lineStart(text, cursor) : lineFrom(text, cursor, times - 1));
    case '+':
      return solidLine(text, lineFrom(text, cursor, times));
    case '-':
      return solidLine(text, lineFrom(text, cursor, -times));
    case 'gg':
      return solidLine(text, lineNumbered(text, times));
    case 'G':
      return solidLine(text, count === null ? lineStart(text, text.length) : lineNumbered(text, count));
    case 'w':
    case 'W':
      return wordForward(scene, motion.name === 'W', times);
    case 'b':
    case 'B':
      return wordBack(scene, motion.name === 'B', times);
    case 'e':
    case 'E':
      return wordEnd(scene, { isBig: motion.name === 'E', times, stays: false });
    case 'ge':
    case 'gE':
      return wordEndBack(scene, motion.name === 'gE', times);
    case 'f':
    case 'F':
    case 't':
    case 'T':
      return findCharacter(scene, motion, { times, isAgain: false });
    case ';':
    case ',':
      return scene.find
        ? findCharacter(scene, turned(scene.find, motion.name === ','), { times, isAgain: true })
        : undefined;
    case '%': {
      const to = matchingBracket(text, cursor);
      return to === undefined ? undefined : { to, isInclusive: true };
    }
    case '{':
    case '}':
      return paragraph(scene, motion.name === '}' ? 1 : -1, times);
    default:
      return undefined;
  }
}

function moved(from: number, to: number): Reach | undefined {
  return from === to ? undefined : { to };
}

/** Space and Backspace cross the ends of lines. */
function characters(text: string, from: number, count: number): number {
  let at = from;
  for (let left = Math.abs(count); left > 0; left -= 1) {
    at = count > 0 ? nextGrapheme(text, at) : previousGrapheme(text, at);
    const isPastLine = text.charAt(at) === '\n' && lineStart(text, at) !== at;
    if (isPastLine) at = count > 0 ? at + 1 : previousGrapheme(text, at);
  }
  return at >= text.length ? lastInLine(text, text.length) : at;
}

function toLine({ text, cursor, goal }: MotionScene, delta: number): Reach | undefined {
  const start = lineFrom(text, cursor, delta);
  if (start === undefined) return undefined;
  const column = goal ?? columnOf(text, cursor);
  return { to: atColumn(text, start, column), isLinewise: true, goal: column };
}

function endOfLine({ text, cursor, operator, isVisual }: MotionScene, times: number): Reach | undefined {
  const start = times === 1 ? lineStart(text, cursor) : lineFrom(text, cursor, times - 1);
  if (start === undefined) return undefined;
  const goal = Number.POSITIVE_INFINITY;
  if (isVisual && !operator) return { to: lineEnd(text, start), goal };
  // On an empty line there is nothing to take along.
  return { to: lastInLine(text, start), isInclusive: lineEnd(text, start) !== start, goal };
}

function solidLine(text: string, start: number | undefined): Reach | undefined {
  return start === undefined ? undefined : { to: firstSolid(text, start), isLinewise: true };
}

function wordForward(scene: MotionScene, isBig: boolean, times: number): Reach | undefined {
  const { text, cursor, operator } = scene;
  const tokens = tokensOf(text, isBig);
  if (operator === 'c' && isSolid(tokens[tokenAt(tokens, cursor)]))
    return wordEnd(scene, { isBig, times, stays: true });
  let at = cursor;
  for (let left = times; left > 0 && at < text.length; left -= 1) {
    let index = tokenAt(tokens, at);
    const here = tokens[index];
    if (here && isSolid(here)) {
      index += 1;
      at = here.end;
      // An operator does not take the line feed behind the last word along.
      if (operator && left === 1 && tokens[index]?.kind === 'newline') break;
    } else if (here && isEmptyLine(text, here)) {
      index += 1;
      at = here.end;
    }
    let token = tokens[index];
    while (token && !isSolid(token) && !isEmptyLine(text, token)) {
      index += 1;
      at = token.end;
      token = tokens[index];
    }
    at = token?.start ?? text.length;
  }
  return at === cursor ? undefined : { to: at };
}

function wordEnd(
  { text, cursor }: MotionScene,
  { isBig, times, stays }: { isBig: boolean; times: number; stays: boolean },
): Reach | undefined {
  const tokens = tokensOf(text, isBig);
  let at = cursor;
  for (let left = times; left > 0; left -= 1) {
    let index = tokenAt(tokens, at);
    const here = tokens[index];
    if (!here) break;
    const mayStay = stays && left === times;
    if (isSolid(here) && (at < here.last || mayStay)) {
      at = here.last;
      continue;
    }
    index += 1;
    while (index < tokens.length && !isSolid(tokens[index])) index += 1;
    at = tokens[index]?.last ?? lastInLine(text, text.length);
  }
  return at === cursor && !stays ? undefined : { to: at, isInclusive: at < text.length };
}

function wordBack({ text, cursor }: MotionScene, isBig: boolean, times: number): Reach | undefined {
  const tokens = tokensOf(text, isBig);
  let at = cursor;
  for (let left = times; left > 0 && at > 0; left -= 1) {
    let index = tokenAt(tokens, previousGrapheme(text, at));
    let token = tokens[index];
    while (token && !isSolid(token) && !isEmptyLine(text, token)) {
      index -= 1;
      token = tokens[index];
    }
    at = token?.start ?? 0;
  }
  return moved(cursor, at);
}

function wordEndBack({ text, cursor }: MotionScene, isBig: boolean, times: number): Reach | undefined {
  const tokens = tokensOf(text, isBig);
  let at = cursor;
  for (let left = times; left > 0 && at > 0; left -= 1) {
    let index = tokenAt(tokens, at) - 1;
    let token = tokens[index];
    while (token && !isSolid(token) && !isEmptyLine(text, token)) {
      index -= 1;
      token = tokens[index];
    }
    at = token?.last ?? 0;
  }
  return at === cursor ? undefined : { to: at, isInclusive: true };
}

function turned(find: Motion, isBack: boolean): Motion {
  if (!isBack) return find;
  const name = find.name === find.name.toLowerCase() ? find.name.toUpperCase() : find.name.toLowerCase();
  return { ...find, name };
}

function findCharacter(
  { text, cursor }: MotionScene,
  { name, character = '' }: Motion,
  { times, isAgain }: { times: number; isAgain: boolean },
): Reach | undefined {
  const isForward = name === 'f' || name === 't';
  const isBefore = name === 't' || name === 'T';
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const step = (offset: number) => (isForward ? nextGrapheme(text, offset) : previousGrapheme(text, offset));
  let at = cursor;
  // Beside the character already, `;` goes to the next one.
  if (isAgain && isBefore && times === 1)
    at = isForward ? Math.min(end, step(at)) : Math.max(start, step(at));
  for (let left = times; left > 0; left -= 1) {
    do {
      if (!isForward && at <= start) return undefined;
      at = step(at);
      if (isForward && at >= end) return undefined;
    } while (text.slice(at, nextGrapheme(text, at)) !== character);
  }
  const beside = isForward ? previousGrapheme(text, at) : nextGrapheme(text, at);
  return { to: isBefore ? beside : at, isInclusive: isForward };
}

/** To the empty line before or after, or to the end of the text. */
function paragraph({ text, cursor }: MotionScene, direction: 1 | -1, times: number): Reach | undefined {
  const lines = text.split('\n');
  let row = text.slice(0, lineStart(text, cursor)).split('\n').length - 1;
  for (let left = times; left > 0; left -= 1) {
    let hasSkipped = false;
    for (let isFirst = true; ; isFirst = false) {
      if (lines[row] !== '') hasSkipped = true;
      else if (!isFirst && hasSkipped) break;
      const next = row + direction;
      if (next < 0 || next >= lines.length) {
        if (left > 1) return undefined;
        break;
      }
      row = next;
    }
  }
  const to = lineNumbered(text, row + 1);
  const isAtEnd = direction === 1 && row === lines.length - 1 && lines[row] !== '';
  const reach = isAtEnd ? lastInLine(text, to) : to;
  return reach === cursor && !isAtEnd ? undefined : { to: reach, isInclusive: isAtEnd };
}

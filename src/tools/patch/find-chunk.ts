import { foldText } from '../files/folded-text.ts';
import type { Tolerance } from '../files/loose-match.ts';
import type { PatchChunk } from './patch.ts';

/** Lines `start` to `end` (not included) of a file, counted from 0, are what a chunk is about. */
export type ChunkPlace = { start: number; end: number; tolerance: Tolerance | undefined };

export type ChunkSearch = ChunkPlace | { problem: string };

type Level = { tolerance: Tolerance | undefined; plain(line: string): string };

const levels: readonly Level[] = [
  { tolerance: undefined, plain: (line) => line },
  { tolerance: 'trailing blanks', plain: (line) => line.trimEnd() },
  {
    tolerance: 'quote style',
    plain: (line) => foldText(line, { unicode: true, signs: true }).text,
  },
  { tolerance: 'indentation', plain: (line) => line.trim() },
];

/** More lines than this need not be named. */
const maxNamed = 10;

/**
 * Finds the lines of a chunk. Behind `from`, where the chunk before ended, is looked first; anchors and line numbers
 * decide between several places, else it must be one.
 */
export function findChunk(lines: readonly string[], chunk: PatchChunk, from: number): ChunkSearch {
  const anchored = afterAnchors(lines, chunk.anchors, from);
  if (typeof anchored === 'object') return anchored;
  const wanted = chunk.lines.filter(({ op }) => op !== '+').map(({ text }) => text);
  if (wanted.length === 0) return insertion(lines, chunk, anchored);
  const start = anchored ?? from;
  for (const pattern of [wanted, withoutBlankEnd(wanted)]) {
    if (pattern.length === 0) continue;
    for (const level of levels) {
      // A single line may mean something else with another indent.
      if (level.tolerance === 'indentation' && pattern.filter((line) => line.trim() !== '').length < 2)
        continue;
      const found = placesOf(lines, pattern, level);
      const chosen = choose(found, {
        chunk,
        start,
        isAnchored: anchored !== undefined,
        length: pattern.length,
        end: lines.length,
      });
      if (chosen === undefined) continue;
      if (typeof chosen === 'string') return { problem: chosen };
      return { start: chosen, end: chosen + pattern.length, tolerance: level.tolerance };
    }
  }
  return { problem: `these lines are not in the file:\n${wanted.slice(0, 6).join('\n')}` };
}

function withoutBlankEnd(wanted: readonly string[]): string[] {
  const last = wanted.findLastIndex((line) => line.trim() !== '');
  return last === wanted.length - 1 ? [] : wanted.slice(0, last + 1);
}

function placesOf(lines: readonly string[], pattern: readonly string[], { plain }: Level): number[] {
  const wanted = pattern.map(plain);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1)
    if (wanted.every((line, offset) => plain(lines[at + offset] ?? '') === line)) places.push(at);
  return places;
}

/** The place, a text when there are several, undefined when there is none. */
function choose(
  found: readonly number[],
  {
    chunk,
    start,
    isAnchored,
    length,
    end,
  }: { chunk: PatchChunk; start: number; isAnchored: boolean; length: number; end: number },
): number | string | undefined {
  const atEnd = chunk.atEnd ? found.filter((place) => place + length >= end) : [];
  const candidates = atEnd.length > 0 ? atEnd : found;
  const behind = candidates.filter((place) => place >= start);
  const [first] = behind.length > 0 ? behind : candidates;
  if (first === undefined) return undefined;
  const pool = behind.length > 0 ? behind : candidates;
  if (pool.length === 1) return first;
  if (chunk.line !== undefined) {
    const wanted = chunk.line - 1;
    return pool.reduce(
      (best, place) => (Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best),
      first,
    );
  }
  if (isAnchored) return first;
  const named = pool.slice(0, maxNamed).map((place) => place + 1);
  const more = pool.length > maxNamed ? ' and more' : '';
  return `its lines stand in several places, at lines ${named.join(', ')}${more}: add lines around them, or "@@ <line above>"`;
}

/** Lines that come without any that stand there already. */
function insertion(lines: readonly string[], chunk: PatchChunk, anchored: number | undefined): ChunkPlace {
  const at = chunk.atEnd ? lines.length : (anchored ?? Math.min(chunk.line ?? lines.length, lines.length));
  return { start: at, end: at, tolerance: undefined };
}

/** The line behind the last anchor; undefined when there is none to look for. */
function afterAnchors(
  lines: readonly string[],
  anchors: readonly string[],
  from: number,
): number | undefined | { problem: string } {
  let at: number | undefined;
  for (const anchor of anchors) {
    const found = anchorLine(lines, anchor, at ?? from) ?? anchorLine(lines, anchor, at ?? 0);
    if (found === undefined) return { problem: `there is no line "${anchor}"` };
    at = found + 1;
  }
  return at;
}

function anchorLine(lines: readonly string[], anchor: string, from: number): number | undefined {
  const plain = anchor.trim();
  for (const fits of [
    (line: string) => line.trim() === plain,
    (line: string) => line.trim().startsWith(plain),
    (line: string) => line.includes(plain),
  ]) {
    const at = lines.findIndex((line, index) => index >= from && fits(line));
    if (at !== -1) return at;
  }
  return undefined;
}

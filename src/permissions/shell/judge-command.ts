import type { CheckId } from '../checks.ts';
import type { PathUse } from '../paths/path-policy.ts';
import type { CommandPart, ShellAnalysis, ShellPathUse } from './analysis.ts';
import type { Refusal } from './argv.ts';
import { directoryOperand } from './directories.ts';
import { effectsOf, mentionedPaths } from './effects.ts';
import { fedCommand } from './fed-words.ts';
import { findProgram } from './programs/index.ts';
import { execOfFind, programName, unwrap } from './unwrap.ts';
import { isPlainVariable } from './variables.ts';
import type { ShellAssignment, SimpleCommand } from './walk.ts';
import { type ShellWord, wordText } from './words.ts';

type Place = {
  dirs: readonly string[];
  /** The commands before it in its pipeline, the nearest first, as far as they are simple. */
  feeders: readonly (readonly ShellWord[])[];
  analyseNested(text: string): ShellAnalysis;
};

/** Programs that run programs, as in `sudo env nice make`. Nobody writes so many. */
export const maxLayers = 40;
/** Words of all of them together. */
const maxWords = 20_000;

export function judgeCommand(command: SimpleCommand, place: Place): CommandPart {
  const { words, assignments, source } = command;
  const found: Found = { refusals: [], leaves: [], paths: [], repositories: [] };
  let nested: ShellAnalysis | undefined;
  let feeding: readonly ShellWord[] | undefined;
  const layers: (readonly ShellWord[])[] = [];
  let grantable = 0;
  judgeAssignments(assignments, words, found);
  let isGrantable = found.refusals.length === 0;
  const waiting = [words];
  let read = 0;
  for (let current = waiting.shift(); current && current.length > 0; current = waiting.shift()) {
    read += current.length;
    if (layers.length >= maxLayers || read > maxWords) {
      const source = `${layers.length} programs that run each other and more`;
      const tooMany: Refusal = { check: 'too-long', source };
      found.refusals.push(tooMany);
      found.leaves.push(tooMany);
      break;
    }
    layers.push(current);
    if (isGrantable) grantable = layers.length;
    const fed = fedCommand(current, place.feeders);
    if (fed) {
      isGrantable = false;
      feeding ??= current;
      if (fed.outer) judgeProgram(fed.outer, place, found);
      waiting.push(...fed.inner);
      continue;
    }
    const inner = isLookup(current) ? undefined : unwrap(current);
    if (!inner || (inner.inner.length === 0 && inner.text === undefined)) {
      judgeProgram(current, place, found);
      if (inner?.refusal) found.refusals.push({ check: inner.refusal, source: textOf(current) });
      continue;
    }
    judgeAssignments(inner.assignments, current, found);
    if (inner.refusal) {
      found.refusals.push({ check: inner.refusal, source: textOf(current) });
      const own = mentionedPaths(current.slice(1, current.length - inner.inner.length));
      const use: PathUse = { access: 'write', by: 'mentioned' };
      found.paths.push(...own.map((word) => ({ word, dirs: place.dirs, use })));
      if (leaving.has(inner.refusal)) found.leaves.push({ check: inner.refusal, source: textOf(current) });
    }
    if (inner.text === null) found.leaves.push({ check: 'injection', source: textOf(current) });
    else if (inner.text !== undefined) nested = place.analyseNested(inner.text);
    // The words around what find runs are judged as well.
    if (programName(current[0]) === 'find') judgeProgram(withoutExec(current), place, found);
    isGrantable &&= inner.isStrippable && found.refusals.every(({ check }) => check === 'background');
    waiting.push(inner.inner);
  }
  if (feeding && found.refusals.length > 0)
    found.refusals.push({ check: 'recursive-ops', source: textOf(feeding) });
  return { source, nested, ...found, paths: distinctPaths(found.paths), layers, grantable };
}

/** The same word used in the same way in the same folders is one use. */
function distinctPaths(paths: readonly ShellPathUse[]): ShellPathUse[] {
  const seen = new Map<readonly string[], Set<string>>();
  return paths.filter(({ word, dirs, use }) => {
    const known = seen.get(dirs) ?? new Set();
    seen.set(dirs, known);
    const key = JSON.stringify([word, use]);
    return !known.has(key) && known.add(key);
  });
}

/** Wrappers that take a command out of what a mode allows. */
const leaving = new Set<CheckId>(['privilege', 'unsupported-shell']);

type Found = { refusals: Refusal[]; leaves: Refusal[]; paths: ShellPathUse[]; repositories: string[] };

function withoutExec(words: readonly ShellWord[]): readonly ShellWord[] {
  const exec = execOfFind(words);
  return exec ? [...words.slice(0, exec.start), ...words.slice(exec.end + 1)] : words;
}

const inertNames = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|COLUMNS|LINES|CLICOLOR|FORCE_COLOR)$/;

/**
 * Variables by name: few are known to change only how things look. Without a command they stay set, where only
 * those count as harmless that nothing but the text looks at.
 */
function judgeAssignments(
  assignments: readonly ShellAssignment[],
  words: readonly ShellWord[],
  found: Found,
): void {
  for (const { name, value, source } of assignments) {
    const isText = value?.kind === 'literal';
    const isInert =
      inertNames.test(name) &&
      isText &&
      /^(?![/:])[\w.@+/-]*$/.test(value.value) &&
      !value.value.includes('..');
    // How `read` cuts a line.
    const isSeparator = name === 'IFS' && isText && programName(words[0]) === 'read';
    const isHarmless =
      words.length === 0 ? value !== undefined && isPlainVariable(name) : isInert || isSeparator;
    if (!isHarmless) found.refusals.push({ check: 'assignment', source });
  }
}

/** `command -v name` only says what would run. */
function isLookup(words: readonly ShellWord[]): boolean {
  return (
    programName(words[0]) === 'command' && words.length > 1 && /^-[vV]$/.test(wordText(words[1] as ShellWord))
  );
}

function judgeProgram(words: readonly ShellWord[], place: Place, found: Found): void {
  const [first] = words;
  if (first?.kind !== 'literal') {
    found.refusals.push({ check: 'command-word', source: first?.source ?? '' });
    found.leaves.push({ check: 'command-word', source: first?.source ?? '' });
    return;
  }
  const args = words.slice(1);
  const add = (uses: readonly ShellWord[], use: PathUse) =>
    found.paths.push(...uses.map((word) => ({ word, dirs: place.dirs, use })));
  const name = programName(first);
  if (name === 'cd' || name === 'pushd' || name === 'popd' || name === 'chdir') {
    judgeDirectory(name, args, { found, add });
    return;
  }
  if (isLookup(words)) {
    const isPlain = words.every((word) => word.kind === 'literal');
    if (!isPlain) found.refusals.push({ check: 'injection', source: textOf(words) });
    return;
  }
  const program = findProgram(first.value);
  const verdict = program?.judge(args);
  if (verdict && 'reads' in verdict) {
    add(verdict.reads, { access: 'read', by: 'command' });
    if (verdict.asksRepository) found.repositories.push(...place.dirs);
    return;
  }
  judgeEffects(words, verdict, { found, add });
}

type Adding = { found: Found; add(words: readonly ShellWord[], use: PathUse): void };

function judgeDirectory(name: string, args: readonly ShellWord[], { found, add }: Adding): void {
  const operand = directoryOperand(args);
  if (name === 'popd' && args.length === 0) return;
  if (operand?.kind !== 'literal') {
    const check: CheckId = 'directory-change';
    found.refusals.push({ check, source: [name, ...args.map(wordText)].join(' ') });
    found.leaves.push({ check, source: [name, ...args.map(wordText)].join(' ') });
    return;
  }
  add([operand], { access: 'read', by: 'command' });
}

function judgeEffects(
  words: readonly ShellWord[],
  verdict: Refusal | undefined,
  { found, add }: Adding,
): void {
  const effects = effectsOf(words);
  const source = textOf(words);
  const says = verdict && ['unknown-program', 'option', 'interpreter'].includes(effects.check);
  found.refusals.push(says ? verdict : { check: effects.check, source });
  if (effects.leaves) found.leaves.push({ check: effects.check, source });
  const unknown = effects.writes.find((word) => word.kind === 'dynamic');
  if (unknown) found.leaves.push({ check: 'injection', source: unknown.source });
  add(effects.writes, { access: 'write', by: 'command' });
  add(effects.mentions, { access: 'write', by: 'mentioned' });
  add(effects.reads, { access: 'read', by: 'command' });
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(wordText).join(' ');
}

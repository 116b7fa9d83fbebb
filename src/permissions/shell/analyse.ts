import type { CommandPart, ShellAnalysis, ShellPathUse } from './analysis.ts';
import type { Refusal } from './argv.ts';
import { catastropheOf, type ShellScope } from './catastrophe.ts';
import { followDirectories } from './directories.ts';
import { jointCatastrophe, type ShellStep } from './flow.ts';
import { judgeCommand, maxLayers } from './judge-command.ts';
import { parseShell } from './parse.ts';
import { roughCommands } from './rough-scan.ts';
import { isSecretVariable } from './secret-variable.ts';
import { hiddenCharacter } from './text-gate.ts';
import { programName, unwrap } from './unwrap.ts';
import { type PipeStage, type ShellRedirect, type ShellTree, type SimpleCommand, walkShell } from './walk.ts';
import { type KnownVariables, type ShellWord, wordText } from './words.ts';

const maxReadOnlyLength = 10_000;
/** A longer text is not parsed, nor one that runs so many texts inside of others: it asks, and that must not take long. */
const maxLength = 50_000;
const maxOpeners = 400;
const maxRoughLength = 40_000;
const maxParts = 200;
const maxDepth = 6;

/** Says what a command would do and why it is not plainly read-only. Pure; paths are not looked up here. */
export function analyseCommand(text: string, scope: ShellScope): ShellAnalysis {
  const whole: Whole = { scope, steps: [], nextPipeline: 0 };
  const analysis = analyseText(text, whole, { dirs: [scope.cwd], depth: 0, stages: [], host: undefined });
  const joint = jointCatastrophe(whole.steps);
  return joint ? { ...analysis, denials: [...analysis.denials, joint] } : analysis;
}

/** What the texts that run each other share. */
type Whole = { scope: ShellScope; steps: ShellStep[]; nextPipeline: number };

/** Where a text runs; the place of its outer command when another one runs it. */
type Place = {
  dirs: readonly string[];
  depth: number;
  stages: readonly PipeStage[];
  host: number | undefined;
};

function analyseText(text: string, whole: Whole, place: Place): ShellAnalysis {
  const { scope } = whole;
  const flags: Refusal[] = [];
  const leaves: Refusal[] = [];
  const paths: ShellPathUse[] = [];
  const giveUp = (refusal: Refusal) => {
    flags.push(refusal);
    leaves.push(refusal);
  };
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined)
    giveUp({ check: hidden === 'U+000D' ? 'newline' : 'text-hidden', source: hidden });
  if (text.length > maxReadOnlyLength) giveUp({ check: 'too-long', source: `${text.length} characters` });
  if (text.length > maxLength || place.depth > maxDepth || opensMany(text)) {
    giveUp({ check: 'too-long', source: 'the command' });
    return { text, flags, paths, leaves, remarks: [], ...roughly(text, place, scope) };
  }
  const { script, error } = parseShell(text);
  const known = knownVariables(scope);
  const tree = walkShell(script, text, { known, firstPipeline: whole.nextPipeline });
  whole.nextPipeline = tree.nextPipeline;
  const denials: Refusal[] = [];
  if (error !== undefined || tree.commands.length === 0) {
    giveUp({ check: 'syntax', source: error ?? 'nothing to run' });
    denials.push(...roughDenials(text, place, scope));
  }
  const redirects = tree.commands.reduce((sum, command) => sum + command.redirects.length, 0);
  if (tree.commands.length + redirects > maxParts) {
    giveUp({ check: 'too-long', source: `${tree.commands.length} commands, ${redirects} redirections` });
    return { text, flags, paths, leaves, remarks: [], ...roughly(text, place, scope) };
  }
  const hard = tree.flags.filter(({ isSoft }) => !isSoft);
  flags.push(...hard);
  const parts = judgeTree(tree, { whole, place, denials, flags, leaves, paths });
  const doesMore = flags.length > 0 || parts.some(({ refusals }) => refusals.length > 0);
  if (doesMore) flags.push(...tree.flags.filter(({ isSoft }) => isSoft));
  return { text, parts, flags, paths, leaves, remarks: remarksOn(tree), denials };
}

const manyPipes = 5;
const manyCommands = 4;

/** A long chain of which one part asks is read less well than a short one. */
function remarksOn({ commands }: ShellTree): Refusal[] {
  const stages = commands.flatMap((command) => command.stages);
  const pipes = Math.max(0, ...stages.map(({ stage }) => stage));
  const top = commands.filter(({ host }) => host === undefined);
  const pipelines = new Set(top.map(({ stages: [first] }, index) => (first ? `| ${first.pipeline}` : index)));
  return [
    ...(pipes > manyPipes ? [{ check: 'pipe-chain' as const, source: `${pipes} pipes` }] : []),
    ...(pipelines.size >= manyCommands
      ? [{ check: 'chain' as const, source: `${pipelines.size} commands` }]
      : []),
  ];
}

type Findings = {
  whole: Whole;
  place: Place;
  denials: Refusal[];
  flags: Refusal[];
  leaves: Refusal[];
  paths: ShellPathUse[];
};

function judgeTree(tree: ShellTree, findings: Findings): CommandPart[] {
  const { whole, place, denials, flags, leaves } = findings;
  const { folders, isComplete } = followDirectories(tree, place.dirs);
  if (!isComplete) {
    const refusal: Refusal = { check: 'directory-change', source: 'many changes of folder' };
    flags.push(refusal);
    leaves.push(refusal);
  }
  const stepOf: number[] = [];
  return tree.commands.map((found, index) => {
    const dirs = folders[index] ?? place.dirs;
    const command: SimpleCommand = { ...found, stages: [...place.stages, ...found.stages] };
    const host = found.host === undefined ? place.host : stepOf[found.host];
    const at = whole.steps.length;
    stepOf.push(at);
    const isText = found.host === undefined && place.host !== undefined;
    const step: ShellStep = { words: found.words, command, host, isText, dirs };
    whole.steps.push(step);
    const part = judgeCommand(command, {
      dirs,
      feeders: feedersOf(found, tree.commands),
      analyseNested: (inner) =>
        analyseText(inner, whole, { dirs, depth: place.depth + 1, stages: command.stages, host: at }),
    });
    whole.steps[at] = { ...step, words: part.layers.at(-1) ?? [] };
    for (const words of part.layers) {
      const check = catastropheOf(words, dirs, whole.scope);
      if (check) denials.push({ check, source: textOf(words) });
    }
    denials.push(...(part.nested?.denials ?? []));
    for (const redirect of command.redirects) judgeRedirect(redirect, dirs, findings);
    return part;
  });
}

/** Nobody passes data on through more programs. */
const maxFeeders = 16;

/** What writes into the pipe before a command, the nearest first; ends where that is not one simple command. */
function feedersOf(command: SimpleCommand, all: readonly SimpleCommand[]): (readonly ShellWord[])[] {
  const last = command.stages.at(-1);
  const feeders: (readonly ShellWord[])[] = [];
  const first = Math.max(0, (last?.stage ?? 0) - maxFeeders);
  for (let stage = (last?.stage ?? 0) - 1; stage >= first; stage -= 1) {
    const found = all.filter((other) => {
      const own = other.stages.at(-1);
      return (
        other.stages.length === command.stages.length &&
        own?.pipeline === last?.pipeline &&
        own?.stage === stage
      );
    });
    const [only] = found;
    const isPlain =
      found.length === 1 &&
      only?.assignments.length === 0 &&
      only.redirects.every(({ target }) => target?.kind === 'literal' && target.value === '/dev/null');
    if (!only || !isPlain) break;
    feeders.push(only.words);
  }
  return feeders;
}

const networkFile = /^\/dev\/(tcp|udp)\//;

function judgeRedirect(
  { mode, target, source }: ShellRedirect,
  dirs: readonly string[],
  findings: Findings,
): void {
  const { flags, leaves, paths } = findings;
  if (mode === 'descriptor') return;
  if (mode === 'list') {
    if (target && target.kind !== 'dynamic')
      paths.push({ word: target, dirs, use: { access: 'read', by: 'redirect' } });
    return;
  }
  if (mode === 'text') {
    const isSecret = target?.kind === 'dynamic' && target.variables.some(isSecretVariable);
    if (isSecret) flags.push({ check: 'env-leak', source });
    return;
  }
  if (target?.kind !== 'literal') {
    const refusal: Refusal = { check: mode === 'read' ? 'redirect' : 'overwrite', source };
    flags.push(refusal);
    if (mode === 'write') leaves.push(refusal);
    if (target?.kind === 'glob') paths.push({ word: target, dirs, use: { access: mode, by: 'redirect' } });
    return;
  }
  if (networkFile.test(target.value)) {
    flags.push({ check: 'network', source });
    leaves.push({ check: 'network', source });
    return;
  }
  if (target.value === '/dev/null') return;
  paths.push({ word: target, dirs, use: { access: mode, by: 'redirect' } });
}

/** Each of `$(`, `${`, `<(`, `>(` and a backtick may stand in the one before it. */
function opensMany(text: string): boolean {
  return (text.match(/[$<>]\(|\$\{|`/g)?.length ?? 0) > maxOpeners;
}

function roughly(text: string, place: Place, scope: ShellScope): Pick<ShellAnalysis, 'parts' | 'denials'> {
  const start = text.slice(0, maxRoughLength);
  return { parts: roughParts(start), denials: roughDenials(start, place, scope) };
}

/** Rules that forbid still see the commands of a text that is not analysed. */
function roughParts(text: string): CommandPart[] {
  return roughCommands(text)
    .slice(0, maxParts)
    .map((words) => {
      const source = textOf(words);
      const refusal: Refusal = { check: 'too-long', source };
      return {
        source,
        layers: [words],
        grantable: 0,
        refusals: [refusal],
        leaves: [refusal],
        paths: [],
        repositories: [],
        nested: undefined,
      };
    });
}

/** What must never run is looked for even where the grammar gave up. */
function roughDenials(text: string, { dirs }: Place, scope: ShellScope): Refusal[] {
  return roughCommands(text).flatMap((words) => {
    const denials: Refusal[] = [];
    let current: readonly ShellWord[] | undefined = words;
    for (let layer = 0; layer < maxLayers && current && current.length > 0; layer += 1) {
      const check = catastropheOf(current, dirs, scope);
      if (check) denials.push({ check, source: textOf(current) });
      current = programName(current[0]) === undefined ? undefined : unwrap(current)?.inner;
    }
    return denials;
  });
}

/** `PWD` is left out: a `cd` in the text would change it. */
function knownVariables({ userHome, scratch }: ShellScope): KnownVariables {
  return new Map([['HOME', userHome], ...(scratch === undefined ? [] : ([['TMPDIR', scratch]] as const))]);
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(wordText).join(' ');
}

import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import { decide, type RuleSet } from '../decide.ts';
import type { CallPart, ResolvedCall } from '../parts.ts';
import { programName } from '../shell/unwrap.ts';
import { wordText } from '../shell/words.ts';
import { wordList } from '../word-list.ts';
import { commandText } from './command-text.ts';
import { parseRule } from './parse-rule.ts';

/**
 * The smallest rule that would have allowed a call that is asked for. Undefined when there is none that a person
 * should keep: for what deletes, sends, raises rights or is not understood.
 */
export function suggestRule(call: ResolvedCall, rules: RuleSet, userHome: string): string | undefined {
  for (const text of candidates(call, rules)) {
    const rule = parseRule(text, { action: 'allow', userHome });
    if ('problem' in rule) continue;
    const source = { file: 'suggestion', origin: 'session' as const };
    // Only what really answers this very call is worth keeping.
    const decision = decide(call, { ...rules, ask: [], allow: [...rules.allow, { ...rule, source }] });
    if (decision.decision === 'allow') return text;
  }
  return undefined;
}

type PathPart = Extract<CallPart, { kind: 'path' }>;

function candidates(call: ResolvedCall, rules: RuleSet): string[] {
  if (call.parts.some((part) => part.kind === 'flag' && unfitChecks.has(part.check))) return [];
  const open = call.parts.filter((part) => isOpen(part, call, rules));
  const starts = open.some((part) => part.kind === 'flag' && part.check === 'language-server');
  if (starts) return open.length === 1 ? [call.tool] : [];
  const command = call.commands[0];
  if (command !== undefined) return open.some(isUnfit) ? [] : commandRules(command, open);
  const [part] = open;
  if (!part) return [];
  switch (part.kind) {
    case 'path':
      return open.every((other) => other.kind === 'path') ? pathsRules(open.filter(isPath), rules) : [];
    case 'host':
      return [`WebFetch(domain:${part.host})`];
    case 'effect':
      return [call.tool === 'web_search' ? 'WebSearch' : call.tool];
    // With a rule nobody would see any more what is sent.
    case 'peer':
    case 'command':
    case 'flag':
      return [];
  }
}

function isOpen(part: CallPart, call: ResolvedCall, rules: RuleSet): boolean {
  return decide({ ...call, parts: [part], denials: [] }, { ...rules, ask: [], deny: [] }).decision === 'ask';
}

const unfitChecks = new Set(
  wordList(`
    rm-rf privilege network-upload system other-agent env-leak credentials zsh-builtin text-hidden newline syntax too-long
    command-word injection bare-interpreter recursive-ops permission-change here-document process-substitution
    unsupported-shell directory-change
  `),
);

/** Runs other code with every call, so a wide rule for it would be a rule for everything. */
const unfitPrograms = new Set(
  wordList('sudo doas su eval exec source . ssh dd rm shred kill pkill killall xargs env'),
);

function isUnfit(part: CallPart): boolean {
  switch (part.kind) {
    case 'path':
      return (
        part.verdict.level === 'guarded' || (part.use.access === 'write' && part.verdict.level === 'outside')
      );
    case 'flag':
      return unfitChecks.has(part.check);
    case 'command': {
      const { refusals, leaves, layers } = part.command;
      const name = programName(layers.at(-1)?.[0]);
      if (name === undefined || unfitPrograms.has(name)) return true;
      const leavesFor = leaves.some(({ check }) => check !== 'network');
      return leavesFor || refusals.some(({ check }) => unfitChecks.has(check));
    }
    case 'host':
    case 'peer':
    case 'effect':
      return false;
  }
}

/** Programs whose first words name what runs, so that more arguments do not make it something else. */
const scriptRunners: Readonly<Record<string, RegExp>> = {
  npm: /^npm (test|run [\w:.-]+)$/,
  pnpm: /^pnpm (test|run [\w:.-]+)$/,
  yarn: /^yarn (test|run [\w:.-]+)$/,
  bun: /^bun (test|run [\w:.-]+)$/,
  cargo: /^cargo (build|check|clippy|doc|fmt|test)$/,
  go: /^go (build|fmt|list|test|vet)$/,
  make: /^make [\w.-]+$/,
  just: /^just [\w.-]+$/,
  dotnet: /^dotnet (build|test)$/,
  pytest: /^pytest$/,
  vitest: /^vitest$/,
  jest: /^jest$/,
  ruff: /^ruff (check|format)$/,
  mypy: /^mypy$/,
  tsc: /^tsc$/,
  eslint: /^eslint$/,
  npx: /^npx (eslint|jest|mocha|prettier|tsc|vitest|biome)$/,
};

function commandRules(text: string, open: readonly CallPart[]): string[] {
  const commands = open.flatMap((part) => (part.kind === 'command' ? [part.command] : []));
  const whole = text.includes('*') || text.length > 300 ? [] : [`Bash(${text})`];
  const [only] = commands;
  const others = open.some(
    (part) => part.kind !== 'command' && !(part.kind === 'path' && part.owner === only),
  );
  if (!only || commands.length > 1 || others) return whole;
  const words = only.layers[only.grantable - 1];
  if (!words || words.some((word) => word.kind !== 'literal')) return whole;
  const name = programName(words[0]) ?? '';
  const runner = Object.hasOwn(scriptRunners, name) ? scriptRunners[name] : undefined;
  for (const count of [1, 2, 3]) {
    const start = words.slice(0, count).map(wordText).join(' ');
    if (runner?.test(start) && words.length > count) return [`Bash(${start}:*)`, ...whole];
  }
  const exact = commandText(words);
  return exact.includes('*') || exact.length > 300 ? whole : [`Bash(${exact})`, ...whole];
}

function isPath(part: CallPart): part is PathPart {
  return part.kind === 'path';
}

/** For several files the folder that holds them all, where that is not the whole workspace. */
function pathsRules(parts: readonly PathPart[], rules: RuleSet): string[] {
  const [first] = parts;
  if (!first || parts.some(({ verdict }) => verdict.level === 'guarded')) return [];
  const own = pathRules(first, rules);
  const cwd = rules.bases.cwd.find((folder) => parts.every(({ fact }) => isInside(fact.given, folder)));
  if (parts.length === 1 || cwd === undefined) return own;
  const folders = parts.map(({ fact }) => path.relative(cwd, path.dirname(fact.given)).split(path.sep));
  const [shortest = []] = folders.toSorted((one, two) => one.length - two.length);
  const end = shortest.findIndex((name, depth) => folders.some((each) => each[depth] !== name));
  const shared = shortest.slice(0, end === -1 ? undefined : end).join('/');
  const tool = parts.every(({ use }) => use.access === 'read') ? 'Read' : 'Edit';
  return shared === '' ? own : [...own, `${tool}(${escapePattern(shared)}/**)`];
}

/** The folder of the file for changes; for reading outside the workspace no more than the file itself. */
function pathRules(part: PathPart, { bases }: RuleSet): string[] {
  const { fact, use, verdict } = part;
  if (verdict.level === 'guarded') return [];
  const tool = use.access === 'read' ? 'Read' : 'Edit';
  const cwd = bases.cwd.find((folder) => isInside(fact.given, folder));
  const isFolder = fact.kind === 'folder';
  if (cwd === undefined) {
    const file = escapePattern(fact.given);
    return use.access === 'read'
      ? [`${tool}(/${file}${isFolder ? '/**' : ''})`, `${tool}(/${file})`]
      : [`${tool}(/${file})`];
  }
  const relative = path.relative(cwd, fact.given);
  const folder = path.dirname(relative);
  return [`${tool}(${folder === '.' ? `./${escapePattern(relative)}` : `${escapePattern(folder)}/**`})`];
}

/** Signs that mean something in a pattern stand for themselves. */
function escapePattern(file: string): string {
  return file.replaceAll(/[\\*?[\]!#]/g, '\\$&').replace(/ +$/, (blanks) => blanks.replaceAll(' ', '\\ '));
}

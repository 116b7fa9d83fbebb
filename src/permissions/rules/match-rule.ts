import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isInside } from '#lib/paths.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { CheckId } from '../checks.ts';
import type { CallPart, ResolvedCall } from '../parts.ts';
import type { PathFact } from '../paths/path-fact.ts';
import type { CommandPart } from '../shell/analysis.ts';
import { hostsIn } from '../shell/hosts.ts';
import { programName } from '../shell/unwrap.ts';
import { literalWord } from '../shell/words.ts';
import { commandText } from './command-text.ts';
import { withoutBlanks } from './parse-rule.ts';
import { type PlacedRule, readTools, writeTools } from './rule.ts';
import { type StarPattern, starMatches, starPattern } from './star-pattern.ts';

/** The folders that path patterns are relative to; each list holds the same folder under all its names. */
export type RuleBases = { cwd: readonly string[]; userHome: readonly string[] };

/**
 * True when an `ask` or `deny` rule is about this part. Generous: any spelling of a path, any layer of a wrapped
 * command, any folder of the program.
 */
export function ruleHits(rule: PlacedRule, part: CallPart, call: ResolvedCall, bases: RuleBases): boolean {
  const { spec } = rule;
  switch (spec.kind) {
    case 'any':
      return namesTool(rule, call.tool) || (part.kind === 'path' && governs(rule.tool, part.use.access));
    case 'command':
      return (
        part.kind === 'command' &&
        part.command.layers.some((words) => {
          const name = programName(words[0]);
          const bare = name === undefined ? words : [literalWord(name), ...words.slice(1)];
          return fits(spec.patterns, commandText(words)) || fits(spec.patterns, commandText(bare));
        })
      );
    case 'text':
      return (
        namesTool(rule, call.tool) &&
        call.commands.some((text) =>
          spec.pattern ? starMatches(spec.pattern, withoutBlanks(text)) : text === spec.text,
        )
      );
    case 'path':
      return (
        part.kind === 'path' &&
        governs(rule.tool, part.use.access) &&
        pathMatches(rule, part.fact, { bases, ignoreCase: true }) !== 'none'
      );
    case 'domain':
      if (part.kind === 'command')
        return part.command.layers.some((words) => hostsIn(words).some((host) => isUnder(spec.domain, host)));
      return part.kind === 'host' && isUnder(spec.domain, part.host);
    case 'field':
      return namesTool(rule, call.tool) && fieldMatches(spec, call.input);
  }
}

/** True when an `allow` rule covers this part. Strict: every name of a path, the whole command. */
export function ruleCovers(rule: PlacedRule, part: CallPart, call: ResolvedCall, bases: RuleBases): boolean {
  const { spec } = rule;
  if (spec.kind === 'text')
    return (
      coversText(part) && call.commands.every((text) => text === spec.text) && namesTool(rule, call.tool)
    );
  switch (part.kind) {
    case 'command':
      if (spec.kind === 'any' && rule.tool === call.tool && call.tool.startsWith('git_'))
        return part.command.grantable > 0;
      return (
        coversCommand(rule, part.command) || (part.outer !== undefined && coversCommand(rule, part.outer))
      );
    case 'flag':
      // Not one that a repository may have brought.
      if (part.check === 'language-server')
        return spec.kind === 'any' && !part.leaves && namesTool(rule, call.tool);
      return part.outer !== undefined && !hidesText(part.check) && coversCommand(rule, part.outer);
    case 'path':
      return coversPath(rule, part, call, bases);
    case 'host':
      if (spec.kind === 'any') return namesTool(rule, call.tool);
      return spec.kind === 'domain' && hostMatches(spec.domain, part.host);
    case 'peer':
      if (spec.kind === 'any') return namesTool(rule, call.tool);
      return (
        spec.kind === 'field' &&
        namesTool(rule, call.tool) &&
        (spec.name === undefined || spec.name === 'peer') &&
        starMatches(starPattern(spec.value), part.peer)
      );
    case 'effect':
      if (spec.kind === 'field') return namesTool(rule, call.tool) && fieldMatches(spec, call.input);
      return spec.kind === 'any' && namesTool(rule, call.tool);
  }
}

const fits = (patterns: readonly StarPattern[], text: string) =>
  patterns.some((pattern) => starMatches(pattern, text));

function namesTool(rule: PlacedRule, tool: string): boolean {
  if (rule.tool === tool) return true;
  if (rule.tool.includes('*')) return starMatches(starPattern(rule.tool), tool);
  // `mcp__server` means all its tools; a family is named by its first tool.
  if (rule.tool.startsWith('mcp__')) return tool.startsWith(`${rule.tool}__`);
  return (
    (rule.tool === 'read_file' && readTools.includes(tool)) ||
    (rule.tool === 'edit_file' && writeTools.includes(tool))
  );
}

/** Whether path rules of this tool are about reading or about writing. */
function governs(tool: string, access: 'read' | 'write'): boolean {
  return (access === 'read' ? readTools : writeTools).includes(tool);
}

/** What is shown may not be what runs: no rule says yes to that. */
function hidesText(check: CheckId): boolean {
  return check === 'text-hidden' || check === 'newline';
}

function coversText(part: CallPart): boolean {
  switch (part.kind) {
    case 'path':
      return part.verdict.level === 'edit' || part.verdict.level === 'outside';
    case 'flag':
      return !hidesText(part.check) && part.check !== 'syntax' && part.check !== 'too-long';
    case 'command':
    case 'effect':
      return true;
    case 'host':
    case 'peer':
      return false;
  }
}

function coversCommand({ tool, spec }: PlacedRule, command: CommandPart): boolean {
  if (tool !== 'bash') return false;
  if (spec.kind === 'any') return command.grantable > 0;
  if (spec.kind !== 'command') return false;
  return command.layers.slice(0, command.grantable).some((words) => fits(spec.patterns, commandText(words)));
}

function coversPath(
  rule: PlacedRule,
  part: Extract<CallPart, { kind: 'path' }>,
  call: ResolvedCall,
  bases: RuleBases,
): boolean {
  const { level, check } = part.verdict;
  const { spec } = rule;
  const isSecret = check === 'secret-read' || check === 'secret-write' || check === 'credentials';
  if (level === 'never' || (level === 'guarded' && !isSecret)) return false;
  if (part.owner && !isSecret && coversCommand(rule, part.owner)) return true;
  if (spec.kind === 'any') {
    // Without a pattern it is about the workspace, and about reading.
    const isCalled = namesTool(rule, call.tool) && governs(rule.tool, part.use.access);
    return isCalled && level !== 'guarded' && (level === 'edit' || part.use.access === 'read');
  }
  if (spec.kind !== 'path' || !governs(rule.tool, part.use.access)) return false;
  // A secret must be meant: `**` is a general yes.
  if (isSecret && /^\*+$/.test(spec.pattern.split('/').at(-1) ?? '')) return false;
  return pathMatches(rule, part.fact, { bases, ignoreCase: false }) === 'all';
}

function pathMatches(
  rule: PlacedRule,
  fact: PathFact,
  { bases, ignoreCase }: { bases: RuleBases; ignoreCase: boolean },
): 'all' | 'some' | 'none' {
  const { spec } = rule;
  if (spec.kind !== 'path') return 'none';
  const folders = ruleFolders(rule, spec.base, bases);
  const hits = [fact.given, fact.real, fact.twin ?? fact.real].map((file) =>
    folders.some((folder) => {
      if (!isInside(file, folder) || file === folder) return false;
      const relative = path.relative(folder, file);
      const matcher = matcherOf(spec.pattern, ignoreCase);
      // The file may be a folder, which a pattern with a trailing slash asks for.
      return matcher.ignores(relative) || matcher.ignores(`${relative}/`);
    }),
  );
  if (hits.every(Boolean)) return 'all';
  return hits.some(Boolean) ? 'some' : 'none';
}

/** Making a matcher costs more than using it. Bounded. */
const matchers = new Map<string, Ignore>();

function matcherOf(pattern: string, ignoreCase: boolean): Ignore {
  const key = `${ignoreCase ? 'i' : 'c'} ${pattern}`;
  const known = matchers.get(key);
  if (known) return known;
  if (matchers.size >= 500) matchers.clear();
  const matcher = ignore({ ignorecase: ignoreCase }).add(pattern);
  matchers.set(key, matcher);
  return matcher;
}

/** The folders that the pattern of a path rule begins at. */
export function ruleFolders(
  rule: PlacedRule,
  base: 'root' | 'home' | 'settings' | 'cwd',
  bases: RuleBases,
): readonly string[] {
  switch (base) {
    case 'root':
      return ['/'];
    case 'home':
      return bases.userHome;
    case 'settings': {
      // In a project the settings lie in a folder of their own below it.
      const folder = path.dirname(rule.source.file);
      if (!path.isAbsolute(rule.source.file)) return bases.cwd;
      const isOwnFolder = ['project', 'local', 'claude-project'].includes(rule.source.origin);
      return [isOwnFolder ? path.dirname(folder) : folder];
    }
    case 'cwd':
      return bases.cwd;
  }
}

/** Also the hosts below it: to forbid, a rule means all of them. */
function isUnder(domain: string, host: string): boolean {
  return domain === '*' || domain === host || host.endsWith(`.${domain.replace(/^\*\./, '')}`);
}

function hostMatches(domain: string, host: string): boolean {
  if (domain === '*') return true;
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
}

function fieldMatches(
  { name, value }: { name: string | undefined; value: string },
  input: JsonValue,
): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const entries = Object.entries(input).filter(([key]) => name === undefined || key === name);
  const pattern = starPattern(value);
  return entries.some(([, field]) => typeof field === 'string' && starMatches(pattern, field));
}

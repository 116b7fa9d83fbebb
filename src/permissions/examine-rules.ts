import { existsSync } from 'node:fs';
import { nearestName } from '#lib/nearest.ts';
import { decide } from './decide.ts';
import { type GroundOptions, permissionGround } from './ground.ts';
import type { ResolvedCall } from './parts.ts';
import { resolveCall } from './resolve-call.ts';
import { ruleCovers, ruleHits } from './rules/match-rule.ts';
import type { PlacedRule, RuleSource } from './rules/rule.ts';
import { type ListedRule, listRules } from './rules/rule-set.ts';
import { sampleCalls } from './rules/sample-calls.ts';
import { starMatches, starPattern } from './rules/star-pattern.ts';

/** Something about a rule that the person should know. `dead`: it can never decide anything. */
export type RuleFinding = {
  rule: Pick<ListedRule, 'action' | 'text' | 'source'>;
  kind: 'unreadable' | 'unknown-tool' | 'dead' | 'shadowed' | 'repeated' | 'elsewhere';
  text: string;
};

type Examined = ListedRule & { placed: PlacedRule; samples: ResolvedCall[] };

/** Finds rules that do nothing. `tools`: every name that a tool is known by. */
export function examineRules(
  options: GroundOptions & { sources: readonly RuleSource[]; tools: readonly string[] },
): RuleFinding[] {
  const { scope, bases, userHome } = permissionGround(options);
  const findings: RuleFinding[] = [];
  const examined: Examined[] = [];
  for (const rule of listRules(options.sources, userHome)) {
    const { read, source } = rule;
    if ('problem' in read) {
      findings.push(finding(rule, 'unreadable', read.problem));
      continue;
    }
    const placed = { ...read, source };
    const unknown = unknownTool(placed, options.tools);
    if (unknown !== undefined) {
      findings.push(finding(rule, 'unknown-tool', unknown));
      continue;
    }
    const samples = sampleCalls(placed, bases).map((call) => resolveCall(call, scope));
    examined.push({ ...rule, placed, samples });
  }
  examined.forEach((rule, at) => {
    const found =
      repeated(rule, examined.slice(0, at)) ??
      deadRule(rule, bases) ??
      shadowed(rule, examined, bases) ??
      elsewhere(rule.placed);
    if (found) findings.push(finding(rule, ...found));
  });
  return findings;
}

type Found = [RuleFinding['kind'], string];
type Bases = ReturnType<typeof permissionGround>['bases'];

function finding(
  { action, text, source }: ListedRule,
  kind: RuleFinding['kind'],
  words: string,
): RuleFinding {
  return { rule: { action, text, source }, kind, text: words };
}

/** Names of foreign tools in foreign files are no mistake. */
function unknownTool({ tool, source }: PlacedRule, tools: readonly string[]): string | undefined {
  if (tool.startsWith('mcp__') || source.origin.startsWith('claude')) return undefined;
  if (tools.some((name) => name === tool || starMatches(starPattern(tool), name))) return undefined;
  const near = nearestName(tool, tools);
  return `there is no tool ${tool}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

function repeated(rule: Examined, before: readonly Examined[]): Found | undefined {
  const first = before.find(({ action, text }) => action === rule.action && text === rule.text);
  return first && ['repeated', `the same rule stands at ${placeOf(first)}`];
}

/** No call that the rule is about is decided by it, even where it is the only rule. */
function deadRule({ action, placed, samples }: Examined, bases: Bases): Found | undefined {
  const [sample] = samples;
  if (!sample) return undefined;
  if (action !== 'allow') {
    const hits = samples.some((call) => call.parts.some((part) => ruleHits(placed, part, call, bases)));
    return hits ? undefined : ['dead', 'nothing can match it'];
  }
  const alone = samples.map((call) => decide(call, { deny: [], ask: [], allow: [placed], bases }));
  const covers = samples.some((call) => call.parts.some((part) => ruleCovers(placed, part, call, bases)));
  if (covers && alone.some(({ decision }) => decision !== 'deny')) return undefined;
  const why = alone[0]?.reasons[0];
  return ['dead', `it allows nothing: ${why ? `${why.text} (${why.check})` : 'nothing can match it'}`];
}

/** Another rule always decides first, or says the same of more. */
function shadowed(rule: Examined, all: readonly Examined[], bases: Bases): Found | undefined {
  const isBehind = (other: Examined) =>
    other !== rule && rank[other.action] <= rank[rule.action] && isMetBy(rule, other, bases);
  const stronger = all.find((other) => other.action !== rule.action && isBehind(other));
  if (stronger) return ['shadowed', `${saying[stronger.action]} ${stronger.text} at ${placeOf(stronger)}`];
  const wider = all.find(
    (other) => other.action === rule.action && isBehind(other) && !isMetBy(other, rule, bases),
  );
  return wider && ['shadowed', `${wider.text} at ${placeOf(wider)} says the same of more`];
}

const rank = { deny: 0, ask: 1, allow: 2 } as const;
const saying = { deny: 'always denied by', ask: 'always asked for by', allow: 'always allowed by' } as const;

/** True when the other rule decides all that this one is about. */
function isMetBy(rule: Examined, other: Examined, bases: Bases): boolean {
  const { placed, action } = other;
  if (placed.spec.kind === 'any' && placed.tool === rule.placed.tool && action !== 'allow')
    return rule.placed.spec.kind !== 'any' || action !== rule.action;
  if (rule.samples.length === 0) return false;
  return rule.samples.every((call) => {
    // Which files a command of the sample names says nothing of those that the rule means.
    const parts = call.parts.filter(({ kind }) => rule.placed.spec.kind !== 'command' || kind === 'command');
    if (action !== 'allow') return parts.some((part) => ruleHits(placed, part, call, bases));
    const meant = parts.filter((part) => ruleCovers(rule.placed, part, call, bases));
    return meant.length > 0 && meant.every((part) => ruleCovers(placed, part, call, bases));
  });
}

/** `/etc/passwd` in a rule means a file beside the settings; who writes it mostly means the real one. */
function elsewhere({ spec }: PlacedRule): Found | undefined {
  if (spec.kind !== 'path' || spec.base !== 'settings') return undefined;
  const start = spec.pattern.split('*')[0]?.replace(/(?<=.)\/$/, '') ?? '';
  if (start.length < 2 || !existsSync(start)) return undefined;
  return [
    'elsewhere',
    `a single / begins at the folder of its settings; for ${start} of this machine write //`,
  ];
}

function placeOf({ source: { file, line } }: Pick<ListedRule, 'source'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

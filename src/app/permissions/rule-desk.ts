import { LlmcodeError } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import { type DecisionEntry, decisionsFile, readDecisions } from '#permissions/decision-log.ts';
import { examineRules, type RuleFinding } from '#permissions/examine-rules.ts';
import { type ReplayedCall, replayDecisions } from '#permissions/replay.ts';
import { parseRule } from '#permissions/rules/parse-rule.ts';
import type { RuleAction, RuleSource } from '#permissions/rules/rule.ts';
import { type ListedRule, listRules } from '#permissions/rules/rule-set.ts';
import { ruleText } from '#permissions/rules/written-rule.ts';
import { type RuleTest, testRules } from '#permissions/test-rules.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { toolNamesOf } from '#protocol/tool-names.ts';
import type { Composition } from '../compose.ts';
import { configRules } from '../rule-sources.ts';
import type { Layer } from '../settings/layer.ts';

/** What rules, decisions and their replay are looked up in. */
export type Desk = Pick<Composition, 'home' | 'cwd' | 'settings' | 'tools' | 'rules'>;

/** Every rule with where it stands, also those of a project that would allow something. */
export function allSources({ settings, rules }: Desk): RuleSource[] {
  const sources = rules.ruleSources();
  // What may not count was taken out of the layer when it was read; here it is to be seen.
  const dropped = settings.layers.flatMap(droppedAllows);
  return [...sources, ...dropped];
}

function droppedAllows(layer: Layer): RuleSource[] {
  if ((layer.kind !== 'project' && layer.kind !== 'local') || !layer.file) return [];
  const { file, origin, permissions } = configRules({ ...layer, value: layer.file.value });
  const allow = permissions.allow ?? [];
  return allow.length > 0 ? [{ file, origin, allow, ask: [], deny: [] }] : [];
}

export function everyRule(desk: Desk): ListedRule[] {
  return listRules(allSources(desk), realPathOf(desk.rules.ground().userHome));
}

export function ruleFindings(desk: Desk): RuleFinding[] {
  const tools = desk.tools.flatMap(({ name }) => toolNamesOf(name)).concat(futureTools);
  return examineRules({ ...desk.rules.ground(), sources: allSources(desk), tools });
}

/** Tools that are not there in every session: a search backend, a peer or a language server may be missing. */
const futureTools = [
  'web_search',
  'agent',
  'consult_peer',
  'tool_search',
  'bash_output',
  'bash_kill',
].flatMap(toolNamesOf);

export function pastDecisions({ home, cwd }: Desk, limit: number): DecisionEntry[] {
  return readDecisions(decisionsFile(home, cwd), { limit });
}

export function ruleTests(desk: Desk): RuleTest[] {
  return testRules({ ...desk.rules.ground(), sources: desk.rules.ruleSources() });
}

export type RuleSetChange = {
  add: readonly { action: RuleAction; rule: string }[];
  /** Texts of rules that are left out, wherever they stand. */
  without: readonly string[];
  mode?: PermissionMode | undefined;
};

/** What past calls would become under other rules; without a change, under the rules of today. */
export function replay(
  desk: Desk,
  { add, without, mode }: RuleSetChange,
  limit: number,
): { calls: number; differing: ReplayedCall[] } {
  const { rules } = desk;
  const userHome = realPathOf(rules.ground().userHome);
  for (const { action, rule } of add) checkRule(rule, action, userHome);
  const present = rules.ruleSources();
  const texts = new Set(
    present.flatMap((source) => actions.flatMap((action) => source[action].map(ruleText))),
  );
  const unknown = without.find((text) => !texts.has(text));
  if (unknown !== undefined) throw noSuchRule(unknown);
  const kept = present.map((source) => ({
    ...source,
    allow: source.allow.filter((entry) => !without.includes(ruleText(entry))),
    ask: source.ask.filter((entry) => !without.includes(ruleText(entry))),
    deny: source.deny.filter((entry) => !without.includes(ruleText(entry))),
  }));
  const added = (wanted: RuleAction) => add.filter(({ action }) => action === wanted).map(({ rule }) => rule);
  const change: RuleSource = {
    ...{ file: 'the change', origin: 'session' },
    ...{ allow: added('allow'), ask: added('ask'), deny: added('deny') },
  };
  const isChanged = add.length > 0 || without.length > 0 || mode !== undefined;
  const past = pastDecisions(desk, limit);
  const now = isChanged
    ? past
    : past.filter(({ by }) => by === 'rules' || by === 'person' || by === 'nobody');
  const after = rules.gateWith([...kept, change]);
  const before = isChanged ? rules.gateWith(present) : undefined;
  const differing = replayDecisions(now, {
    before,
    after: mode === undefined ? after : { ...after, decide: (call) => after.decide({ ...call, mode }) },
  });
  return { calls: now.length, differing };
}

export const actions = ['deny', 'ask', 'allow'] as const;

/** Throws `rule-invalid` that says what is wrong with it. */
export function checkRule(rule: string, action: RuleAction, userHome: string): void {
  const parsed = parseRule(rule, { action, userHome });
  if ('problem' in parsed)
    throw new LlmcodeError('rule-invalid', `The rule ${rule} cannot be used: ${parsed.problem}.`, {
      exitCode: 2,
    });
}

export function noSuchRule(rule: string): LlmcodeError {
  return new LlmcodeError(
    'rule-unknown',
    `There is no rule ${rule} here; llmcode permissions list shows all.`,
    {
      exitCode: 2,
    },
  );
}

import type { RuleSet } from '../decide.ts';
import { parseRule } from './parse-rule.ts';
import type { PlacedRule, Rule, RuleAction, RuleOrigin, RulePlace, RuleSource } from './rule.ts';
import { type RuleExample, ruleText } from './written-rule.ts';

/** What a repository brings must not grant anything. */
const ownedOrigins: readonly RuleOrigin[] = ['user', 'flag', 'claude-user', 'session'];

export type RuleProblem = { file: string; line?: number | undefined; rule: string; text: string };

/** A rule as it stands somewhere, whether it counts or not. */
export type ListedRule = {
  action: RuleAction;
  text: string;
  source: RulePlace;
  match: readonly RuleExample[];
  notMatch: readonly RuleExample[];
  /** What it means, or why it does not count. */
  read: Rule | { problem: string };
};

/** Every rule of every source, in the order of their files. */
export function listRules(sources: readonly RuleSource[], userHome: string): ListedRule[] {
  const actions = ['deny', 'ask', 'allow'] as const;
  return sources.flatMap((source) =>
    actions.flatMap((action) =>
      source[action].map((entry): ListedRule => {
        const { file, origin } = source;
        const text = ruleText(entry);
        const { line, match = [], not_match: notMatch = [] } = typeof entry === 'string' ? {} : entry;
        const parsed = parseRule(text, { action, userHome });
        const isForbidden = action === 'allow' && !ownedOrigins.includes(origin);
        const read =
          isForbidden && !('problem' in parsed)
            ? { problem: 'a project cannot allow itself anything; the rule does not count' }
            : parsed;
        return { action, text, source: { file, origin, line }, match, notMatch, read };
      }),
    ),
  );
}

type ReadRules = Omit<RuleSet, 'bases'> & { problems: readonly RuleProblem[] };

/** Reads all rules. One that cannot be read is a problem to show at the start, never silently nothing. */
export function readRules(sources: readonly RuleSource[], userHome: string): ReadRules {
  const listed = listRules(sources, userHome);
  const read = (action: RuleAction): PlacedRule[] =>
    listed.flatMap((rule) =>
      rule.action === action && !('problem' in rule.read) ? [{ ...rule.read, source: rule.source }] : [],
    );
  const problems = listed.flatMap(({ text, source, read: meaning }) =>
    'problem' in meaning ? [{ file: source.file, line: source.line, rule: text, text: meaning.problem }] : [],
  );
  return { deny: read('deny'), ask: read('ask'), allow: read('allow'), problems };
}

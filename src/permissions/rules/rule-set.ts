import type { RuleSet } from '../decide.ts';
import { parseRule } from './parse-rule.ts';
import type { PlacedRule, RuleAction, RuleSource } from './rule.ts';

/** What a repository brings must not grant anything. */
const ownedOrigins: readonly RuleSource['origin'][] = ['user', 'flag', 'claude-user', 'session'];

export type RuleProblem = { file: string; rule: string; text: string };

type ReadRules = Omit<RuleSet, 'bases'> & { problems: readonly RuleProblem[] };

/** Reads all rules. One that cannot be read is a problem to show at the start, never silently nothing. */
export function readRules(sources: readonly RuleSource[], userHome: string): ReadRules {
  const problems: RuleProblem[] = [];
  const read = (action: RuleAction): PlacedRule[] =>
    sources.flatMap((source) => {
      const { file, origin } = source;
      return source[action].flatMap((text) => {
        const rule = parseRule(text, { action, userHome });
        if ('problem' in rule) {
          problems.push({ file, rule: text, text: rule.problem });
          return [];
        }
        if (action === 'allow' && !ownedOrigins.includes(origin)) {
          problems.push({
            file,
            rule: text,
            text: 'a project cannot allow itself anything; the rule does not count',
          });
          return [];
        }
        return [{ ...rule, source: { file, origin } }];
      });
    });
  return { deny: read('deny'), ask: read('ask'), allow: read('allow'), problems };
}

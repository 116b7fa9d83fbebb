import { type GroundOptions, permissionGround } from './ground.ts';
import { resolveCall } from './resolve-call.ts';
import { exampleCall } from './rules/example-call.ts';
import type { RuleSource } from './rules/rule.ts';
import { ruleFits } from './rules/rule-fits.ts';
import { type ListedRule, listRules } from './rules/rule-set.ts';
import type { RuleExample } from './rules/written-rule.ts';

/** One example that was tried. `text`: what is wrong, when something is. */
export type RuleTest = {
  rule: Pick<ListedRule, 'action' | 'text' | 'source'>;
  example: RuleExample;
  wants: 'match' | 'not_match';
  isRight: boolean;
  text?: string;
};

/** Runs the examples beside the rules: each rule alone, as in prompt mode. */
export function testRules(options: GroundOptions & { sources: readonly RuleSource[] }): RuleTest[] {
  const { scope, bases, userHome } = permissionGround(options);
  return listRules(options.sources, userHome).flatMap((rule) => {
    const run = (example: RuleExample, wants: RuleTest['wants']): RuleTest => {
      const { action, text, source, read } = rule;
      const about = { rule: { action, text, source }, example, wants };
      if ('problem' in read)
        return { ...about, isRight: false, text: `the rule does not count: ${read.problem}` };
      const call = resolveCall(exampleCall(read, example, { cwd: options.cwd, mode: 'prompt' }), scope);
      const fits = ruleFits(action, { ...read, source }, call, bases);
      if (fits === (wants === 'match')) return { ...about, isRight: true };
      return { ...about, isRight: false, text: fits ? 'it matches' : 'it does not match' };
    };
    return [
      ...rule.match.map((example) => run(example, 'match')),
      ...rule.notMatch.map((example) => run(example, 'not_match')),
    ];
  });
}

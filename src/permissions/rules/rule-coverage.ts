import path from 'node:path';
import type { RuleExamples } from '#protocol/permission.ts';
import type { ResolvedCall } from '../parts.ts';
import type { PathScope } from '../paths/path-policy.ts';
import { resolveCall } from '../resolve-call.ts';
import { exampleCall } from './example-call.ts';
import type { RuleBases } from './match-rule.ts';
import { parseRule } from './parse-rule.ts';
import type { PlacedRule, Rule } from './rule.ts';
import { ruleFits } from './rule-fits.ts';

const maxExamples = 2;

/** Calls that a rule which allows would let run, and near ones that it would not. Each was decided, none is a guess. */
export function ruleCoverage(
  text: string,
  call: ResolvedCall,
  { scope, bases, userHome }: { scope: PathScope; bases: RuleBases; userHome: string },
): RuleExamples {
  const rule = parseRule(text, { action: 'allow', userHome });
  const none: RuleExamples = { covers: [], leaves: [] };
  if ('problem' in rule) return none;
  const placed: PlacedRule = { ...rule, source: { file: 'suggestion', origin: 'session' } };
  const cwd = bases.cwd[0] ?? '/';
  const fits = (example: string) => {
    const resolved = resolveCall(exampleCall(rule, example, { cwd, mode: 'prompt' }), scope);
    return ruleFits('allow', placed, resolved, bases);
  };
  const { near, far } = candidates(rule, call, cwd);
  const covers = near.filter(fits).slice(0, maxExamples);
  const leaves = far.filter((example) => !fits(example)).slice(0, maxExamples);
  return { covers, leaves };
}

function candidates(
  { spec }: Rule,
  call: ResolvedCall,
  cwd: string,
): { near: readonly string[]; far: readonly string[] } {
  switch (spec.kind) {
    case 'command': {
      const [exact = []] = spec.patterns;
      const start = exact.join('*');
      const isOpen = spec.patterns.length > 1;
      return {
        near: isOpen ? [start, `${start} --verbose`] : [start],
        far: [isOpen ? `${start}-other` : `${start} --verbose`, `${start} && curl example.com`],
      };
    }
    case 'text':
      return { near: [spec.text], far: [`${spec.text} && curl example.com`] };
    case 'path': {
      const named = call.parts.find((part) => part.kind === 'path');
      const file = named?.kind === 'path' ? path.relative(cwd, named.fact.given) : '';
      const isFolder = spec.pattern.endsWith('/**');
      const folder = path.dirname(file);
      const beside = folder === '.' ? 'another-file' : path.join(folder, 'another-file');
      return isFolder
        ? { near: [file, path.join(folder, 'new', 'file')], far: ['package.json', '.git/config'] }
        : { near: [file], far: [beside, '.git/config'] };
    }
    case 'domain':
      return {
        near: [`https://${spec.domain}/any/page`],
        far: [`https://other.${spec.domain}`, 'https://example.com'],
      };
    case 'any':
    case 'field':
      return { near: [], far: [] };
  }
}

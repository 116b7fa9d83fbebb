import path from 'node:path';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { exampleCall } from './example-call.ts';
import { type RuleBases, ruleFolders } from './match-rule.ts';
import type { PlacedRule } from './rule.ts';

/** Stands for whatever a `*` may be: no other rule has it by chance. */
const anything = 'zq7x';

/** Calls of the kind that a rule is about; [] where none can be made up. */
export function sampleCalls(rule: PlacedRule, bases: RuleBases): PermissionCall[] {
  const cwd = bases.cwd[0] ?? '/';
  const call = (example: Parameters<typeof exampleCall>[1]) =>
    exampleCall(rule, example, { cwd, mode: 'prompt' });
  const { spec } = rule;
  switch (spec.kind) {
    case 'command':
      return spec.patterns.map((pattern) => call(pattern.join(anything).trim()));
    case 'text':
      return [call(spec.pattern ? spec.pattern.join(anything) : spec.text)];
    case 'path': {
      const file = sampleFile(spec.pattern);
      const folder = ruleFolders(rule, spec.base, bases)[0];
      return file === undefined || folder === undefined ? [] : [call(path.join(folder, file))];
    }
    case 'domain':
      return [call(spec.domain.replaceAll('*', anything))];
    case 'field':
      return [call({ [spec.name ?? 'value']: spec.value.replaceAll('*', anything) })];
    case 'any':
      return [];
  }
}

/** A file that a pattern of .gitignore means; undefined for what is more than stars. */
function sampleFile(pattern: string): string | undefined {
  if (/[[\]?\\]/.test(pattern)) return undefined;
  return pattern.replace(/\/$/, `/${anything}`).replaceAll(/\*+/g, anything).replace(/^\//, '');
}

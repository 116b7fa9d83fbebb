import { LlmcodeError } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import { reason } from './checks.ts';
import { decide, type RuleSet } from './decide.ts';
import { grantsFile, saveGrant } from './grants.ts';
import { type GroundOptions, permissionGround } from './ground.ts';
import type { ResolvedCall } from './parts.ts';
import { resolveCall } from './resolve-call.ts';
import { parseRule } from './rules/parse-rule.ts';
import type { PlacedRule, RuleSource } from './rules/rule.ts';
import { ruleCoverage } from './rules/rule-coverage.ts';
import { type RuleProblem, readRules } from './rules/rule-set.ts';
import { suggestRule } from './rules/suggest-rule.ts';
import { isTooWide } from './rules/too-wide.ts';
import { commandGrant, reachesOut } from './sandbox/grant.ts';

export type { RuleSource } from './rules/rule.ts';
export type { RuleProblem } from './rules/rule-set.ts';

type GateOptions = GroundOptions & {
  sources: readonly RuleSource[];
  /** True while a working sandbox holds commands that stay in the workspace, so that they need not be asked for. */
  holdsUnasked?(): boolean;
};

/** The one place where calls are decided. Looks files up at each call; keeps only rules. */
export function createPermissionGate(
  options: GateOptions,
): PermissionGate & { problems: readonly RuleProblem[] } {
  const { cwd, sources } = options;
  const { scope, bases, readable, home, userHome } = permissionGround(options);
  const { problems, ...read } = readRules(sources, userHome);
  const added: PlacedRule[] = [];
  const rules = (): RuleSet => ({ ...read, allow: [...read.allow, ...added], bases });

  return {
    problems,
    decide(call) {
      const resolved = resolveCall(call, scope);
      const current = rules();
      const decision = decide(resolved, current);
      if (decision.decision === 'ask' && options.holdsUnasked?.() && isHeld(resolved, current)) {
        const grant = { isGranted: false, needsOutside: false, mayChangeFiles: true } as const;
        return { decision: 'allow', reasons: [reason('sandboxed')], grant };
      }
      const grant = commandGrant(resolved, decision);
      const paths = namedPaths(resolved);
      const granted = {
        ...decision,
        ...(grant ? { grant } : {}),
        ...(paths.length > 0 && decision.decision !== 'deny' ? { paths } : {}),
      };
      if (decision.decision !== 'ask') return granted;
      const suggestedRule = suggestRule(resolved, current, userHome);
      return suggestedRule === undefined ? granted : { ...granted, suggestedRule };
    },
    examples: (rule, call) => ruleCoverage(rule, resolveCall(call, scope), { scope, bases, userHome }),
    async allow(text, where) {
      const rule = parseRule(text, { action: 'allow', userHome });
      const problem =
        'problem' in rule ? rule.problem : isTooWide(rule) ? 'it would allow far more than this' : undefined;
      if ('problem' in rule || problem !== undefined) {
        throw new LlmcodeError('rule-invalid', `The rule ${text} is not added: ${problem}.`);
      }
      const file = where === 'project' ? grantsFile(home, cwd) : 'this session';
      if (where === 'project') await saveGrant(file, rule.text);
      added.push({ ...rule, source: { file, origin: where === 'project' ? 'user' : 'session' } });
    },
    allowReading: (folder) => {
      readable.push(realPathOf(folder));
    },
  };
}

/** What a file tool will open: a command opens its files itself. */
function namedPaths({ parts }: ResolvedCall): { path: string; real: string }[] {
  return parts.flatMap((part) =>
    part.kind === 'path' && part.use.by === 'named' ? [{ path: part.fact.given, real: part.fact.real }] : [],
  );
}

/** A sandbox is to hold what the mode for commands would let run: nothing that a rule asks for or that leaves. */
function isHeld(call: ResolvedCall, rules: RuleSet): boolean {
  if (call.tool !== 'bash' || (call.mode !== 'prompt' && call.mode !== 'workspace_write')) return false;
  return !reachesOut(call) && decide({ ...call, mode: 'auto_accept' }, rules).decision === 'allow';
}

import path from 'node:path';
import { LlmcodeError } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import { projectKey } from '#lib/project-key.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import { decide, type RuleSet } from './decide.ts';
import { grantsFile, saveGrant } from './grants.ts';
import type { PathScope } from './paths/path-policy.ts';
import { resolveCall } from './resolve-call.ts';
import { parseRule } from './rules/parse-rule.ts';
import type { PlacedRule, RuleSource } from './rules/rule.ts';
import { type RuleProblem, readRules } from './rules/rule-set.ts';
import { suggestRule } from './rules/suggest-rule.ts';
import { isTooWide } from './rules/too-wide.ts';
import type { PermissionSettings } from './settings.ts';

export type { RuleSource } from './rules/rule.ts';
export type { RuleProblem } from './rules/rule-set.ts';

type GateOptions = {
  settings: PermissionSettings;
  sources: readonly RuleSource[];
  cwd: string;
  /** The folders of the workspace; the first is the main one. */
  roots: readonly string[];
  home: string;
  userHome: string;
};

/** The one place where calls are decided. Looks files up at each call; keeps only rules. */
export function createPermissionGate(
  options: GateOptions,
): PermissionGate & { problems: readonly RuleProblem[] } {
  const { cwd, sources } = options;
  const userHome = realPathOf(options.userHome);
  const home = realPathOf(options.home);
  const readable = [
    ...options.settings.permissions.readable_directories.map((folder) =>
      realPathOf(withHome(folder, userHome)),
    ),
    // Whole outputs that earlier calls of this project were cut from.
    path.join(home, 'threads', projectKey(cwd)),
  ];
  const scope: PathScope = {
    // Under every name that they are known by.
    roots: unique([...options.roots.map((root) => path.resolve(root)), ...options.roots.map(realPathOf)]),
    userHome,
    home,
    readable,
  };
  const { problems, ...read } = readRules(sources, userHome);
  const added: PlacedRule[] = [];
  const bases = {
    cwd: unique([path.resolve(cwd), realPathOf(cwd)]),
    userHome: unique([options.userHome, userHome]),
  };
  const rules = (): RuleSet => ({ ...read, allow: [...read.allow, ...added], bases });

  return {
    problems,
    decide(call) {
      const resolved = resolveCall(call, scope);
      const current = rules();
      const decision = decide(resolved, current);
      if (decision.decision !== 'ask') return decision;
      const suggestedRule = suggestRule(resolved, current, userHome);
      return suggestedRule === undefined ? decision : { ...decision, suggestedRule };
    },
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

function withHome(folder: string, userHome: string): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(userHome, folder.slice(1)) : folder;
}

function unique(folders: readonly string[]): string[] {
  return [...new Set(folders)];
}

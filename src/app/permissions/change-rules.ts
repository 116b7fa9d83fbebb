import { LlmcodeError } from '#lib/errors.ts';
import { realPathOf } from '#lib/paths.ts';
import { grantsFile, removeGrant, saveGrant } from '#permissions/grants.ts';
import { parseRule } from '#permissions/rules/parse-rule.ts';
import type { RuleAction } from '#permissions/rules/rule.ts';
import type { ListedRule } from '#permissions/rules/rule-set.ts';
import { isTooWide } from '#permissions/rules/too-wide.ts';
import { readChoices } from '../settings/choices.ts';
import { readConfigFile } from '../settings/config-file.ts';
import { configPaths } from '../settings/config-paths.ts';
import { valueAt } from '../settings/settings-object.ts';
import { projectTrust, trustProject } from '../settings/trust.ts';
import { writeSetting } from '../settings/write-setting.ts';
import { checkRule, type Desk, everyRule, noSuchRule } from './rule-desk.ts';

/** `project`: for this person in this project; `shared`: in the project's own file, for everybody. */
export const ruleScopes = ['session', 'project', 'shared', 'user'] as const;
export type RuleScope = (typeof ruleScopes)[number];

export type RuleChange = { rule: string; action: RuleAction; file: string };

/** Adds a rule. Throws an `LlmcodeError` when it cannot be one, may not stand there or cannot be written. */
export async function addRule(
  desk: Desk,
  { action, rule: text, scope }: { action: RuleAction; rule: string; scope: RuleScope },
): Promise<RuleChange & { warning?: string }> {
  const rule = text.trim();
  const userHome = realPathOf(desk.rules.ground().userHome);
  checkRule(rule, action, userHome);
  const { home, cwd, settings } = desk;
  const { user, project } = configPaths(home, settings.project);
  const file = { session: 'this session', project: grantsFile(home, cwd), shared: project, user }[scope];
  switch (scope) {
    case 'session':
      desk.rules.sessionRules.add(action, rule);
      break;
    case 'project':
      await saveGrant(file, rule, action);
      break;
    case 'shared':
      if (action === 'allow')
        throw new LlmcodeError(
          'rule-invalid',
          `${project} belongs to the project, which cannot allow itself anything; use the scope project or user.`,
          { exitCode: 2 },
        );
      await keepingTrust(desk, () => append(file, action, rule, { isPrivate: false }));
      break;
    case 'user':
      await append(file, action, rule, { isPrivate: true });
  }
  const parsed = parseRule(rule, { action, userHome });
  const isWide = action === 'allow' && !('problem' in parsed) && isTooWide(parsed);
  const change = { rule, action, file };
  return isWide ? { ...change, warning: 'it allows nearly everything that this tool can do' } : change;
}

/** Takes a rule out of every file of ours that has it. Throws when none has. */
export async function removeRule(
  desk: Desk,
  { rule: text, action }: { rule: string; action: RuleAction | undefined },
): Promise<RuleChange[]> {
  const rule = text.trim();
  const found = everyRule(desk).filter(
    (listed) => listed.text.trim() === rule && (action === undefined || listed.action === action),
  );
  const own = found.filter((listed) => isOwnRule(desk, listed));
  if (own.length === 0) {
    const [foreign] = found;
    if (!foreign) throw noSuchRule(rule);
    const { file, line } = foreign.source;
    throw new LlmcodeError(
      'rule-foreign',
      `The rule ${rule} stands in ${line === undefined ? file : `${file}:${line}`}, which is not a file of ours; change it there.`,
      { exitCode: 2 },
    );
  }
  const { home, cwd, settings } = desk;
  const paths = configPaths(home, settings.project);
  const changes: RuleChange[] = [];
  for (const { action: its, text: written, source } of own) {
    if (source.origin === 'session') desk.rules.sessionRules.remove(its, written);
    else if (source.file === grantsFile(home, cwd)) await removeGrant(source.file, written, its);
    else if (source.file === paths.user) await takeOut(source.file, its, written, { isPrivate: true });
    else await keepingTrust(desk, () => takeOut(source.file, its, written, { isPrivate: false }));
    changes.push({ rule, action: its, file: source.file });
  }
  return changes;
}

/** Whether `removeRule` can take it out. */
export function isOwnRule({ home, cwd, settings }: Desk, { source }: ListedRule): boolean {
  const files = [...Object.values(configPaths(home, settings.project)), grantsFile(home, cwd)];
  return source.origin === 'session' || files.includes(source.file);
}

async function append(
  file: string,
  action: RuleAction,
  rule: string,
  options: { isPrivate: boolean },
): Promise<void> {
  const list = await listIn(file, action);
  if (list.some((entry) => textOf(entry) === rule)) return;
  if (list.length === 0) await writeSetting(file, ['permissions', action], [rule], options);
  else await writeSetting(file, ['permissions', action, -1], rule, options);
}

async function takeOut(
  file: string,
  action: RuleAction,
  rule: string,
  options: { isPrivate: boolean },
): Promise<void> {
  const at = (await listIn(file, action)).findIndex((entry) => textOf(entry) === rule);
  if (at >= 0) await writeSetting(file, ['permissions', action, at], undefined, options);
}

async function listIn(file: string, action: RuleAction): Promise<readonly unknown[]> {
  const list = valueAt((await readConfigFile(file))?.value ?? {}, ['permissions', action]);
  return Array.isArray(list) ? list : [];
}

function textOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'rule' in entry ? entry.rule : entry;
}

/** Trust is bound to what the project's files hold; a change that the person makes through us keeps it. */
async function keepingTrust({ home, settings }: Desk, change: () => Promise<void>): Promise<void> {
  const { state } = await projectTrust(settings.project, readChoices(home));
  await change();
  if (state === 'trusted') await trustProject(home, settings.project);
}

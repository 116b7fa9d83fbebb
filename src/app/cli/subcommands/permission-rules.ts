import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DecisionEntry } from '#permissions/decision-log.ts';
import type { ListedRule } from '#permissions/rules/rule-set.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { Composition } from '../../compose.ts';
import type { Host } from '../../host.ts';
import { addRule, type RuleScope, removeRule, ruleScopes } from '../../permissions/change-rules.ts';
import { decisionRow, isOf, placeText, reasonText } from '../../permissions/overview.ts';
import { everyRule, pastDecisions, replay, ruleFindings, ruleTests } from '../../permissions/rule-desk.ts';
import { say } from '../../say.ts';
import { openComposition } from './open-composition.ts';
import { printJson } from './print-json.ts';
import type { SubcommandContext } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };
type RuleOptions = Options & { action?: ListedRule['action']; scope: RuleScope };
type ReplayOptions = Options & {
  allow?: string[];
  ask?: string[];
  deny?: string[];
  without?: string[];
  mode?: string;
  last: number;
};

/** The subcommands about rules, in `program`; `readMode` fails for what is no mode. */
export function registerRuleCommands(
  permissions: Command,
  { host, act }: SubcommandContext,
  readMode: (text: string) => PermissionMode,
): void {
  const command = (name: string, summary: string) =>
    permissions
      .command(name)
      .description(summary)
      .option('--json', 'one JSON object a line')
      .option('--cwd <folder>', 'as if started there');
  command('list', 'every rule in force with file and line, and what is wrong with it').action(
    act((options: Options) => list(host, options)),
  );
  command('explain', 'why the last calls in this folder were allowed, asked or denied')
    .option('--last <number>', 'how many', count, 10)
    .action(act((options: Options & { last: number }) => explain(host, options)));
  command('test', 'runs the examples (match, not_match) that stand beside rules').action(
    act((options: Options) => test(host, options)),
  );
  command('replay', 'what past calls in this folder would become under other rules')
    .option('--allow <rule>', 'with this rule', each)
    .option('--ask <rule>', 'with this rule', each)
    .option('--deny <rule>', 'with this rule', each)
    .option('--without <rule>', 'without this rule', each)
    .option('--mode <mode>', 'as if in this mode')
    .option('--last <number>', 'how many calls', count, 5_000)
    .action(act((options: ReplayOptions) => replayed(host, options, readMode)));
  const scopes = new Option('--scope <scope>', 'where it is kept')
    .choices(ruleScopes.filter((scope) => scope !== 'session'))
    .default('project');
  command('add', 'adds a rule')
    .argument('<action>', 'allow, ask or deny', actionOf)
    .argument('<rule>', 'e.g. "Bash(npm run build:*)"')
    .addOption(scopes)
    .action(
      act((action: ListedRule['action'], rule: string, options: RuleOptions) =>
        add(host, rule, { ...options, action }),
      ),
    );
  command('remove', 'takes a rule out of the files of llmcode that have it')
    .argument('<rule>')
    .option('--action <action>', 'only where it allows, asks or denies', actionOf)
    .action(act((rule: string, options: RuleOptions) => remove(host, rule, options)));
}

async function list(host: Host, options: Options): Promise<number> {
  const desk = await openComposition(host, options);
  const findings = ruleFindings(desk);
  const rules = everyRule(desk);
  if (!options.json && rules.length === 0) say(host.stderr, 'There are no rules.');
  for (const rule of rules) {
    const { action, text, source } = rule;
    const found = findings.find((each) => isOf(each, rule));
    const problem = found && { kind: found.kind, text: found.text };
    if (options.json) printJson(host.stdout, { action, rule: text, ...source, problem: problem ?? null });
    else {
      say(host.stdout, `${action.padEnd(5)} ${text}  ${placeText(source, desk.cwd)}`);
      if (problem) say(host.stdout, `      ! ${problem.text}`);
    }
  }
  return 0;
}

async function explain(host: Host, { last, ...options }: Options & { last: number }): Promise<number> {
  const desk = await openComposition(host, options);
  const entries = pastDecisions(desk, last);
  if (!options.json && entries.length === 0) say(host.stderr, 'Nothing was decided in this folder yet.');
  for (const entry of entries) {
    if (options.json) printJson(host.stdout, entry);
    else sayDecision(host, entry, desk);
  }
  return 0;
}

function sayDecision(host: Host, entry: DecisionEntry, { cwd }: Composition): void {
  const { when, tool, what, outcome, why } = decisionRow(entry, '', cwd);
  say(host.stdout, `${when}  ${tool}  ${what}: ${outcome}`);
  for (const reason of why) say(host.stdout, `  ${reason}`);
}

/** Exit code 1 when an example is not as it should be. */
async function test(host: Host, options: Options): Promise<number> {
  const desk = await openComposition(host, options);
  const tests = ruleTests(desk);
  const failed = tests.filter(({ isRight }) => !isRight);
  for (const { rule, example, wants, isRight, text } of options.json ? tests : failed) {
    const { action, text: written, source } = rule;
    if (options.json) {
      const about = { action, rule: written, ...source, example, wants };
      printJson(host.stdout, { ...about, passed: isRight, ...(text === undefined ? {} : { text }) });
      continue;
    }
    const shown = typeof example === 'string' ? example : JSON.stringify(example);
    const place = placeText(source, desk.cwd);
    say(host.stdout, `✗ ${action} ${written} (${place}), ${wants} example: ${shown}: ${text}`);
  }
  if (!options.json) {
    const passed = tests.length - failed.length;
    const none =
      'There are no examples; write a rule as {"rule": "Bash(npm test:*)", "match": ["npm test"]}.';
    say(host.stdout, tests.length === 0 ? none : `${passed} passed, ${failed.length} failed`);
  }
  return failed.length > 0 ? 1 : 0;
}

async function replayed(
  host: Host,
  options: ReplayOptions,
  readMode: (text: string) => PermissionMode,
): Promise<number> {
  const desk = await openComposition(host, options);
  const added = (['allow', 'ask', 'deny'] as const).flatMap((action) =>
    (options[action] ?? []).map((rule) => ({ action, rule })),
  );
  const mode = options.mode === undefined ? undefined : readMode(options.mode);
  const change = { add: added, without: options.without ?? [], mode };
  const { calls, differing } = replay(desk, change, options.last);
  for (const { entry, before, after, reason } of differing) {
    const { time, thread, tool, what } = entry;
    if (options.json)
      printJson(host.stdout, { time, thread, tool, what, before, after, reason: reason ?? null });
    else {
      const why = reason === undefined ? '' : `: ${reasonText(reason, desk.cwd)}`;
      say(host.stdout, `${before} → ${after}  ${tool}  ${what}${why}`);
    }
  }
  if (!options.json) say(host.stdout, `${calls} past calls, ${differing.length} would be decided otherwise.`);
  return 0;
}

async function add(
  host: Host,
  rule: string,
  { action = 'allow', scope, ...options }: RuleOptions,
): Promise<number> {
  const desk = await openComposition(host, options);
  const change = await addRule(desk, { action, rule, scope });
  if (options.json) printJson(host.stdout, change);
  else {
    say(host.stdout, `${change.action} ${change.rule} in ${change.file}`);
    if (change.warning !== undefined) say(host.stderr, `llmcode: mind that ${change.warning}`);
  }
  return 0;
}

async function remove(host: Host, rule: string, { action, ...options }: RuleOptions): Promise<number> {
  const desk = await openComposition(host, options);
  for (const change of await removeRule(desk, { rule, action })) {
    if (options.json) printJson(host.stdout, change);
    else say(host.stdout, `${change.action} ${change.rule} taken out of ${change.file}`);
  }
  return 0;
}

function each(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a number from 1.');
  return number;
}

function actionOf(text: string): ListedRule['action'] {
  const action = (['allow', 'ask', 'deny'] as const).find((known) => known === text);
  if (action === undefined) throw new InvalidArgumentError('It must be allow, ask or deny.');
  return action;
}

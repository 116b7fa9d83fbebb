import type { Command } from 'commander';
import { llmcodeHome } from '#lib/paths.ts';
import { workingFolder } from '../../cwd.ts';
import { alignColumns } from '../../format.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import { changeSetting } from '../../settings/change-setting.ts';
import { explainSettings, rowsOf } from '../../settings/explain-settings.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { projectRoot } from '../../settings/project-root.ts';
import { trustProject } from '../../settings/trust.ts';
import { printJson } from './print-json.ts';
import type { Subcommand, SubcommandContext } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };
type SetOptions = Options & { project?: boolean; local?: boolean; unset?: boolean };

export const configSubcommand: Subcommand = {
  name: 'config',
  register(program, context) {
    const config = program
      .command('config')
      .description('settings: what they are, where each comes from, changing them');
    registerRead(config, context);
    registerWrite(config, context);
  },
};

function registerRead(config: Command, { host, act }: SubcommandContext): void {
  config
    .command('explain')
    .description('every setting with its value and where it comes from')
    .argument('[key]', 'only this one and what lies below it')
    .option('--json', 'one JSON object a line')
    .option('--cwd <folder>', 'as if started there')
    .action(act((key: string | undefined, options: Options) => explain(host, { key, options })));
  config
    .command('get')
    .description('the value of one setting')
    .argument('<key>', 'its path with dots, e.g. permissions.mode')
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'as if started there')
    .action(act((key: string, options: Options) => get(host, { key, options })));
}

function registerWrite(config: Command, { host, act }: SubcommandContext): void {
  config
    .command('set')
    .description('write one setting; comments and order of the file stay')
    .argument('<key>', 'its path with dots, e.g. permissions.mode')
    .argument('[value]', 'JSON, or plain text')
    .option('--unset', 'take the key out instead')
    .option('--project', 'into .llmcode/config.json of this project')
    .option('--local', 'into .llmcode/config.local.json of this project')
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'as if started there')
    .action(
      act((key: string, value: string | undefined, options: SetOptions) =>
        set(host, { key, value, options }),
      ),
    );
  config
    .command('trust')
    .description("let this project's own configuration take effect, as it is now")
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'as if started there')
    .action(act((options: Options) => trust(host, options)));
}

async function load(host: Host, { cwd }: Options) {
  const folder = workingFolder(host, cwd);
  const home = llmcodeHome(host.env);
  const loaded = await loadSettings({ home, cwd: folder, env: host.env, flags: {} });
  for (const notice of loaded.notices) say(host.stderr, `llmcode: ${notice}`);
  return loaded;
}

async function explain(
  host: Host,
  { key, options }: { key: string | undefined; options: Options },
): Promise<number> {
  const loaded = await load(host, options);
  const rows = key === undefined ? explainSettings(loaded) : rowsOf(loaded, key);
  if (options.json) for (const row of rows) printJson(host.stdout, row);
  else {
    const table = rows.map(({ key: name, value, origin }) => [name, JSON.stringify(value) ?? '', origin]);
    for (const line of alignColumns(table)) say(host.stdout, line);
  }
  return 0;
}

async function get(host: Host, { key, options }: { key: string; options: Options }): Promise<number> {
  const rows = rowsOf(await load(host, options), key);
  const [first] = rows;
  if (options.json) printJson(host.stdout, rows.length === 1 && first ? first : { key, values: rows });
  else if (rows.length === 1 && first?.key === key) say(host.stdout, plain(first.value));
  else for (const row of rows) say(host.stdout, `${row.key} = ${JSON.stringify(row.value)}`);
  return 0;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function set(
  host: Host,
  { key, value, options }: { key: string; value: string | undefined; options: SetOptions },
): Promise<number> {
  const scope = options.local ? 'local' : options.project ? 'project' : 'user';
  const change = await changeSetting({
    home: llmcodeHome(host.env),
    cwd: workingFolder(host, options.cwd),
    env: host.env,
    key,
    text: options.unset ? undefined : value,
    isUnset: options.unset === true,
    scope,
  });
  if (options.json) printJson(host.stdout, change);
  else say(host.stdout, change.message);
  return 0;
}

async function trust(host: Host, options: Options): Promise<number> {
  const project = projectRoot(workingFolder(host, options.cwd));
  const { state, files } = await trustProject(llmcodeHome(host.env), project);
  if (options.json) printJson(host.stdout, { project, state, files });
  else if (state === 'nothing')
    say(host.stdout, `${project} brings no configuration; there is nothing to trust.`);
  else
    say(
      host.stdout,
      `Trusted ${project} as it is now: ${files.join(', ')}. A change to these files asks again.`,
    );
  return 0;
}

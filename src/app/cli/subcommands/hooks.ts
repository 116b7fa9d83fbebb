import { eventSamples, sampleNames } from '#hooks/event-samples.ts';
import { hookLabel } from '#hooks/hook.ts';
import { hooksOf } from '#hooks/hooks-of.ts';
import { jsonText } from '#lib/json-text.ts';
import { nearestName } from '#lib/nearest.ts';
import type { HookEvent } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import { runText } from '../../hooks-text.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import { usageError } from '../usage-error.ts';
import { openComposition } from './open-composition.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string; tool?: string; input?: string };

export const hooksSubcommand: Subcommand = {
  name: 'hooks',
  register(program, { host, act }) {
    const hooks = program.command('hooks').description('list and try out the hooks of the settings');
    hooks
      .command('list')
      .description('every hook with the file that it is written in')
      .option('--json', 'as JSON')
      .option('--cwd <folder>', 'as if started there')
      .action(act((options: Options) => list(host, options)));
    hooks
      .command('test')
      .description('runs the hooks of an event on a sample of it and prints what each says')
      .argument('<event>', 'by any of its names, e.g. pre_tool_use or PreToolUse')
      .option('--tool <name>', 'the sample is a call of this tool')
      .option('--input <json>', 'with this input')
      .option('--json', 'as JSON')
      .option('--cwd <folder>', 'as if started there')
      .action(act((event: string, options: Options) => test(host, event, options)));
  },
};

async function list(host: Host, options: Options): Promise<number> {
  const { settings } = await openComposition(host, options);
  const rows = hooksOf(settings.hooks).map((hook) => ({
    file: hook.file,
    event: hook.event,
    matcher: hook.matcher,
    hook: hookLabel(hook),
    type: hook.target.kind,
    timeout_ms: hook.timeoutMs,
    ...(hook.onError === undefined ? {} : { on_error: hook.onError }),
  }));
  if (options.json) host.stdout.write(`${jsonText({ schema_version: 1, hooks: rows })}\n`);
  else if (rows.length === 0) say(host.stderr, 'There are no hooks in the settings.');
  for (const { file, event, matcher, hook } of options.json ? [] : rows)
    say(host.stdout, `${event}${matcher === '' ? '' : ` (${matcher})`}  ${hook}  ${file}`);
  return 0;
}

/** Exit code 1 when some hook gave no verdict. */
async function test(host: Host, name: string, options: Options): Promise<number> {
  const [sample] = eventSamples(name);
  if (!sample) {
    const near = nearestName(name, sampleNames);
    throw usageError(
      `there is no event '${name}'${near ? `; did you mean '${near}'?` : `; there are ${sampleNames.join(', ')}`}`,
    );
  }
  const event = withCall(sample, options);
  const composition = await openComposition(host, options);
  const stop = new AbortController();
  const restore = host.onSignal(() => stop.abort());
  const outcome = await composition
    .createHooks(() => 'hooks-test')
    .fire(event, { signal: stop.signal, scene: { mode: composition.mode } });
  restore();
  const runs = composition.hookRuns.list();
  if (options.json) host.stdout.write(`${jsonText({ schema_version: 1, event, outcome, runs })}\n`);
  else {
    if (runs.length === 0) say(host.stdout, `No hook of the settings waits for this ${name}.`);
    for (const run of runs) say(host.stdout, `${run.hook}\n  ${runText(run)}`);
    const why = outcome.reason === undefined ? '' : `: ${outcome.reason}`;
    say(host.stdout, `Together: ${outcome.decision}${why}`);
    if (outcome.input !== undefined) say(host.stdout, `New input: ${JSON.stringify(outcome.input)}`);
    if (outcome.context !== undefined) say(host.stdout, `For the model: ${outcome.context}`);
    for (const notice of outcome.notices) say(host.stdout, `For you: ${notice}`);
  }
  return runs.some(({ decision }) => decision === 'failed') ? 1 : 0;
}

/** A tool without an input of its own gets a small one that most hooks can do something with. */
function withCall(sample: HookEvent, { tool, input }: Options): HookEvent {
  if (!('tool' in sample) || (tool === undefined && input === undefined)) return sample;
  const name = tool === undefined ? sample.tool : ownToolName(tool);
  if (input !== undefined) return { ...sample, tool: name, input: parsed(input) };
  return { ...sample, tool: name, input: name === 'bash' ? { command: 'ls' } : sample.input };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw usageError(`--input is no JSON: ${text.slice(0, 80)}`);
  }
}

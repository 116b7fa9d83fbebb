import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runToolCall } from '#engine/turn/tool-call.ts';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { jsonText } from '#lib/json-text.ts';
import { isSecret } from '#permissions/paths/names.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResultRecord } from '#protocol/message.ts';
import type { Recall } from '#protocol/tool.ts';
import type { Composition } from '../../compose.ts';
import { exitCodeOfSignal, type Host, type StopSignal } from '../../host.ts';
import { usageError } from '../usage-error.ts';
import { allowAsked } from './allow-asked.ts';
import { openComposition } from './open-composition.ts';
import { readStdin } from './read-stdin.ts';
import type { Subcommand } from './subcommand.ts';

type Options = {
  input?: string;
  cwd?: string;
  yes?: boolean;
  assumeRead?: boolean;
  json?: boolean;
  mode?: string;
};

export const toolSubcommand: Subcommand = {
  name: 'tool',
  register(program, { host, act }) {
    program
      .command('tool')
      .description('run one tool by hand')
      .command('run')
      .description('runs a tool once, with permissions and hooks, and prints its result as one JSON object')
      .argument('<name>', 'the tool')
      .requiredOption('--input <json>', 'its input, or - to read it from standard input')
      .option('-y, --yes', 'what would be asked counts as allowed; what is denied stays denied')
      .option('--assume-read', 'lift the rule that a file must be read before it is changed')
      .option('--json', 'add schema_version to the result')
      .option('--cwd <folder>', 'run it there')
      .action(act((name: string, options: Options) => run(host, { name, options })));
  },
};

async function run(host: Host, { name, options }: { name: string; options: Options }): Promise<number> {
  const input = await readInput(host, options.input ?? '');
  const composition = await openComposition(host, options);
  const stop = new AbortController();
  let signal: StopSignal | undefined;
  const restore = host.onSignal((received) => {
    signal = received;
    stop.abort();
  });
  const filesDir = await mkdtemp(path.join(tmpdir(), 'llmcode-tool-'));
  const result = await runOnce(composition, { name, input, options, filesDir, signal: stop.signal });
  restore();
  if (!mentions(result, filesDir)) await rm(filesDir, { recursive: true, force: true });
  host.stdout.write(`${jsonText(options.json ? { schema_version: 1, ...result } : result)}\n`);
  if (signal) return exitCodeOfSignal(signal);
  return result.status === 'ok' ? 0 : 1;
}

type Once = { name: string; input: JsonValue; options: Options; filesDir: string; signal: AbortSignal };

/** The engine's own pipeline, with nobody to ask. */
async function runOnce(
  composition: Composition,
  { name, input, options, filesDir, signal }: Once,
): Promise<ToolResultRecord> {
  const { cwd, roots, tools, childEnv, sandbox, settings, mode, memory } = composition;
  await sandbox.program();
  const gate = composition.createGate(() => 'tool-run');
  const hooks = composition.createHooks(() => 'tool-run');
  const ids = createIdSource();
  const call = { messageId: ids(), callId: ids(), tool: name, input };
  const outcome = await runToolCall(
    {
      tools,
      offered: tools.map((tool) => tool.name),
      gate: options.yes ? allowAsked(gate) : gate,
      hooks: { fire: (event, about) => hooks.fire(event, { ...about, scene: { mode } }) },
      asker: null,
      mode: () => mode,
      cwd,
      roots,
      filesDir,
      childEnv,
      sandbox,
      requireRead: options.assumeRead !== true,
      ledger: { seen: () => undefined },
      services: {
        askPerson: async () => null,
        setTodos: () => undefined,
        setNotes: () => undefined,
        isSecretFile: isSecret,
        recall: nothingToRecall,
        ...(memory ? { memory: memory.forThread(() => '') } : {}),
      },
      clock: systemClock,
      ids,
      maxResultChars: () => settings.values.max_result_chars,
      timeoutMs: settings.values.tool_timeout * 1_000,
      imagesDir: null,
      emit: async () => undefined,
      beforeRun: async () => undefined,
      supervise: () => undefined,
    },
    call,
    { signal },
  );
  return outcome.result;
}

/** One call by itself has no conversation. */
const nothingToRecall: Recall = {
  search: async () => ({ finds: [], total: 0 }),
  fetch: async () => undefined,
};

async function readInput(host: Host, text: string): Promise<JsonValue> {
  const json = text === '-' ? await readStdin(host.stdin) : text;
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    throw usageError(`--input is no JSON: ${json.slice(0, 80)}`);
  }
}

/** True when the result points to a file that was stored there. */
function mentions(result: ToolResultRecord, folder: string): boolean {
  return JSON.stringify(result).includes(JSON.stringify(folder).slice(1, -1));
}

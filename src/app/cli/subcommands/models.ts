import { formatCount, formatUsd } from '#lib/amounts.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { Fact, ModelChoice, ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { alignColumns } from '../../format.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import { openComposition } from './open-composition.ts';
import { printJson } from './print-json.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };

export const modelsSubcommand: Subcommand = {
  name: 'models',
  register(program, { host, act }) {
    program
      .command('models')
      .description('every model that can be used now, and what is known of it')
      .argument('[filter]', 'only those whose name holds this')
      .option('--json', 'one JSON object a line, each value with its origin')
      .option('--cwd <folder>', 'as if started there')
      .action(act((filter: string | undefined, options: Options) => run(host, { filter, options })));
  },
};

async function run(
  host: Host,
  { filter, options }: { filter: string | undefined; options: Options },
): Promise<number> {
  const { catalogue } = await openComposition(host, options);
  const stop = new AbortController();
  let choices: readonly ModelChoice[] = [];
  for await (const list of catalogue.choices(stop.signal)) choices = list;
  const wanted = filter?.toLowerCase() ?? '';
  const shown = choices.filter((choice) => formatModelRef(choice.ref).toLowerCase().includes(wanted));
  const known = await Promise.all(
    shown.map(async (choice) => ({
      choice,
      info: choice.info ?? (await catalogue.info(choice.ref).catch(() => undefined)),
    })),
  );
  if (options.json) for (const { choice, info } of known) printJson(host.stdout, jsonRow(choice, info));
  else printTable(host, known);
  if (choices.every(({ source }) => source === 'demo'))
    say(
      host.stderr,
      'No other model was found. Start a local server, set a key such as OPENAI_API_KEY, or add a provider to config.json; llmcode doctor looks closer.',
    );
  return 0;
}

function jsonRow({ ref, label, source, detail }: ModelChoice, info: ModelInfo | undefined): object {
  const facts = info && {
    family: info.family,
    local: info.local,
    context_window: info.contextWindow,
    output_limit: info.outputLimit,
    images: info.images,
    tools: info.tools,
    reasoning: info.reasoning,
    price: info.price ?? null,
  };
  return {
    ref: formatModelRef(ref),
    provider: ref.provider,
    model: ref.model,
    label,
    source,
    detail,
    ...facts,
  };
}

function printTable(
  host: Host,
  known: readonly { choice: ModelChoice; info: ModelInfo | undefined }[],
): void {
  if (known.length === 0) {
    say(host.stdout, 'No model has a name like that; llmcode models lists all.');
    return;
  }
  const rows = known.map(({ choice, info }) => [
    formatModelRef(choice.ref),
    info ? `${formatCount(info.contextWindow.value)} (${info.contextWindow.origin})` : '',
    info ? yesNo('tools', info.tools) : '',
    info ? yesNo('images', info.images) : '',
    priceText(info),
    choice.detail,
  ]);
  const table = alignColumns([['model', 'context', 'tools', 'images', 'price in/out', 'found'], ...rows]);
  for (const line of table) say(host.stdout, line);
}

function yesNo(name: string, fact: Fact<boolean>): string {
  return fact.value ? name : `no ${name}`;
}

function priceText(info: ModelInfo | undefined): string {
  if (!info) return '';
  if (costsNothing(info)) return 'free';
  if (!info.price) return 'unknown';
  const { input, output } = info.price.value;
  return input === 0 && output === 0 ? 'free' : `${formatUsd(input)}/${formatUsd(output)}`;
}

import { isoTime } from '#lib/iso-time.ts';
import type { ModelChoice } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ModelCatalogue } from '#providers/directory.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import { cardLines } from './models-card.ts';
import { detailLines, jsonRow, type KnownModel, tableLines } from './models-table.ts';
import { openComposition } from './open-composition.ts';
import { printJson } from './print-json.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string; refresh?: boolean };

export const modelsSubcommand: Subcommand = {
  name: 'models',
  register(program, { host, act }) {
    const models = program
      .command('models')
      .description('every model that can be used now, and what is known of it')
      .argument('[filter]', 'only those whose name holds this; of a single one everything')
      .option('--refresh', "fetch the providers' own lists first, and keep them")
      .option('--json', 'one JSON object a line, each value with its origin')
      .option('--cwd <folder>', 'as if started there')
      .action(act((filter: string | undefined, options: Options) => list(host, { filter, options })));
    models
      .command('test')
      .description('find out in some seconds what a model can do, and keep it; costs a few small requests')
      .argument('<model>', 'provider/model, an alias, or an id that only one provider has')
      .option('--json', 'one JSON object')
      .option('--cwd <folder>', 'as if started there')
      .action(
        act((name: string, _options, command) => test(host, { name, options: command.optsWithGlobals() })),
      );
  },
};

async function list(
  host: Host,
  { filter, options }: { filter: string | undefined; options: Options },
): Promise<number> {
  const { catalogue } = await openComposition(host, options);
  const stop = new AbortController();
  const isFetched = options.refresh !== true || (await refresh(host, catalogue, stop.signal));
  let choices: readonly ModelChoice[] = [];
  for await (const found of catalogue.choices(stop.signal)) choices = found;
  const wanted = filter?.toLowerCase() ?? '';
  const shown = choices.filter((choice) => formatModelRef(choice.ref).toLowerCase().includes(wanted));
  const known = await Promise.all(
    shown.map(async (choice) => ({
      choice,
      info: choice.info ?? (await catalogue.info(choice.ref).catch(() => undefined)),
    })),
  );
  if (options.json)
    for (const model of known) printJson(host.stdout, jsonRow(model, await catalogue.card(model.choice.ref)));
  else await print(host, { known, catalogue });
  if (choices.every(({ source }) => source === 'demo'))
    say(
      host.stderr,
      'No other model was found. Start a local server, set a key such as OPENAI_API_KEY, or add a provider to config.json; llmcode doctor looks closer.',
    );
  return isFetched ? 0 : 1;
}

async function print(
  host: Host,
  { known, catalogue }: { known: readonly KnownModel[]; catalogue: ModelCatalogue },
): Promise<void> {
  const [first] = known;
  if (!first) {
    say(host.stdout, 'No model has a name like that; llmcode models lists all.');
    return;
  }
  const lines =
    known.length === 1 ? detailLines(first, await catalogue.card(first.choice.ref)) : tableLines(known);
  for (const line of lines) say(host.stdout, line);
  const { catalogue: date, lists } = catalogue.dates();
  const fetched = [...lists].map(([provider, at]) => `${provider} ${dayOf(at)}`);
  const listed = fetched.length > 0 ? `; lists fetched from ${fetched.join(', ')}` : '';
  say(
    host.stderr,
    `Catalogue of ${date}${listed}. llmcode models --refresh fetches the providers' own lists.`,
  );
}

/** False when no provider gave its list although some were asked. */
async function refresh(host: Host, catalogue: ModelCatalogue, signal: AbortSignal): Promise<boolean> {
  let asked = 0;
  let fetched = 0;
  for await (const result of catalogue.refresh(signal)) {
    asked += 1;
    if (result.kind === 'failed') {
      const kept = result.before === undefined ? '' : `; the list of ${dayOf(result.before)} stays`;
      say(host.stderr, `${result.provider}: not fetched (${result.reason})${kept}`);
      continue;
    }
    fetched += 1;
    const changes = [
      ...(result.added.length > 0 ? [`new: ${shortList(result.added)}`] : []),
      ...(result.gone.length > 0 ? [`gone: ${shortList(result.gone)}`] : []),
    ];
    say(host.stderr, [`${result.provider}: ${result.models} models fetched`, ...changes].join('; '));
  }
  if (asked === 0)
    say(
      host.stderr,
      'No provider to ask: no other than local ones has a key, and those are asked each time.',
    );
  return asked === 0 || fetched > 0;
}

async function test(host: Host, { name, options }: { name: string; options: Options }): Promise<number> {
  const { catalogue } = await openComposition(host, options);
  const stop = new AbortController();
  const restore = host.onSignal(() => stop.abort());
  try {
    const ref = await catalogue.resolve(name, stop.signal);
    const onCheck = (check: string) => say(host.stderr, `${formatModelRef(ref)}: ${check} …`);
    const card = await catalogue.test(ref, { signal: stop.signal, onCheck });
    if (stop.signal.aborted) return 130;
    if (options.json) printJson(host.stdout, { ref: formatModelRef(ref), card });
    else for (const line of [formatModelRef(ref), ...cardLines(card)]) say(host.stdout, line);
    return card.failure === undefined ? 0 : 1;
  } finally {
    restore();
  }
}

function shortList(names: readonly string[]): string {
  const more = names.length > 5 ? `, and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).join(', ')}${more}`;
}

function dayOf(at: number): string {
  return isoTime(at).slice(0, 10);
}

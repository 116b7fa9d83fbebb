import { LlmcodeError } from '#lib/errors.ts';
import { nearestName } from '#lib/nearest.ts';
import { shownName } from '#lib/quote.ts';
import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import { efforts, formatModelRef, parseModelRef } from '#protocol/model-ref-text.ts';
import { listedModels, lookUp } from './catalogue/lookup.ts';
import { type Connection, singleId } from './connections.ts';
import { detectChoices, listServer } from './detect.ts';
import type { ProviderSettings } from './settings.ts';
import { wellKnown } from './well-known.ts';

const maxAliasSteps = 8;
const listBudgetMs = 1_000;
/** Names that an error gives, at most. */
const maxNamed = 8;

type ResolverOptions = {
  settings: ProviderSettings;
  connections: ReadonlyMap<string, Connection>;
  extra: readonly { id: string; choices: readonly ModelChoice[] }[];
};

/** From what a person writes to one model of one provider. */
export class ModelResolver {
  readonly #options: ResolverOptions;

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  async resolve(text: string, signal?: AbortSignal): Promise<ModelRef> {
    const wanted = this.#withoutAliases(text.trim());
    const ref = parseModelRef(wanted);
    if (ref && this.#isProvider(ref.provider)) return ref;
    const keyless = wellKnown.find((vendor) => vendor.id === ref?.provider);
    if (keyless) throw noKey(wanted, keyless.keyEnv);
    return this.#resolveBare(wanted, signal ?? new AbortController().signal);
  }

  /** Names that can be known without any network. */
  knownNames(): string[] {
    const { connections, extra, settings } = this.#options;
    const offline = [...connections.values()].flatMap((connection) => {
      const { vendor, isGuess } = connection;
      const listed = isGuess || !vendor ? [] : listedModels(vendor).map((entry) => entry.id);
      const fetched = Object.keys(connection.fetched?.models ?? {});
      return [...Object.keys(connection.models), ...listed, ...fetched].map((id) => `${connection.id}/${id}`);
    });
    const own = extra.flatMap(({ choices }) => choices.map((choice) => formatModelRef(choice.ref)));
    return [...offline, ...own, ...Object.keys(settings.model_aliases)];
  }

  async namesOf(connection: Connection): Promise<string[]> {
    try {
      const signal = AbortSignal.timeout(listBudgetMs);
      const models = await listServer(connection, { signal, details: signal });
      return models.map((model) => `${connection.id}/${model.id}`);
    } catch {
      return []; // It has just answered; without its list there is only no hint.
    }
  }

  #isProvider(id: string): boolean {
    const { connections, extra } = this.#options;
    return connections.has(id) || extra.some((provider) => provider.id === id);
  }

  /** An alias may name another, and keeps an effort that was written behind it. */
  #withoutAliases(text: string): string {
    const { model_aliases: aliases } = this.#options.settings;
    let current = text;
    for (let step = 0; step < maxAliasSteps; step += 1) {
      if (Object.hasOwn(aliases, current)) {
        current = aliases[current] ?? current;
        continue;
      }
      const { base, effort } = splitEffort(current);
      if (!effort || !Object.hasOwn(aliases, base)) return current;
      current = `${splitEffort(aliases[base] ?? base).base}#${effort}`;
    }
    return current;
  }

  async #resolveBare(text: string, signal: AbortSignal): Promise<ModelRef> {
    const { base: model, effort } = splitEffort(text);
    const withEffort = (ref: ModelRef): ModelRef => (effort ? { ...ref, effort } : ref);
    if (model === '') throw unknownModel(text, this.knownNames());
    const single = this.#singleProvider();
    if (single) return withEffort({ provider: single, model });
    const known = this.#offlineOwners(model);
    if (known.length === 1 && known[0]) return withEffort({ provider: known[0], model });
    if (known.length > 1) throw ambiguous(model, known);
    const { owners, names } = await this.#serverOwners(model, signal);
    if (owners.length === 1 && owners[0]) return withEffort(owners[0]);
    if (owners.length > 1)
      throw ambiguous(
        model,
        owners.map((ref) => ref.provider),
      );
    throw unknownModel(text, [...names, ...this.knownNames()]);
  }

  /** The older settings form: one provider that a bare id is meant for. */
  #singleProvider(): string | undefined {
    const { settings, connections } = this.#options;
    if (typeof settings.provider === 'string') {
      return connections.has(settings.provider) ? settings.provider : undefined;
    }
    return connections.has(singleId) ? singleId : undefined;
  }

  #offlineOwners(model: string): string[] {
    const { connections } = this.#options;
    const owns = (connection: Connection) =>
      Object.hasOwn(connection.models, model) ||
      Object.hasOwn(connection.fetched?.models ?? {}, model) ||
      (connection.vendor !== undefined && lookUp(model, connection.vendor)?.vendor === connection.vendor);
    return [...connections.values()].filter(owns).map((connection) => connection.id);
  }

  async #serverOwners(model: string, signal: AbortSignal): Promise<{ owners: ModelRef[]; names: string[] }> {
    let choices: readonly ModelChoice[] = [];
    for await (const found of detectChoices({ ...this.#options, signal })) choices = found;
    const all = [...choices, ...this.#options.extra.flatMap((provider) => provider.choices)];
    const isIt = ({ ref }: ModelChoice) => ref.model === model || ref.model === `${model}:latest`;
    return {
      owners: all.filter(isIt).map((choice) => choice.ref),
      names: all.map((choice) => formatModelRef(choice.ref)),
    };
  }
}

function splitEffort(text: string): { base: string; effort?: (typeof efforts)[number] } {
  const hash = text.lastIndexOf('#');
  const effort = hash > 0 ? efforts.find((known) => known === text.slice(hash + 1)) : undefined;
  return effort ? { base: text.slice(0, hash), effort } : { base: text };
}

export function unknownModel(text: string, names: readonly string[]): LlmcodeError {
  const bare = names.map((name) => name.slice(name.indexOf('/') + 1));
  const near = nearestName(text, names) ?? names[bare.indexOf(nearestName(text, bare) ?? '')];
  const hint = near ? `Did you mean ${near}?` : someOf(names);
  return new LlmcodeError('model-unknown', `There is no model "${shownName(text)}". ${hint}`, {
    exitCode: 2,
  });
}

/** A few of each provider: a long list must not hide the others. */
function someOf(names: readonly string[]): string {
  const byProvider = Map.groupBy(new Set(names), (name) => name.slice(0, name.indexOf('/') + 1));
  const lists = [...byProvider.values()];
  const rows = Array.from({ length: maxNamed }, (_, row) => lists.flatMap((list) => list[row] ?? []));
  const some = rows.flat().slice(0, maxNamed);
  return some.length === 0
    ? 'There is none: `llmcode doctor` says why.'
    : `There are ${some.join(', ')}; \`llmcode models\` lists all.`;
}

function noKey(text: string, keyEnv: string): LlmcodeError {
  const message = `${shownName(text)} cannot be reached: ${keyEnv} is not set.`;
  return new LlmcodeError('model-unknown', message, { exitCode: 2 });
}

function ambiguous(model: string, providers: readonly string[]): LlmcodeError {
  const choices = [...new Set(providers)].map((provider) => `${provider}/${model}`).join(' or ');
  const message = `Several providers have "${shownName(model)}". Write ${choices}.`;
  return new LlmcodeError('model-unknown', message, { exitCode: 2 });
}

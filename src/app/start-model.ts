import { errorText, LlmcodeError } from '#lib/errors.ts';
import type { ModelChoice, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ModelCatalogue } from '#providers/directory.ts';
import { readChoices } from './settings/choices.ts';
import type { LoadedSettings } from './settings/load-settings.ts';

export type StartModel =
  /** `notice` says why this one, when nobody named it. */
  | { kind: 'model'; model: ModelRef; notice?: string }
  | { kind: 'none'; found: readonly ModelChoice[]; notice?: string };

/**
 * The model that a new thread starts with: the configured one, else the one that was chosen last, else the only
 * one that can be found. Throws when a configured one cannot be resolved.
 */
export async function findStartModel(options: {
  settings: LoadedSettings;
  catalogue: ModelCatalogue;
  home: string;
  signal: AbortSignal;
}): Promise<StartModel> {
  const { settings, catalogue, home, signal } = options;
  const configured = settings.values.model;
  if (configured) return { kind: 'model', model: await catalogue.resolve(configured, signal) };

  const remembered = readChoices(home).model;
  const notices: string[] = [];
  if (remembered !== undefined) {
    try {
      return { kind: 'model', model: await catalogue.resolve(remembered, signal) };
    } catch (error) {
      notices.push(`The model chosen last, ${remembered}, cannot be used: ${errorText(error)}`);
    }
  }
  const found = await findChoices(catalogue, signal);
  const [only] = found;
  if (only && found.length === 1) {
    const name = formatModelRef(only.ref);
    notices.push(
      `Using ${name}, the only model found (${only.detail}). /model or "model" in config.json changes that.`,
    );
    return { kind: 'model', model: only.ref, notice: notices.join('\n') };
  }
  return { kind: 'none', found, ...(notices.length > 0 ? { notice: notices.join('\n') } : {}) };
}

/** Everything that could be used now, without the demo; complete when every server has answered or timed out. */
async function findChoices(catalogue: ModelCatalogue, signal: AbortSignal): Promise<readonly ModelChoice[]> {
  let choices: readonly ModelChoice[] = [];
  for await (const list of catalogue.choices(signal)) choices = list;
  return choices.filter((choice) => choice.source !== 'demo');
}

/** For a run without a screen: there is nobody to choose. */
export function noModelError(found: readonly ModelChoice[]): LlmcodeError {
  const ways = 'give one with -m provider/model, or set "model" in config.json';
  if (found.length === 0)
    return new LlmcodeError(
      'no-model',
      'no model is configured and none was found: start a local server (e.g. Ollama), set a key such as OPENAI_API_KEY, or try --demo',
      { exitCode: 2 },
    );
  const names = found.slice(0, 8).map((choice) => formatModelRef(choice.ref));
  const more = found.length > names.length ? `, … (llmcode models lists all ${found.length})` : '';
  return new LlmcodeError('no-model', `no model is configured; ${ways}. Found: ${names.join(', ')}${more}`, {
    exitCode: 2,
  });
}

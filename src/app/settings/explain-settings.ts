import { LlmcodeError } from '#lib/errors.ts';
import { nearestName } from '#lib/nearest.ts';
import { shownName } from '#lib/quote.ts';
import type { LoadedSettings } from './load-settings.ts';
import { settingsSchema } from './schema.ts';
import { schemaPaths } from './schema-keys.ts';
import { leavesOf, valueAt } from './settings-object.ts';
import { isSecret } from './validate.ts';

export type SettingRow = {
  key: string;
  /** As written, with `{env:NAME}` unread and secrets hidden. */
  value: unknown;
  /** The file, variable or flag that it comes from, else `default`. */
  origin: string;
};

/** Every setting that has a value, with where it comes from. */
export function explainSettings({ values, layers }: LoadedSettings): SettingRow[] {
  const rows = [...leavesOf(values)].map(([path, parsed]) => {
    const layer = layers.findLast((each) => valueAt(each.value, path) !== undefined);
    const written = layer ? valueAt(layer.shown, path) : parsed;
    const isHidden =
      isSecret(path) && typeof written === 'string' && !/^\{(?:env|file):[^{}]+\}$/.test(written);
    return {
      key: path.map((part) => part.replaceAll('.', '\\.')).join('.'),
      value: isHidden ? '•••' : (written ?? null),
      origin: layer?.origin ?? 'default',
    };
  });
  return rows.sort((left, right) => (left.key < right.key ? -1 : 1));
}

/** Rows of one key or of all below it; throws with the nearest key when there is none. */
export function rowsOf(loaded: LoadedSettings, key: string): SettingRow[] {
  const rows = explainSettings(loaded);
  const found = rows.filter((row) => row.key === key || row.key.startsWith(`${key}.`));
  if (found.length > 0) return found;
  const known = [...new Set([...rows.map((row) => row.key), ...schemaPaths(settingsSchema)])];
  if (known.includes(key)) return [{ key, value: null, origin: 'not set' }];
  throw unknownKey(key, known);
}

export function unknownKey(key: string, known: readonly string[]): LlmcodeError {
  const near = nearestName(key, known);
  const hint = near ? `; did you mean '${near}'?` : '; `llmcode config explain` lists all';
  return new LlmcodeError('config-key-unknown', `there is no setting '${shownName(key)}'${hint}`, {
    exitCode: 2,
  });
}

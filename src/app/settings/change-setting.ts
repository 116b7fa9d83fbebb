import type { Environment } from '#lib/paths.ts';
import { usageError } from '../cli/usage-error.ts';
import { configPaths } from './config-paths.ts';
import { parseSetting } from './environment-layer.ts';
import { unknownKey } from './explain-settings.ts';
import { loadSettings } from './load-settings.ts';
import { projectRoot } from './project-root.ts';
import { settingsSchema } from './schema.ts';
import { isKnownPath, schemaPaths } from './schema-keys.ts';
import { valueAt } from './settings-object.ts';
import { isSecret } from './validate.ts';
import { splitKey, writeSetting } from './write-setting.ts';

export type SettingChange = {
  key: string;
  file: string;
  /** One line for a person: what was written, and what wins over it if something does. */
  message: string;
};

/** Writes one setting into the config file of a scope, checked before. */
export async function changeSetting(options: {
  home: string;
  cwd: string;
  env: Environment;
  key: string;
  text: string | undefined;
  isUnset: boolean;
  scope: 'user' | 'project' | 'local';
}): Promise<SettingChange> {
  const { home, cwd, env, key, text, isUnset, scope } = options;
  const path = splitKey(key);
  if (!isKnownPath(settingsSchema, path)) throw unknownKey(key, schemaPaths(settingsSchema));
  if (text === undefined && !isUnset) throw usageError(`there is no value for ${key}; --unset takes it out`);
  const value = text === undefined ? undefined : parseSetting(text);
  if (isSecret(path) && typeof value === 'string' && !/^\{(?:env|file):/.test(value))
    throw usageError(
      `${key} would hold a secret in plain text; write "{env:NAME}", or set api_key_env to the name of a variable`,
    );
  const file = configPaths(home, projectRoot(cwd))[scope];
  await writeSetting(file, path, value, { isPrivate: scope === 'user' });
  const written = isUnset
    ? `${key} was taken out of ${file}`
    : `${key} = ${JSON.stringify(value)} in ${file}`;
  return { key, file, message: `${written}${await shadowNote({ home, cwd, env, path, file })}` };
}

/** Says so when a stronger layer hides what was just written. */
async function shadowNote(options: {
  home: string;
  cwd: string;
  env: Environment;
  path: string[];
  file: string;
}): Promise<string> {
  const { home, cwd, env, path, file } = options;
  const { layers, trust } = await loadSettings({ home, cwd, env, flags: {} });
  const strongest = layers.findLast((layer) => valueAt(layer.value, path) !== undefined);
  if (strongest && strongest.origin !== file) return `; but ${strongest.origin} sets it too and wins`;
  if (!strongest && trust.state !== 'trusted' && file.includes('.llmcode') && !file.startsWith(home))
    return '; it has no effect before this project is trusted (llmcode config trust)';
  return '';
}

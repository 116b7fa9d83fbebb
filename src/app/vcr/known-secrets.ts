import { secretValues } from '#lib/child-env.ts';
import type { Environment } from '#lib/paths.ts';
import { wellKnown } from '#providers/well-known.ts';
import type { SettingsValues } from '../settings/schema.ts';

/** Secrets that are known as such, whatever they look like: keys and headers of providers, secret variables. */
export function knownSecrets(values: SettingsValues, env: Environment): string[] {
  const { providers, provider } = values;
  const entries = [...Object.values(providers), ...(typeof provider === 'object' ? [provider] : [])];
  const written = entries.flatMap((entry) => {
    const { api_key, api_key_env } = entry;
    const headers = 'headers' in entry && typeof entry.headers === 'object' ? entry.headers : {};
    return [
      api_key,
      api_key_env === undefined ? undefined : env[api_key_env],
      ...Object.values(headers ?? {}),
    ];
  });
  return [...written, ...secretValues(env)].filter((secret) => typeof secret === 'string');
}

/** The variables by which providers are found and reached. */
export function providerEnvironment(values: SettingsValues, env: Environment): Record<string, string> {
  const { providers, provider } = values;
  const entries = [...Object.values(providers), ...(typeof provider === 'object' ? [provider] : [])];
  const names = [
    ...wellKnown.flatMap(({ keyEnv, baseUrlEnv }) => [keyEnv, baseUrlEnv]),
    ...entries.flatMap(({ api_key_env }) => api_key_env ?? []),
    'OLLAMA_HOST',
    'LLM_API_KEY',
  ];
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

import { displayPath } from '#lib/paths.ts';
import type { ProviderDraft } from '#protocol/screen-port.ts';
import { configPaths } from '../settings/config-paths.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What a provider that the person typed in becomes in the config file: the name of the key's variable, never a key. */
export function providerSetting({ baseUrl, apiKeyEnv }: Pick<ProviderDraft, 'baseUrl' | 'apiKeyEnv'>): {
  type: 'openai-compatible';
  base_url: string;
  api_key_env?: string;
} {
  return {
    type: 'openai-compatible',
    base_url: baseUrl,
    ...(apiKeyEnv === '' ? {} : { api_key_env: apiKeyEnv }),
  };
}

export function previewProvider(
  { home, cwd }: InteractiveSession,
  draft: ProviderDraft,
): { file: string; text: string } {
  const text = JSON.stringify({ providers: { [draft.id]: providerSetting(draft) } }, null, 2);
  return { file: displayPath(configPaths(home, cwd).user, cwd), text };
}

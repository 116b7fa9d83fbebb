import type { ProviderDraft, ScreenPort } from '#protocol/screen-port.ts';
import type { ProviderReview } from './provider-form.ts';

/** What adding the provider writes, and where: as its writer says, else in the words of the config file. */
export function providerPreview(port: ScreenPort, draft: ProviderDraft): ProviderReview {
  const { file, text } = port.previewProvider?.(draft) ?? {
    file: 'config.json of llmcode',
    text: configText(draft),
  };
  return { file, text, scroll: 0 };
}

function configText({ id, baseUrl, model, apiKeyEnv }: ProviderDraft): string {
  const provider = {
    type: 'openai-compatible',
    base_url: baseUrl,
    ...(apiKeyEnv === '' ? {} : { api_key_env: apiKeyEnv }),
  };
  return JSON.stringify({ model: `${id}/${model}`, providers: { [id]: provider } }, null, 2);
}

import type { ErrorClass } from './wordings.ts';

/** What an error message has to know of the model that failed. */
export type ErrorTarget = {
  /** The provider's id in the settings. */
  provider: string;
  model: string;
  baseUrl: string;
  isLocal: boolean;
  /** The variable that holds the key, as far as one is known. */
  keyEnv: string | undefined;
  /** The key itself, only to keep it out of messages. */
  key: string | undefined;
  /** How a person starts this server, e.g. `ollama serve`. */
  startCommand: string | undefined;
};

export function adviceFor(
  kind: ErrorClass,
  target: ErrorTarget,
  { midStream = false }: { midStream?: boolean } = {},
): string {
  const { provider, model, keyEnv } = target;
  switch (kind) {
    case 'auth':
      if (keyEnv) return `Check the key in ${keyEnv}.`;
      return target.key
        ? `Check api_key of provider "${provider}".`
        : `Set api_key_env of provider "${provider}" to the variable that holds its key.`;
    case 'permission':
      return `Check that this key may use ${model}, or choose another model with /model.`;
    case 'not-found':
      return target.isLocal
        ? `Check the model's name and base_url (${target.baseUrl}); /model lists what is there.`
        : `Check the model's name; /model lists what is known, and a base_url may need another path.`;
    case 'rate-limit':
      return 'Wait a little, or choose another model with /model.';
    case 'quota':
      return `Check the plan and balance of ${provider}, or choose another model with /model.`;
    case 'overloaded':
    case 'server':
      return 'Try again in a while, or choose another model with /model.';
    case 'timeout':
      if (target.isLocal && midStream)
        return `A slow model may need longer between two tokens: raise timeout_ms of provider "${provider}".`;
      return target.isLocal
        ? `A long prompt can take a local model longer: raise first_token_timeout_ms of provider "${provider}".`
        : 'Try again, or choose another model with /model.';
    case 'network':
      return 'Check the network connection and base_url, then go on.';
    case 'overflow':
      return 'Make the conversation shorter with /compact, or choose a model with a larger window.';
    case 'too-large':
      return 'Make the conversation shorter with /compact, or leave out large images.';
    case 'tools-unsupported':
      return 'Choose a model that can call tools with /model, or start the server with tool calling enabled.';
    case 'tool-use-failed':
      return 'Ask again; the model wrote a tool call that the server could not read.';
    case 'content-filter':
      return 'Say it in other words, or choose another model with /model.';
    case 'bad-request':
      return `The server did not accept the request; check the settings of provider "${provider}".`;
    case 'bad-response':
      return `Check base_url of provider "${provider}" (${target.baseUrl}): the answer did not come from a model API.`;
  }
}

import { formatCount } from '#lib/amounts.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import { addNotice, type TurnContext } from './turn-context.ts';

/** What a person should know of a model before its first answer, said once. */
export async function tellLimits(turn: TurnContext, info: ModelInfo): Promise<void> {
  const memory = turn.deps.memory();
  const name = formatModelRef({ provider: info.ref.provider, model: info.ref.model });
  if (toolCallingOf(info) === 'none' && !memory.wasToollessTold) {
    memory.wasToollessTold = true;
    const text = `${name} cannot call tools: it can talk, but not read or change anything.`;
    await addNotice(turn, 'warning', text);
  }
  if (info.contextWindow.origin === 'default' && !memory.wasWindowTold) {
    memory.wasWindowTold = true;
    const { provider, model } = info.ref;
    const key = `providers.${provider}.models[${JSON.stringify(model)}].context_window`;
    const text = `Nobody says how much ${name} can take: ${formatCount(info.contextWindow.value)} tokens are assumed. Set ${key} in config.json to what it really is.`;
    await addNotice(turn, 'warning', text);
  }
}

// Free of zod, like every file here that the first paint needs.
import type { ModelInfo, ToolCalling } from './model-ref.ts';

/** How a model calls tools, also where its provider does not say more than whether it can. */
export function toolCallingOf({ toolCalling, tools }: Pick<ModelInfo, 'toolCalling' | 'tools'>): ToolCalling {
  return toolCalling?.value ?? (tools.value ? 'native' : 'none');
}

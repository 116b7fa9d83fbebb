import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolSchema } from '#protocol/tool.ts';
import { looseInput } from './result/loose-input.ts';
import { count, oneLine } from './result/words.ts';
import prose from './tool-search.md';

export const toolSearch = defineTool<{ query: string }>({
  name: 'tool_search',
  aliases: ['ToolSearch'],
  inputAliases: { names: 'query', name: 'query', tool: 'query' },
  prose,
  input: looseInput({ query: z.string() }),
  effect: 'none',
  touches: () => [],
  title: ({ query }) => oneLine(query),
  run: async ({ query }, { services }): Promise<ToolResult> => {
    const all = services.toolSearch?.find('') ?? [];
    if (all.length === 0) return ok('There are no further tools: all that there are can be called.', []);
    const found = services.toolSearch?.find(query) ?? [];
    if (found.length === 0)
      return ok(
        `No further tool fits. Do not search again for it. There are: ${all.map(({ name }) => name).join(', ')}.`,
        [],
      );
    return ok(`You can call these from now on:\n${found.map(lineOf).join('\n')}`, found);
  },
});

function ok(text: string, found: readonly ToolSchema[]): ToolResult {
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text }],
    summary: found.length === 0 ? 'nothing' : count(found.length, 'tool'),
    ...(found.length > 0 ? { offers: found.map(({ name }) => name) } : {}),
  };
}

function lineOf({ name, description, parameters }: ToolSchema): string {
  const required = Array.isArray(parameters['required']) ? parameters['required'] : [];
  const names = Object.keys((parameters['properties'] ?? {}) as object);
  const list = names.map((field) => (required.includes(field) ? field : `${field}?`)).join(', ');
  return `${name}(${list}): ${description}`;
}

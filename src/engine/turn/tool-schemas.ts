import { z } from 'zod';
import type { ToolDef, ToolSchema } from '#protocol/tool.ts';

/**
 * Tools as a model call carries them; made once for a thread, so that the prefix of its requests never changes. In
 * an order of their own, however they were put together: by name, those of other programs last.
 */
export function toolSchemas(tools: readonly ToolDef[]): ToolSchema[] {
  return tools.toSorted(byName).map((tool) => ({
    name: tool.name,
    description: tool.prose.trim(),
    parameters: parametersOf(tool),
  }));
}

function byName(one: ToolDef, two: ToolDef): number {
  const isForeign = ({ name }: ToolDef) => Number(name.startsWith('mcp__'));
  return isForeign(one) - isForeign(two) || (one.name < two.name ? -1 : 1);
}

function parametersOf(tool: ToolDef): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  // Strict servers want an object with properties, also for a tool that takes nothing.
  return { ...schema, type: 'object', properties: schema.properties ?? {} };
}

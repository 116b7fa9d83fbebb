import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { entryText, withMemory } from './memory/memory-tool.ts';
import prose from './memory-forget.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { oneLine } from './result/words.ts';

type Input = { id: string };

export const memoryForget = defineTool<Input>({
  name: 'memory_forget',
  prose,
  input: looseInput({ id: z.string().min(1) }),
  effect: 'none',
  isDeferred: true,
  touches: () => [],
  title: ({ id }) => oneLine(id),
  run: ({ id }, ctx) =>
    withMemory(ctx, async (memory) => {
      const wanted = id.trim().replace(/^\[|\]$/g, '');
      const entry = await memory.forget(wanted);
      if (!entry)
        return toolError('not_found', `Nothing is remembered as ${oneLine(id)}; memory_list shows the ids.`);
      return {
        status: 'ok',
        forModel: [{ kind: 'text', text: `Forgotten: ${entryText(entry)}` }],
        view: { kind: 'text', text: `${entry.text}\n\n/memory undo brings it back` },
        summary: `${entry.id}, /memory undo brings it back`,
      };
    }),
});

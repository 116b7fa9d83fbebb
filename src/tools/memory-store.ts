import { z } from 'zod';
import { type MemoryKind, memoryKinds } from '#protocol/memory.ts';
import { defineTool } from '#protocol/tool.ts';
import { entryText, withMemory } from './memory/memory-tool.ts';
import prose from './memory-store.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { oneLine } from './result/words.ts';

type Input = { text: string; kind?: MemoryKind | undefined; tags?: string[] | undefined };

export const memoryStore = defineTool<Input>({
  name: 'memory_store',
  inputAliases: { content: 'text', value: 'text', fact: 'text', type: 'kind' },
  prose,
  input: looseInput({
    text: z.string().min(1),
    kind: z.enum(memoryKinds).optional(),
    tags: z.array(z.string()).optional(),
  }),
  effect: 'none',
  touches: () => [],
  title: ({ text }) => oneLine(text),
  run: ({ text, kind = 'project', tags = [] }, ctx) =>
    withMemory(ctx, async (memory) => {
      const stored = await memory.remember({ kind, text, tags });
      if (stored.kind === 'refused') return toolError('refused', `It was not remembered: ${stored.why}.`);
      const { entry } = stored;
      if (stored.kind === 'known') {
        const said = `It is remembered already:\n${entryText(entry)}`;
        return { status: 'ok', forModel: [{ kind: 'text', text: said }], summary: `known as ${entry.id}` };
      }
      const near = stored.near.map(entryText).join('\n');
      const older =
        near === ''
          ? ''
          : `\nOlder entries about the same thing; forget those that this one replaces or contradicts:\n${near}`;
      return {
        status: 'ok',
        forModel: [{ kind: 'text', text: `Remembered as ${entry.id}.${older}` }],
        view: { kind: 'text', text: `${entry.text}\n\n/memory undo takes it back` },
        summary: `${entry.id}, /memory undo takes it back`,
      };
    }),
});

import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { entriesResult, withMemory } from './memory/memory-tool.ts';
import prose from './memory-recall.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, oneLine } from './result/words.ts';

type Input = { query?: string | undefined; tags?: string[] | undefined };

const maxFinds = 12;

export const memoryRecall = defineTool<Input>({
  name: 'memory_recall',
  prose,
  input: looseInput({ query: z.string().optional(), tags: z.array(z.string()).optional() }),
  effect: 'none',
  touches: () => [],
  title: ({ query = '', tags = [] }) => oneLine([query, ...tags.map((tag) => `#${tag}`)].join(' ')),
  run: ({ query = '', tags = [] }, ctx) =>
    withMemory(ctx, async (memory) => {
      if (query.trim() === '' && tags.length === 0)
        return toolError('invalid_argument', 'Give words in query, or tags; memory_list shows everything.');
      const found = await memory.find({ text: query, tags, limit: maxFinds });
      return entriesResult(found, 'Nothing of that is remembered.', count(found.length, 'entry'));
    }),
});

import { defineTool } from '#protocol/tool.ts';
import { entriesResult, withMemory } from './memory/memory-tool.ts';
import prose from './memory-list.md';
import { looseInput } from './result/loose-input.ts';
import { count } from './result/words.ts';

type Input = Record<string, never>;

export const memoryList = defineTool<Input>({
  name: 'memory_list',
  prose,
  input: looseInput({}),
  effect: 'none',
  isDeferred: true,
  touches: () => [],
  title: () => '',
  run: (_input, ctx) =>
    withMemory(ctx, async (memory) => {
      const entries = await memory.list();
      return entriesResult(entries, 'Nothing is remembered yet.', count(entries.length, 'entry'));
    }),
});

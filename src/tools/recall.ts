import { z } from 'zod';
import { formatCount } from '#lib/amounts.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './recall.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, oneLine } from './result/words.ts';

type Input = { query?: string | undefined; id?: string | undefined; offset?: number | undefined };

const maxFinds = 12;
/** What is said around a piece of a long text. */
const noteChars = 200;

export const recall = defineTool<Input>({
  name: 'recall',
  prose,
  input: looseInput({
    query: z.string().optional(),
    id: z.string().optional(),
    offset: z.number().optional(),
  }),
  effect: 'read',
  needsShortenedHistory: true,
  touches: () => [],
  title: ({ query, id }) => oneLine(id ?? query ?? ''),
  async run({ query, id, offset }, ctx) {
    if (id !== undefined && id.trim() !== '') return fetch(id.trim(), { offset, ctx });
    if (query !== undefined && query.trim() !== '') return search(query, ctx);
    return toolError('invalid_argument', 'Give a query to search for, or the id of a message or result.');
  },
});

async function search(query: string, ctx: ToolContext): Promise<ToolResult> {
  const { finds, total } = await ctx.services.recall.search(query, { limit: maxFinds });
  if (total === 0)
    return ok(
      `Nothing in this conversation has these words. Do not repeat the search; try other words.`,
      'nothing',
    );
  const lines = finds.map(({ id, source, excerpt }) => `[${id}] ${oneLine(source)}\n${excerpt}`);
  const more = total > finds.length ? [`[The best ${finds.length} of ${formatCount(total)}.]`] : [];
  return ok([...lines, ...more].join('\n\n'), count(total, 'find'));
}

async function fetch(
  id: string,
  { offset, ctx }: { offset: number | undefined; ctx: ToolContext },
): Promise<ToolResult> {
  const found = await ctx.services.recall.fetch(id);
  if (!found)
    return toolError('not_found', `Nothing in this conversation has the id ${id}. Search with query for it.`);
  const { source, text } = found;
  const start = Math.min(Math.max(0, Math.trunc(offset ?? 0)), text.length);
  const end = Math.min(text.length, start + Math.max(1, ctx.maxResultChars - noteChars));
  const isWhole = start === 0 && end === text.length;
  const range = `characters ${formatCount(start)} to ${formatCount(end)} of ${formatCount(text.length)}`;
  const more = end < text.length ? ` Go on with offset ${end}.` : '';
  const tail = isWhole ? '' : `\n[${range}.${more}]`;
  return ok(
    `[${oneLine(source)}]\n${text.slice(start, end).toWellFormed()}${tail}`,
    isWhole ? 'whole' : range,
  );
}

function ok(text: string, summary: string): ToolResult {
  return { status: 'ok', forModel: [{ kind: 'text', text }], summary };
}

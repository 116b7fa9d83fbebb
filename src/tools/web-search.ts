import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext, type ToolDef } from '#protocol/tool.ts';
import { looseInput } from './result/loose-input.ts';
import { aborted, toolError } from './result/tool-error.ts';
import { count, oneLine } from './result/words.ts';
import type { SearchBackend, SearchHit } from './web/search-backends.ts';
import { untrusted } from './web/untrusted.ts';
import prose from './web-search.md';

type Input = { query: string; max_results?: number | undefined };

const defaultResults = 10;
const maxResults = 20;

/** `backends` are asked in their order until one answers; there is at least one. */
export function webSearch(backends: readonly SearchBackend[]): ToolDef {
  return defineTool<Input>({
    name: 'web_search',
    aliases: ['WebSearch'],
    inputAliases: { q: 'query', search: 'query', limit: 'max_results', count: 'max_results' },
    prose,
    input: looseInput({
      query: z.string().refine((text) => text.trim() !== '', 'is empty'),
      max_results: z.number().optional(),
    }),
    effect: 'net',
    touches: () => backends.map(({ host }) => ({ kind: 'host', host })),
    title: ({ query }) => `${oneLine(query)} (${backends.map(({ name }) => name).join(', ')})`,
    run: (input, ctx) => search(backends, input, ctx),
  });
}

async function search(
  backends: readonly SearchBackend[],
  input: Input,
  ctx: ToolContext,
): Promise<ToolResult> {
  const limit = Math.min(maxResults, Math.max(1, Math.trunc(input.max_results ?? defaultResults)));
  const failures: string[] = [];
  for (const backend of backends) {
    const hits = await backend.search(input.query.trim(), { limit, signal: ctx.signal, env: ctx.childEnv });
    if (ctx.signal.aborted) return aborted('The search was interrupted.');
    if (Array.isArray(hits)) return found(hits, { backend: backend.name, callId: ctx.callId });
    failures.push(hits.text);
  }
  return toolError(
    'search_failed',
    `The search failed, and trying again now will not help. ${failures.join(' ')}`,
  );
}

function found(
  hits: readonly SearchHit[],
  { backend, callId }: { backend: string; callId: string },
): ToolResult {
  const summary = `${count(hits.length, 'hit')} from ${backend}`;
  if (hits.length === 0)
    return {
      status: 'ok',
      forModel: [
        { kind: 'text', text: `${backend} found nothing. Do not repeat this search; use other words.` },
      ],
      summary,
    };
  const lines = hits.map(
    ({ title, url, snippet }, index) =>
      `${index + 1}. ${oneLine(title)}\n   ${oneLine(url)}\n   ${oneLine(snippet).slice(0, 500)}`,
  );
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: untrusted(lines.join('\n'), { source: backend, callId }) }],
    view: { kind: 'text', text: lines.join('\n') },
    summary,
  };
}

import { expect, test } from 'vitest';
import { apis, httpSession, refOf } from '../../support/engine/http-thread.ts';
import { hooksThat, openTestThread } from '../../support/engine/test-thread.ts';
import type { ServerApi, ServerRequest, ServerStep } from '../../support/model-servers/index.ts';

/** Where each API has the conversation. */
const listOf = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
} as const;

/** Marks move along with the end of the conversation, and how long an answer may be is no part of what is read. */
function textOf(value: unknown): string {
  const without = (key: string, inner: unknown) =>
    key === 'cache_control' || key === 'max_tokens' ? undefined : inner;
  return JSON.stringify(value, without);
}

function partsOf(request: ServerRequest, api: ServerApi): { head: string; list: string } {
  const { [listOf[api]]: list, ...head } = request.body;
  return { head: textOf(head), list: textOf(list) };
}

/** One answer after the other: todos, parallel reads, thoughts, and now and then the end of a turn. */
function stepOf(index: number): ServerStep {
  if (index % 5 === 4) return { parts: [{ reasoning: `Thought ${index}.` }, { text: `That was ${index}.` }] };
  const status = index % 2 === 0 ? 'in_progress' : 'completed';
  if (index % 5 === 1)
    return { parts: [{ call: 'todo_write', input: { todos: [{ content: `part ${index}`, status }] } }] };
  return {
    parts: [
      { reasoning: `Thought ${index}.` },
      { text: `I look ${index}.` },
      { call: 'read_file', input: { path: 'sum.js', offset: 1, limit: index + 1 } },
      { call: 'glob_search', input: { pattern: `*.${index}` } },
    ],
  };
}

test.each(apis)(
  '%s: over 20 steps each request begins with the one before, byte for byte, whatever happens between them',
  async (api) => {
    const other = api === 'anthropic' ? 'gemini' : 'anthropic';
    const script = (_request: ServerRequest, index: number) => stepOf(index);
    const { servers, options } = await httpSession({ [api]: script, [other]: script });
    let hooks = 0;
    const thread = await openTestThread({
      ...options,
      model: refOf(api),
      instructions: ['Everything in this project is in English.'],
      hooks: hooksThat((event) => {
        if (event.event !== 'prompt-submit' && event.event !== 'tool-after') return undefined;
        hooks += 1;
        return hooks % 3 === 0 ? { decision: 'continue', context: `hook ${hooks}` } : undefined;
      }),
    });
    const { handle } = thread;
    await thread.prompt('begin');
    handle.submit({ kind: 'set-mode', mode: 'plan' });
    await thread.prompt('plan');
    handle.submit({ kind: 'switch-model', model: refOf(other) });
    await thread.prompt('what do you think of it?');
    handle.submit({ kind: 'switch-model', model: refOf(api) });
    handle.submit({ kind: 'set-mode', mode: 'full_access' });
    await thread.prompt('do it');
    await thread.prompt('and the rest');
    await thread.prompt('well?');

    const server = servers.get(api);
    const sent = (server?.requests ?? []).map((request) => partsOf(request, api));
    expect(server?.violations).toEqual([]);
    expect(sent.length).toBeGreaterThanOrEqual(20);
    expect(hooks).toBeGreaterThan(10);
    expect(new Set(sent.map(({ head }) => head)).size).toBe(1);
    for (const [index, { list }] of sent.entries()) {
      const next = sent[index + 1]?.list ?? list;
      expect(next.slice(0, list.length - 1)).toBe(list.slice(0, -1));
    }
  },
);

test('marks for Anthropic stand after the blocks that are shared, at the end, and where the request before ended', async () => {
  const { servers, options } = await httpSession({ anthropic: (_request, index) => stepOf(index) });
  const thread = await openTestThread({ ...options, instructions: ['Everything here is in English.'] });
  await thread.prompt('begin');
  await thread.prompt('go on');
  type Block = { text?: string; cache_control?: unknown };
  const bodies = (servers.get('anthropic')?.requests ?? []).map(({ body }) => body);
  expect(bodies).toHaveLength(10);
  const ends = bodies.map(({ messages }) =>
    messages.flatMap(({ content }: { content: Block[] }, index: number) =>
      content.some(({ cache_control }) => cache_control) ? [index] : [],
    ),
  );
  for (const [index, { system, messages }] of bodies.entries()) {
    const marked = system.filter(({ cache_control }: Block) => cache_control);
    expect(marked).toEqual([system[0], system[1]]);
    expect(system[1].text).toContain('in English');
    expect(system).toHaveLength(3);
    const before = bodies[index - 1];
    expect(ends[index]).toEqual([...(before ? [before.messages.length - 1] : []), messages.length - 1]);
  }
});

import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext, type ToolDef } from '#protocol/tool.ts';

export function text(words: string, more: Partial<ToolResult> = {}): ToolResult {
  return { status: 'ok', forModel: [{ kind: 'text', text: words }], ...more };
}

type Overrides = { run?: (input: Record<string, unknown>, ctx: ToolContext) => Promise<ToolResult> };

/** A tool that reads; alias `Peek`, parameter alias `file_path`. */
export function peekTool({ run }: Overrides = {}): ToolDef {
  return defineTool({
    name: 'peek',
    aliases: ['Peek'],
    inputAliases: { file_path: 'path' },
    prose: 'Looks at something.',
    input: z.object({ path: z.string(), limit: z.number().int().optional() }),
    effect: 'read',
    touches: ({ path }) => [{ kind: 'path', path: `/ws/${path}`, access: 'read' }],
    title: ({ path }) => path,
    run: async (input, ctx) => run?.(input, ctx) ?? text(`saw ${input.path}`),
  });
}

/** A tool that writes. */
export function pokeTool({ run }: Overrides = {}): ToolDef {
  return defineTool({
    name: 'poke',
    prose: 'Changes something.',
    input: z.object({ path: z.string(), content: z.string().optional() }),
    effect: 'write',
    touches: ({ path }) => [{ kind: 'path', path: `/ws/${path}`, access: 'write' }],
    title: ({ path }) => path,
    preview: async ({ path }) => ({ kind: 'text', text: `would change ${path}` }),
    run: async (input, ctx) => run?.(input, ctx) ?? text(`changed ${input.path}`),
  });
}

/** A tool that runs commands, under the name that `!` uses. */
export function shellTool({ run }: Overrides = {}): ToolDef {
  return defineTool({
    name: 'bash',
    prose: 'Runs a command.',
    input: z.object({ command: z.string(), timeout: z.number().optional() }),
    effect: 'exec',
    touches: ({ command }) => [{ kind: 'command', command, cwd: '/ws' }],
    title: ({ command }) => command,
    run: async (input, ctx) => run?.(input, ctx) ?? text(`ran ${input.command}`),
  });
}

/** A tool without effects that asks the person. */
export function askTool(): ToolDef {
  return defineTool({
    name: 'ask_user',
    prose: 'Asks the person.',
    input: z.object({ question: z.string() }),
    effect: 'none',
    touches: () => [],
    title: ({ question }) => question,
    run: async ({ question }, ctx) => {
      const answer = await ctx.services.askPerson([{ question, options: [], multiSelect: false }], {
        callId: ctx.callId,
        signal: ctx.signal,
      });
      return text(answer === null ? 'no answer' : `they said ${answer.flat().join()}`);
    },
  });
}

export function todoTool(): ToolDef {
  return defineTool({
    name: 'todo_write',
    prose: 'Keeps the list.',
    input: z.object({
      todos: z.array(
        z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
      ),
    }),
    effect: 'none',
    touches: () => [],
    title: ({ todos }) => `${todos.length} items`,
    run: async ({ todos }, ctx) => {
      ctx.services.setTodos(todos);
      return text('noted');
    },
  });
}

export function testTools(): ToolDef[] {
  return [peekTool(), pokeTool(), shellTool(), askTool(), todoTool()];
}

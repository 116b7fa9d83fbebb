import { z } from 'zod';
import type { Todo } from '#protocol/todo.ts';
import { defineTool } from '#protocol/tool.ts';
import { looseInput } from './result/loose-input.ts';
import { oneLine } from './result/words.ts';
import prose from './todo-write.md';

type Input = { todos: Todo[] };

const statusWords: Readonly<Record<string, Todo['status']>> = {
  todo: 'pending',
  open: 'pending',
  not_started: 'pending',
  doing: 'in_progress',
  started: 'in_progress',
  active: 'in_progress',
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
};

const status = z.preprocess(statusOf, z.enum(['pending', 'in_progress', 'completed']));
const item = looseInput({ content: z.string().min(1), status }, itemOf);

export const todoWrite = defineTool<Input>({
  name: 'todo_write',
  aliases: ['TodoWrite'],
  inputAliases: { items: 'todos', tasks: 'todos' },
  prose,
  input: looseInput({ todos: z.array(item) }),
  effect: 'none',
  touches: () => [],
  title: ({ todos }) => {
    const current = todos.find((todo) => todo.status === 'in_progress');
    return current ? oneLine(current.content) : '';
  },
  async run({ todos }, ctx) {
    const plain = todos.map((todo) => ({ content: oneLine(todo.content), status: todo.status }));
    ctx.services.setTodos(plain);
    return {
      status: 'ok',
      forModel: [{ kind: 'text', text: `The list is kept: ${progress(plain)}.` }],
      summary: progress(plain),
    };
  },
});

function progress(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'empty';
  return `${todos.filter((todo) => todo.status === 'completed').length} of ${todos.length} done`;
}

/** A bare text is an open item; other agents call the text by other names. */
function itemOf(value: unknown): unknown {
  if (typeof value === 'string') return { content: value, status: 'pending' };
  if (typeof value !== 'object' || value === null) return value;
  const field = (name: string): unknown => Reflect.get(value, name);
  return {
    content: field('content') ?? field('text') ?? field('title'),
    status: field('status') ?? 'pending',
  };
}

function statusOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return Object.hasOwn(statusWords, word) ? statusWords[word] : word;
}

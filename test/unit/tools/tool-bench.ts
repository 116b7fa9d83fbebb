import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { isSecret } from '#permissions/paths/names.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { QuestionAnswer } from '#protocol/question.ts';
import type { Todo } from '#protocol/todo.ts';
import type { Recall, ToolContext, ToolDef } from '#protocol/tool.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { createTools } from '#tools/index.ts';

type BenchOptions = { answer?: QuestionAnswer; recall?: Recall };

/** A temp folder, and tools that run in it with a ledger kept as the engine keeps it. */
export type ToolBench = {
  folder: string;
  ctx: ToolContext;
  progress: ToolView[];
  todos: Todo[][];
  notes: string[];
  abort: AbortController;
  tool(name: string): ToolDef;
  run(name: string, input: unknown, ctx?: Partial<ToolContext>): Promise<ToolResult>;
  preview(name: string, input: unknown): Promise<ToolView | ToolResult | undefined>;
};

export function toolBench(options: BenchOptions = {}): ToolBench {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'tools-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = path.join(base, 'work');
  mkdirSync(folder);
  return benchIn(base, folder, options);
}

function benchIn(base: string, folder: string, options: BenchOptions): ToolBench {
  const tools = createTools();
  const seen = new Map<string, string | null>();
  const progress: ToolView[] = [];
  const todos: Todo[][] = [];
  const notes: string[] = [];
  const abort = new AbortController();
  const ctx: ToolContext = {
    callId: 'CALL1',
    cwd: folder,
    roots: [folder],
    filesDir: path.join(base, 'thread.files'),
    signal: abort.signal,
    ledger: { seen: (file) => seen.get(file) },
    services: {
      askPerson: async () => options.answer ?? null,
      setTodos: (list) => void todos.push(list),
      setNotes: (text) => void notes.push(text),
      isSecretFile: isSecret,
      recall: options.recall ?? {
        search: async () => ({ finds: [], total: 0 }),
        fetch: async () => undefined,
      },
    },
    childEnv: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: base },
    requireRead: true,
    maxResultChars: 30_000,
    progress: (view) => void progress.push(view),
  };
  const tool = (name: string): ToolDef => {
    const found = tools.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  return {
    folder,
    ctx,
    progress,
    todos,
    notes,
    abort,
    tool,
    async run(name, input, overrides = {}) {
      const definition = tool(name);
      const result = await definition.run(definition.input.parse(input), { ...ctx, ...overrides });
      for (const state of result.fileStates ?? []) seen.set(state.path, state.sha256);
      return result;
    },
    async preview(name, input) {
      const definition = tool(name);
      return definition.preview?.(definition.input.parse(input), ctx);
    },
  };
}

/** All text that the model gets. */
export function textOf(result: ToolResult): string {
  return result.forModel.map((part) => (part.kind === 'text' ? part.text : `<${part.mediaType}>`)).join('\n');
}

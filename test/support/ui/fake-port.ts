import { AsyncQueue } from '#lib/async-queue.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { CommandOutcome, CommandSpec } from '#protocol/command.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { UserAction } from '#protocol/user-action.ts';

/** A thread that does only what a test says: `emit` sends an event, `submitted` holds what the screen asked for. */
export type FakeHandle = EngineHandle & {
  readonly submitted: UserAction[];
  emit(...bodies: EventBody[]): void;
  state(): ThreadState;
};

let handles = 0;

export function createFakeHandle(start: Partial<ThreadState> = {}): FakeHandle {
  handles += 1;
  const threadId = start.threadId ?? `thread-${handles}`;
  const submitted: UserAction[] = [];
  const readers = new Set<AsyncQueue<EngineEvent>>();
  let state: ThreadState = {
    ...emptyThreadState({ threadId, cwd: '/projects/shop-api', mode: 'prompt' }),
    model: { provider: 'ollama', model: 'qwen3-coder:30b' },
    contextWindow: 32_000,
    ...start,
  };
  const stamp = (body: EventBody): EngineEvent => {
    const turnId = body.kind === 'turn-start' ? `turn-${state.seq + 1}` : state.turnId;
    return { threadId, turnId, seq: state.seq + 1, at: Date.now(), ...body } as EngineEvent;
  };
  return {
    threadId,
    submitted,
    state: () => state,
    submit: (action) => void submitted.push(action),
    emit(...bodies) {
      for (const body of bodies) {
        const event = stamp(body);
        state = applyEvent(state, event);
        for (const reader of readers) reader.push(event);
      }
    },
    events() {
      const queue = new AsyncQueue<EngineEvent>({ onReturn: () => readers.delete(queue) });
      readers.add(queue);
      queue.push(stamp({ kind: 'thread-snapshot', state }));
      return queue;
    },
    async close() {
      for (const reader of readers) reader.close();
    },
  };
}

export const fakeCommands: readonly CommandSpec[] = [
  { name: 'help', aliases: ['?'], summary: 'keys and commands', args: '' },
  { name: 'model', aliases: [], summary: 'switch to another model', args: '[provider/model]' },
  { name: 'mode', aliases: [], summary: 'what may run unasked', args: '[mode]', choices: ['plan', 'prompt'] },
  { name: 'theme', aliases: [], summary: 'colours', args: '[name]', choices: ['dark', 'light'] },
  { name: 'clear', aliases: ['new'], summary: 'a new conversation', args: '' },
  { name: 'rename', aliases: [], summary: 'name this conversation', args: '<name>' },
  { name: 'exit', aliases: ['quit'], summary: 'leave', args: '' },
];

export type FakePort = ScreenPort & {
  readonly handle: FakeHandle;
  /** Slash commands that were run. */
  readonly lines: string[];
  readonly added: string[];
  /** What `runCommand` answers; by command line. */
  readonly outcomes: Record<string, CommandOutcome>;
};

/** A switch that is worth no question, unless `changes` make it one. */
export function fakePreflight(ref: ModelRef, changes: Partial<ModelPreflight> = {}): ModelPreflight {
  return {
    info: {
      ref,
      name: ref.model,
      family: 'openai-compatible',
      contextWindow: { value: 200_000, origin: 'catalogue' },
      outputLimit: { value: 8_192, origin: 'catalogue' },
      images: { value: true, origin: 'catalogue' },
      tools: { value: true, origin: 'catalogue' },
      reasoning: { value: false, origin: 'catalogue' },
      local: false,
    },
    tokens: 41_300,
    usable: 170_000,
    fit: 'fits',
    compacted: 6_000,
    images: 0,
    firstCallUsd: 0,
    laterCallUsd: 0,
    leavesReasoning: false,
    leavesMachine: false,
    isWorthAsking: false,
    ...changes,
  };
}

const darkTheme = JSON.stringify({ name: 'dark', appearance: 'dark', colors: {} });

export function createFakePort(
  overrides: Partial<Omit<FakePort, 'lines' | 'added' | 'outcomes'>> = {},
): FakePort {
  const lines: string[] = [];
  const added: string[] = [];
  const outcomes: Record<string, CommandOutcome> = {};
  const none = async (): Promise<CommandOutcome> => ({ kind: 'none' });
  return {
    version: '0.1.0',
    cwd: '/projects/shop-api',
    cwdLabel: 'shop-api',
    startMode: 'prompt',
    handle: createFakeHandle(),
    needsModel: Promise.resolve(false),
    commands: fakeCommands,
    history: {
      load: async () => ({ texts: ['first prompt', 'second prompt'] }),
      add: (text) => void added.push(text),
    },
    firstPrompt: undefined,
    themeId: 'dark',
    loadTheme: (id) => (id === 'dark' || id === 'light' ? darkTheme : undefined),
    themeIds: ['dark', 'light'],
    async runCommand(line) {
      lines.push(line);
      return outcomes[line] ?? { kind: 'none' };
    },
    async *modelChoices() {
      yield [
        {
          ref: { provider: 'ollama', model: 'qwen3-coder:30b' },
          label: 'qwen3-coder:30b',
          source: 'local-server',
          detail: 'running here · 32k context',
        },
      ];
    },
    modelMarks: async () => ({ recent: [], favourites: [] }),
    markFavourite: async () => undefined,
    preflight: async (ref) => fakePreflight(ref),
    chooseModel: none,
    providerModels: async () => [],
    addProvider: none,
    startDemo: none,
    threads: async () => [],
    openThread: none,
    saveTheme: async () => undefined,
    files: async () => [
      'README.md',
      'src/',
      'src/cart/',
      'src/cart/total.ts',
      'src/cart/total.test.ts',
      'test/',
    ],
    branch: async () => ({ name: 'main', changed: 2 }),
    settings: async () => [],
    editorCommand: ['vi'],
    ...overrides,
    lines,
    added,
    outcomes,
  };
}

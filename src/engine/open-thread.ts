import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { createIdSource, type IdSource } from '#lib/ids.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EventBody } from '#protocol/event.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { ModelClient, ModelDirectory } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { ToolDef, ToolServices } from '#protocol/tool.ts';
import { Answers } from './answers.ts';
import { firstKept } from './context/history.ts';
import { systemPrompt } from './context/system-prompt.ts';
import { fixedEstimate } from './context/token-estimate.ts';
import { TokenMeter } from './context/token-meter.ts';
import { Inbox } from './inbox.ts';
import { Ledger } from './ledger.ts';
import { ModelSeat } from './model-seat.ts';
import type { EngineSettings } from './settings.ts';
import { Supervisor } from './supervisor.ts';
import type { LiveThread } from './thread/live-thread.ts';
import { type StartedThread, startThread, type ThreadSource } from './thread/start-thread.ts';
import { ThreadEngine } from './thread-engine.ts';
import { fireHook } from './turn/fire-hook.ts';
import { lastTold } from './turn/mode-note.ts';
import { toolSchemas } from './turn/tool-schemas.ts';
import type { TurnDeps, TurnMemory } from './turn/turn-deps.ts';

export type OpenThreadOptions = {
  /** Folder of everything of the user. */
  home: string;
  cwd: string;
  /** Real paths of the workspace folders, the main one first. */
  roots: readonly string[];
  origin: ThreadSource;
  /** False: nothing is kept of the thread; with `resume` it then goes on in a copy in memory. */
  persist: boolean;
  /** null = the thread's own, or none yet. In a thread that has its own it counts only with `modelOverride`. */
  model: ModelRef | null;
  modelOverride?: boolean;
  /** null = the thread's own, else `prompt`. */
  mode: PermissionMode | null;
  directory: ModelDirectory;
  tools: readonly ToolDef[];
  gate: PermissionGate;
  hooks: HookRunner;
  instructions: readonly string[];
  /** Environment of child processes. */
  childEnv: Readonly<Record<string, string>>;
  clock: Clock;
  settings: EngineSettings;
  /** False: nobody is there to ask, and what would be asked is denied. */
  canAsk: boolean;
  version: string;
  /** False lifts the rule that a file is read before it is edited. */
  requireRead?: boolean;
};

/**
 * Opens a thread in this process and makes it ready for actions. A new thread leaves no file until something is said
 * in it. Rejects with an `LlmcodeError` when the thread is not there, damaged, or open in another process.
 */
export async function openThread(options: OpenThreadOptions): Promise<EngineHandle> {
  const ids = createIdSource();
  const { home, cwd, origin, persist, version, clock, hooks } = options;
  const started = await startThread({ home, cwd, origin, persist, version, clock, ids });
  const { thread } = started;
  options.gate.allowReading(started.filesDir);
  const supervisor = new Supervisor();
  const answers = new Answers();
  const inbox = new Inbox({
    pending: thread.state.pending,
    ids,
    onChange: (pending) => emit(thread, { kind: 'pending-changed', pending }),
  });
  const ledger = Ledger.of(thread.state.messages);
  const memory = newMemory(thread);
  const seat = new ModelSeat({
    directory: options.directory,
    wanted: options.modelOverride
      ? (options.model ?? thread.state.model)
      : (thread.state.model ?? options.model),
    onOpened: (client) => onModelOpened(client, { thread, memory }),
  });
  const lifetime = new AbortController();
  const turnDeps = makeTurnDeps({
    options,
    ids,
    started,
    supervisor,
    lifetime,
    answers,
    inbox,
    ledger,
    memory,
    seat,
  });
  setMode(thread, options);
  const engine = new ThreadEngine({
    started,
    turnDeps,
    inbox,
    answers,
    seat,
    ledger,
    hooks,
    supervisor,
    lifetime,
    persist,
    clock,
    ids,
  });
  if (seat.hasModel)
    supervisor.add(seat.client().catch((error: unknown) => showError(thread, { ids, error })));
  return engine;
}

type Made = {
  options: OpenThreadOptions;
  ids: IdSource;
  started: StartedThread;
  supervisor: Supervisor;
  lifetime: AbortController;
  answers: Answers;
  inbox: Inbox;
  ledger: Ledger;
  memory: TurnMemory;
  seat: ModelSeat;
};

function makeTurnDeps(made: Made): TurnDeps {
  const { options, ids, started, supervisor, answers, inbox, ledger, memory, seat } = made;
  const { cwd, roots, hooks, clock, settings, instructions, gate, childEnv, canAsk } = options;
  const { thread, filesDir } = started;
  const tools = options.tools.filter((tool) => canAsk || !tool.needsPerson);
  const system = systemPrompt({
    cwd,
    roots,
    instructions,
    platform: process.platform,
    canAsk,
    openedAt: clock.now(),
  });
  const schemas = toolSchemas(tools);
  const costBefore = thread.state.totals.costUsd;
  return {
    state: () => thread.state,
    model: () => seat.client(),
    inbox,
    sessionContext: sessionStart(made),
    memory: () => memory,
    hooks,
    system,
    schemas,
    fixedTokens: fixedEstimate({ system, tools: schemas }),
    tools: {
      tools,
      gate,
      hooks,
      asker: canAsk ? answers : null,
      mode: () => thread.state.mode,
      cwd,
      roots,
      filesDir,
      childEnv,
      requireRead: options.requireRead ?? true,
      ledger,
      services: makeServices(made),
      clock,
      ids,
      timeoutMs: settings.tool_timeout * 1_000,
      imagesDir: options.persist ? filesDir : null,
      // Reads may be repeated; what has effects must not start before the log is safe.
      beforeRun: async (effect) => (effect === 'read' || effect === 'none' ? thread.flush() : thread.sync()),
      supervise: (work) => supervisor.add(work),
    },
    settings,
    spentUsd: () => thread.state.totals.costUsd - costBefore,
    clock,
    ids,
    flush: () => thread.flush(),
    sync: () => thread.sync(),
    supervise: (work) => supervisor.add(work),
  };
}

function makeServices({ options, ids, started, answers }: Made): ToolServices {
  const { thread } = started;
  return {
    askPerson: async (questions, { callId, signal }) => {
      if (!options.canAsk) return null;
      const request = { id: ids(), callId, questions };
      const waiting = answers.waitForQuestion(request, { signal });
      emit(thread, { kind: 'question-request', request });
      const answer = await waiting;
      emit(thread, { kind: 'question-response', requestId: request.id, answer });
      return answer;
    },
    setTodos: (todos) => emit(thread, { kind: 'todos-changed', todos }),
  };
}

/** Tells hooks that the session begins; what they say to the model is handed out with the first turn. */
function sessionStart({
  options,
  ids,
  started,
  supervisor,
  lifetime,
}: Made): () => Promise<string | undefined> {
  const source = options.origin.kind === 'new' ? 'startup' : options.origin.kind;
  const event = { event: 'session-start', source } as const;
  const told = fireHook(options.hooks, event, { signal: lifetime.signal }).then(({ context, notices }) => {
    for (const text of notices) notice(started.thread, { ids, level: 'info', text });
    return context;
  });
  supervisor.add(told);
  let isHandedOut = false;
  return async () => {
    const context = await told;
    if (isHandedOut) return undefined;
    isHandedOut = true;
    return context;
  };
}

function newMemory({ state }: LiveThread): TurnMemory {
  const calls = state.messages
    .flatMap((message) => message.parts)
    .filter((part) => part.kind === 'tool-call');
  return {
    // A note that was summarised away is as good as never given.
    told: lastTold(
      state.compaction ? state.messages.slice(firstKept(state.messages, state.compaction)) : state.messages,
    ),
    vendorCallIds: new Set(calls.flatMap(({ vendorCallId }) => vendorCallId ?? [])),
    meter: new TokenMeter(),
    uselessCompactions: 0,
    wasUnpricedTold: false,
    wasToollessTold: false,
  };
}

function onModelOpened(
  { info }: ModelClient,
  { thread, memory }: { thread: LiveThread; memory: TurnMemory },
): void {
  const { model, contextWindow } = thread.state;
  const isSame = model !== null && formatModelRef(model) === formatModelRef(info.ref);
  if (!isSame) {
    memory.meter = new TokenMeter();
    memory.uselessCompactions = 0;
    memory.wasUnpricedTold = false;
    memory.wasToollessTold = false;
  }
  if (isSame && contextWindow === info.contextWindow.value) return;
  emit(thread, { kind: 'model-switched', model: info.ref, contextWindow: info.contextWindow.value });
}

function setMode(thread: LiveThread, { mode, origin }: OpenThreadOptions): void {
  const wanted = mode ?? thread.state.mode;
  if (origin.kind === 'new' || wanted !== thread.state.mode)
    emit(thread, { kind: 'mode-changed', mode: wanted });
}

function emit(thread: LiveThread, body: EventBody): void {
  thread.emit(body, thread.state.turnId);
}

function showError(thread: LiveThread, { ids, error }: { ids: IdSource; error: unknown }): void {
  notice(thread, { ids, level: 'error', text: errorText(error) });
}

function notice(
  thread: LiveThread,
  { ids, level, text }: { ids: IdSource; level: 'info' | 'error'; text: string },
): void {
  emit(thread, { kind: 'notice-added', notice: { id: ids(), kind: 'notice', level, text } });
}

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { createIdSource, type IdSource } from '#lib/ids.ts';
import { isSecret } from '#permissions/paths/names.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EventBody } from '#protocol/event.ts';
import type { HookEvent, HookRunner } from '#protocol/hook.ts';
import type { ModelClient, ModelDirectory } from '#protocol/model-client.ts';
import { priceClass } from '#protocol/model-cost.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { CommandSandbox } from '#protocol/sandbox.ts';
import type { ToolDef, ToolServices } from '#protocol/tool.ts';
import { spentUsd } from '#protocol/usage-totals.ts';
import { Answers } from './answers.ts';
import { BackgroundShells } from './background-shells.ts';
import { CacheWatch } from './context/cache-watch.ts';
import { firstKept } from './context/history.ts';
import { createRecall } from './context/recall.ts';
import type { RunSpending } from './context/run-spending.ts';
import { seedMeter } from './context/seed-meter.ts';
import { summarisers } from './context/summarisers.ts';
import { TokenMeter } from './context/token-meter.ts';
import { countSpending } from './count-spending.ts';
import { type FixedRequest, fixedRequest } from './fixed-request.ts';
import { HookDesk } from './hook-desk.ts';
import { Inbox } from './inbox.ts';
import { Ledger } from './ledger.ts';
import { ModelSeat, type Succession } from './model-seat.ts';
import { ThreadChanges } from './rewind/thread-changes.ts';
import type { EngineSettings } from './settings.ts';
import { StandIns } from './stand-ins.ts';
import { Supervisor } from './supervisor.ts';
import type { LiveThread } from './thread/live-thread.ts';
import { type StartedThread, startThread, type ThreadSource } from './thread/start-thread.ts';
import { pathsOfFiles } from './thread/thread-paths.ts';
import { ThreadEngine } from './thread-engine.ts';
import { toldDirectory } from './told-directory.ts';
import { lastTold, toldMode } from './turn/mode-note.ts';
import type { TurnDeps, TurnMemory } from './turn/turn-deps.ts';

export type OpenThreadOptions = {
  /** Folder of everything of the user. */
  home: string;
  cwd: string;
  /** Real paths of the workspace folders, the main one first. */
  roots: readonly string[];
  origin: ThreadSource;
  /** It takes the place of one that was cleared away; for hooks. */
  afterClear?: boolean;
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
  /** Where they come from, for hooks. */
  instructionFiles?: readonly { file: string; scope: 'user' | 'project' }[];
  /** Environment of child processes. */
  childEnv: Readonly<Record<string, string>>;
  /** A folder of the thread in which temporary files need no permission. */
  scratch?: string;
  /** Where commands of the model run; without it, outside of any sandbox. */
  sandbox?: CommandSandbox;
  clock: Clock;
  settings: EngineSettings;
  /** False: nobody is there to ask, and what would be asked is denied. */
  canAsk: boolean;
  version: string;
  /** A thread with a peer: its log is one of questions to `peer`, and `role` is who the model is told to be. */
  consult?: { peer: string; role: string };
  /** What all threads of this run of the program have spent; without it, this one is all there is. */
  spending?: RunSpending;
  /** Services of the program beside the engine's own. */
  services?: Pick<ToolServices, 'consult' | 'writes' | 'memory' | 'instructions'>;
  /** What happened outside of the thread and the model has to be told; each text once. */
  news?: () => string[];
  /** What is remembered about a request of the person and does not stand in `instructions`. Never rejects. */
  remembered?: (request: string) => Promise<readonly string[]>;
  /** Makes what runs the commands of the thread; without it each runs by itself. */
  openShells?: () => NonNullable<BackgroundShells['desk']>;
  /** False lifts the rule that a file is read before it is edited. */
  requireRead?: boolean;
};

/**
 * Opens a thread in this process and makes it ready for actions. A new thread leaves no file until something is said
 * in it. Rejects with an `LlmcodeError` when the thread is not there, damaged, or open in another process.
 */
export async function openThread(given: OpenThreadOptions): Promise<EngineHandle> {
  const ids = createIdSource();
  const { home, cwd, origin, persist, version, clock } = given;
  const { consult } = given;
  const started = await startThread({
    ...{ home, cwd, origin, persist, version, clock, ids },
    peer: consult?.peer,
  });
  const { thread } = started;
  given.gate.allowReading(started.filesDir);
  const supervisor = new Supervisor();
  const hooks = new HookDesk({
    runner: given.hooks,
    thread,
    transcript: persist ? pathsOfFiles(started.filesDir).log : undefined,
    agent: consult && { id: thread.state.threadId, type: 'peer' },
    ids,
    supervise: (work) => supervisor.add(work),
  });
  const tell = (event: HookEvent) => hooks.tell(event);
  const options = { ...given, directory: toldDirectory(given.directory, { tell, clock }) };
  const answers = new Answers();
  const inbox = new Inbox({
    pending: thread.state.pending,
    ids,
    onChange: (pending) => emit(thread, { kind: 'pending-changed', pending }),
  });
  const ledger = Ledger.of(thread.state.messages);
  const memory = newMemory(thread);
  // A peer is told who it is, and so what it may do.
  if (options.consult && options.mode) memory.told = toldMode(options.mode);
  const request = fixedRequest(options);
  const seat = new ModelSeat({
    directory: options.directory,
    wanted: options.modelOverride
      ? (options.model ?? thread.state.model)
      : (thread.state.model ?? options.model),
    chosen: options.modelOverride && options.model ? undefined : thread.state.standsInFor,
    onOpened: (client, succession) => {
      onModelOpened(client, { thread, memory, succession });
      warnOfModel(client, { thread, ids, warned });
      measureModel(client, { thread, memory, request });
    },
  });
  const warned = new Set<string>();
  const lifetime = new AbortController();
  const shells = new BackgroundShells({ desk: options.openShells?.(), thread, ids });
  const changes = persist
    ? new ThreadChanges({
        ...{ home, cwd, thread, ids, clock, roots: given.roots },
        supervise: (work) => supervisor.add(work),
      })
    : undefined;
  const turnDeps = makeTurnDeps({
    options,
    changes,
    request,
    ids,
    started,
    supervisor,
    hooks,
    answers,
    inbox,
    ledger,
    memory,
    seat,
    shells,
  });
  hooks.begin({
    source: given.afterClear ? 'clear' : sourceOf(origin),
    instructionFiles: options.instructionFiles ?? [],
    signal: lifetime.signal,
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
    shells,
    changes,
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
  changes: ThreadChanges | undefined;
  request: FixedRequest;
  ids: IdSource;
  started: StartedThread;
  supervisor: Supervisor;
  hooks: HookDesk;
  answers: Answers;
  inbox: Inbox;
  ledger: Ledger;
  memory: TurnMemory;
  seat: ModelSeat;
  shells: BackgroundShells;
};

function makeTurnDeps(made: Made): TurnDeps {
  const { options, request, ids, started, supervisor, hooks, answers, inbox, ledger, memory, seat } = made;
  const { cwd, roots, clock, settings, gate, childEnv, canAsk } = options;
  const { thread, filesDir } = started;
  const { tools, system } = request;
  const { daySpending, runSpending } = countSpending({ ...options, thread, ids, supervisor });
  return {
    state: () => thread.state,
    model: () => seat.client(),
    standIns: new StandIns({ seat, directory: options.directory, clock }),
    summarisers: (client) => summarisers(options.directory, client),
    inbox,
    notes: () => newsOf(made),
    remembered: async (request) => (await options.remembered?.(request)) ?? [],
    memory: () => memory,
    hooks,
    system,
    get schemas() {
      return request.offered(thread.state, seat.info).schemas;
    },
    get fixedTokens() {
      return request.offered(thread.state, seat.info).tokens;
    },
    tools: {
      tools,
      get offered() {
        return request.offered(thread.state, seat.info).schemas.map(({ name }) => name);
      },
      gate,
      hooks,
      asker: canAsk ? answers : null,
      mode: () => thread.state.mode,
      cwd,
      roots,
      filesDir,
      childEnv,
      scratch: options.scratch,
      sandbox: options.sandbox,
      changes: made.changes,
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
    spent: async () => {
      const { totals } = thread.state;
      return { run: runSpending.usd, thread: spentUsd(totals), day: await daySpending.today() };
    },
    clock,
    ids,
    flush: () => thread.flush(),
    sync: () => thread.sync(),
    supervise: (work) => supervisor.add(work),
  };
}

function makeServices({ options, request, ids, started, hooks, answers, shells }: Made): ToolServices {
  const { thread } = started;
  return {
    ...options.services,
    ownModel: () => thread.state.model && formatModelRef(thread.state.model),
    askPerson: async (questions, { callId, signal }) => {
      if (!options.canAsk) return null;
      const request = { id: ids(), callId, questions };
      const waiting = answers.waitForQuestion(request, { signal });
      emit(thread, { kind: 'question-request', request });
      const message = questions.map(({ question }) => question).join('\n');
      hooks.tell({ event: 'notification', type: 'agent_needs_input', message });
      const answer = await waiting;
      emit(thread, { kind: 'question-response', requestId: request.id, answer });
      return answer;
    },
    ...(shells.desk ? { shells: shells.desk } : {}),
    setTodos: (todos) => emit(thread, { kind: 'todos-changed', todos }),
    setNotes: (notes) => emit(thread, { kind: 'notes-changed', notes }),
    isSecretFile: isSecret,
    toolSearch: { find: request.find },
    recall: createRecall({ state: () => thread.state, filesDir: started.filesDir }),
  };
}

function newsOf({ shells, changes, options }: Made): string[] {
  return [...shells.takeNotes(), ...(changes?.takeNotes() ?? []), ...(options.news?.() ?? [])];
}

function sourceOf({ kind }: ThreadSource): 'startup' | 'resume' | 'fork' {
  if (kind === 'new') return 'startup';
  return kind === 'snapshot' ? 'resume' : kind;
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
    cacheWatch: new CacheWatch(),
    uselessCompactions: 0,
    wasUnpricedTold: false,
    wasToollessTold: false,
    wasWindowTold: false,
  };
}

function onModelOpened(
  { info }: ModelClient,
  {
    thread,
    memory,
    succession,
  }: { thread: LiveThread; memory: TurnMemory; succession?: Succession | undefined },
): void {
  const { model, contextWindow, modelPrice } = thread.state;
  const price = priceClass(info);
  const isSame = model !== null && formatModelRef(model) === formatModelRef(info.ref);
  if (!isSame) {
    memory.meter = new TokenMeter();
    memory.uselessCompactions = 0;
    memory.wasUnpricedTold = false;
    memory.wasToollessTold = false;
    memory.wasWindowTold = false;
  }
  if (isSame && contextWindow === info.contextWindow.value && modelPrice === price) return;
  emit(thread, {
    kind: 'model-switched',
    model: info.ref,
    contextWindow: info.contextWindow.value,
    price,
    ...succession,
  });
}

/** What the log knows of how this model counts, and how much of its window is free for history. */
function measureModel(
  { info }: ModelClient,
  { thread, memory, request }: { thread: LiveThread; memory: TurnMemory; request: FixedRequest },
): void {
  const { state } = thread;
  if (memory.meter.knownScale === null)
    seedMeter(memory.meter, state, { model: info.ref, fixed: request.offered(state, info).tokens });
  const frame = { ...request.frame(info), usable: memory.meter.usable(info) };
  if (!isDeepStrictEqual(state.frame, frame)) emit(thread, { kind: 'frame-measured', frame });
}

/** What the person should know of a model is said once for each. */
function warnOfModel(
  { info: { ref, warning } }: ModelClient,
  { thread, ids, warned }: { thread: LiveThread; ids: IdSource; warned: Set<string> },
): void {
  const name = formatModelRef(ref);
  if (warning === undefined || warned.has(name)) return;
  warned.add(name);
  notice(thread, { ids, level: 'warning', text: `${name}: ${warning}.` });
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
  { ids, level, text }: { ids: IdSource; level: 'info' | 'warning' | 'error'; text: string },
): void {
  emit(thread, { kind: 'notice-added', notice: { id: ids(), kind: 'notice', level, text } });
}

// Free of zod, like every file here that the first paint needs.
import type { EngineEvent } from './event.ts';
import type { Message, MessagePart, ToolCallPart } from './message.ts';
import type { ModelRef } from './model-ref.ts';
import { formatModelRef } from './model-ref-text.ts';
import type { ChangeSet, KeptChangeSet } from './rewind.ts';
import { addSpending } from './spending.ts';
import type { ThreadState, TrimLevel } from './thread-state.ts';
import { addPeerRound, emptyTotals } from './usage-totals.ts';

export type ThreadOrigin = Pick<ThreadState, 'threadId' | 'cwd' | 'mode'>;

/** The state of a thread in which nothing has happened yet. */
export function emptyThreadState({ threadId, cwd, mode }: ThreadOrigin): ThreadState {
  return {
    threadId,
    name: null,
    cwd,
    model: null,
    contextWindow: null,
    mode,
    messages: [],
    live: null,
    activeRuns: {},
    turnId: null,
    turnStartedAt: null,
    lastTurnEnd: null,
    permissions: [],
    questions: [],
    pending: [],
    todos: [],
    consults: [],
    totals: emptyTotals,
    contextTokens: null,
    compaction: null,
    trims: {},
    rewrite: null,
    frame: null,
    isCompacting: false,
    retry: null,
    seq: 0,
  };
}

/**
 * The one fold of events into a thread's state; screen, resume and headless output all use it. Pure: shares
 * what did not change. Deltas touch only `live` or `activeRuns`, so their cost does not grow with the thread.
 */
export function applyEvent(state: ThreadState, event: EngineEvent): ThreadState {
  if (event.kind === 'thread-snapshot') return event.state;
  const changed = change(state, event);
  return { ...state, ...changed, seq: event.seq };
}

function change(
  state: ThreadState,
  event: Exclude<EngineEvent, { kind: 'thread-snapshot' }>,
): Partial<ThreadState> {
  switch (event.kind) {
    case 'turn-start':
      return { turnId: event.turnId, turnStartedAt: event.at, lastTurnEnd: null };
    case 'turn-end':
      return {
        turnId: null,
        turnStartedAt: null,
        lastTurnEnd: { reason: event.reason, ...(event.text === undefined ? {} : { text: event.text }) },
        ...settleLive(state),
        activeRuns: {},
        permissions: [],
        questions: [],
        retry: null,
        isCompacting: false,
      };
    case 'message-added':
      return { messages: [...state.messages, event.message] };
    case 'message-start':
      return {
        ...settleLive(state),
        live: { id: event.messageId, role: 'assistant', parts: [], createdAt: event.at, model: event.model },
      };
    case 'message-end':
      return endMessage(state, event);
    case 'message-discarded':
      return state.live?.id === event.messageId ? { live: null } : {};
    case 'text-start':
      return addPart(state, event.messageId, { kind: 'text', id: event.partId, text: '' });
    case 'reasoning-start':
      return addPart(state, event.messageId, { kind: 'reasoning', id: event.partId, text: '' });
    case 'tool-call-start':
      return addPart(state, event.messageId, {
        kind: 'tool-call',
        id: event.partId,
        callId: event.callId,
        tool: event.tool,
        input: {},
        rawInput: '',
      });
    case 'text-delta':
    case 'reasoning-delta':
      return appendText(state, event);
    case 'tool-call-delta':
      return {};
    case 'text-end':
    case 'reasoning-end':
    case 'tool-call-end':
      return endPart(state, event.messageId, event.part);
    case 'tool-run-start':
      return { activeRuns: { ...state.activeRuns, [event.callId]: { startedAt: event.at } } };
    case 'tool-run-progress': {
      const run = state.activeRuns[event.callId];
      if (!run) return {};
      return { activeRuns: { ...state.activeRuns, [event.callId]: { ...run, progress: event.view } } };
    }
    case 'tool-run-end':
      return endRun(state, event);
    case 'permission-request':
      return { permissions: [...state.permissions, event.request] };
    case 'permission-response':
      return { permissions: state.permissions.filter((request) => request.id !== event.requestId) };
    case 'question-request':
      return { questions: [...state.questions, event.request] };
    case 'question-response':
      return { questions: state.questions.filter((request) => request.id !== event.requestId) };
    case 'pending-changed':
      return { pending: event.pending };
    case 'todos-changed':
      return { todos: event.todos };
    case 'notes-changed':
      return { notes: event.notes };
    case 'shells-changed':
      return { shells: event.shells };
    case 'shell-progress': {
      const { id, lines, tail } = event;
      return { shells: state.shells?.map((shell) => (shell.id === id ? { ...shell, lines, tail } : shell)) };
    }
    case 'files-changed':
      return { changes: withChangeSet(state.changes ?? [], event.set, event.at) };
    case 'thread-rewound': {
      const at = state.messages.findIndex(({ id }) => id === event.promptId);
      if (at < 0) return {};
      return { ...event.rewound, messages: state.messages.slice(0, at), lastTurnEnd: null };
    }
    case 'mode-changed':
      return { mode: event.mode };
    case 'model-switched':
      return {
        model: event.model,
        contextWindow: event.contextWindow,
        ...(event.price ? { modelPrice: event.price } : {}),
        standsInFor: standsInFor(state, event),
      };
    case 'thread-renamed':
      return { name: event.name };
    case 'checkpoint-saved': {
      const point = { name: event.name, at: event.at, seq: event.seq };
      return { checkpoints: [...(state.checkpoints ?? []), point] };
    }
    case 'compaction-start':
      return { isCompacting: true };
    case 'compaction-end':
      return {
        isCompacting: false,
        ...(event.usage
          ? addSpending(state, {
              model: event.model ?? null,
              usage: event.usage,
              costUsd: event.costUsd ?? null,
              turnId: event.turnId,
              at: event.at,
            })
          : {}),
      };
    case 'thread-compacted':
      return {
        ...rewritten(state, event.scale),
        compaction: {
          summary: event.summary,
          keptFrom: event.keptFrom,
          messagesBefore: state.messages.length,
        },
        trims: trimsFrom(state, event.keptFrom),
        contextTokens: event.tokensAfter,
      };
    case 'history-trimmed':
      return {
        ...rewritten(state, event.scale),
        trims: {
          ...state.trims,
          ...Object.fromEntries(event.trims.map(({ callId, level }) => [callId, level])),
        },
        contextTokens: event.tokensAfter,
      };
    case 'compaction-undone': {
      const { rewrite } = state;
      if (!rewrite?.former) return {};
      return {
        ...rewrite.former,
        rewrite: { at: state.messages.length, scale: rewrite.scale, former: null },
        contextTokens: event.tokensAfter,
      };
    }
    case 'frame-measured':
      return { frame: event.frame };
    case 'retry-wait': {
      const { attempt, maxAttempts, until, error } = event;
      return { retry: { attempt, maxAttempts, until, error } };
    }
    case 'retry-end':
      return { retry: null };
    case 'consult-start':
      return { consults: [...state.consults, { ...event.consult, startedAt: event.at }] };
    case 'consult-end': {
      const { part } = event;
      return {
        consults: state.consults.filter(({ id }) => id !== part.id),
        messages: [...state.messages, { id: part.id, role: 'notice', parts: [part], createdAt: event.at }],
        ...(part.usage ? { totals: addPeerRound(state.totals, part.costUsd) } : {}),
      };
    }
    case 'notice-added':
      return {
        messages: [
          ...state.messages,
          { id: event.notice.id, role: 'notice', parts: [event.notice], createdAt: event.at },
        ],
      };
  }
}

/** An undo takes the sets that it names out of force; a redo takes undos out of force, and so brings theirs back. */
function withChangeSet(sets: readonly KeptChangeSet[], set: ChangeSet, at: number): KeptChangeSet[] {
  const named = new Set(set.reverts);
  const broughtBack = new Set(
    sets.flatMap(({ id, reverts = [] }) => (set.cause === 'redo' && named.has(id) ? reverts : [])),
  );
  const turned = sets.map((each) => {
    if (named.has(each.id)) return { ...each, isUndone: true };
    return broughtBack.has(each.id) ? { ...each, isUndone: false } : each;
  });
  return [...turned, { ...set, at, isUndone: false }];
}

function rewritten(
  { messages, compaction, trims }: ThreadState,
  scale: number | null = null,
): Pick<ThreadState, 'rewrite'> {
  return { rewrite: { at: messages.length, scale, former: { compaction, trims } } };
}

/** Trims of the messages that are still sent; those before are in the summary. */
function trimsFrom({ messages, trims }: ThreadState, keptFrom: string | null): ThreadState['trims'] {
  const first = keptFrom === null ? -1 : messages.findLastIndex(({ id }) => id === keptFrom);
  if (first < 0) return {};
  const kept = messages.slice(first).flatMap(({ parts }) =>
    parts.flatMap((part): [string, TrimLevel][] => {
      const level = part.kind === 'tool-call' ? trims[part.callId] : undefined;
      return part.kind === 'tool-call' && level ? [[part.callId, level]] : [];
    }),
  );
  return Object.fromEntries(kept);
}

/** The same model again, with other facts, changes nothing. */
function standsInFor(
  state: ThreadState,
  { model, reason, from }: Extract<EngineEvent, { kind: 'model-switched' }>,
): ModelRef | undefined {
  if (reason === 'fallback') return state.standsInFor ?? from;
  const isSame = state.model !== null && formatModelRef(state.model) === formatModelRef(model);
  return isSame ? state.standsInFor : undefined;
}

/** A live message whose end never came (a crash) keeps what it has. */
function settleLive(state: ThreadState): Partial<ThreadState> {
  if (!state.live) return {};
  const parts = state.live.parts.filter((part) => !isUnfinished(part));
  if (parts.length === 0) return { live: null };
  return { live: null, messages: [...state.messages, { ...state.live, parts, finish: 'aborted' }] };
}

/** A part of which only the start is known. */
function isUnfinished(part: MessagePart): boolean {
  if (part.kind === 'tool-call') return part.rawInput === '';
  return (part.kind === 'text' || part.kind === 'reasoning') && part.text === '';
}

function endMessage(
  state: ThreadState,
  event: Extract<EngineEvent, { kind: 'message-end' }>,
): Partial<ThreadState> {
  const { live } = state;
  const reported = event.usage ? (event.usage.input ?? 0) + (event.usage.output ?? 0) : 0;
  const { usage: counted, costUsd, turnId, at, cacheMiss } = event;
  const model = (live?.id === event.messageId ? live.model : undefined) ?? state.model;
  const sums = {
    ...(counted ? addSpending(state, { model, usage: counted, costUsd, turnId, at, cacheMiss }) : {}),
    contextTokens: reported > 0 ? reported : state.contextTokens,
    retry: null,
  };
  if (live?.id !== event.messageId) return sums;
  const parts = live.parts.filter((part) => !isUnfinished(part));
  const usage = event.usage ? { usage: event.usage } : {};
  const message: Message = { ...live, parts, finish: event.finish, ...usage };
  return { ...sums, live: null, messages: [...state.messages, message] };
}

function addPart(state: ThreadState, messageId: string, part: MessagePart): Partial<ThreadState> {
  const { live } = state;
  if (live?.id !== messageId) return {};
  return { live: { ...live, parts: [...live.parts, part] }, retry: null };
}

function appendText(
  state: ThreadState,
  event: Extract<EngineEvent, { kind: 'text-delta' | 'reasoning-delta' }>,
): Partial<ThreadState> {
  const { live } = state;
  if (live?.id !== event.messageId) return {};
  const parts = live.parts.map((part) =>
    part.id === event.partId && (part.kind === 'text' || part.kind === 'reasoning')
      ? { ...part, text: part.text + event.text }
      : part,
  );
  return { live: { ...live, parts } };
}

function endPart(state: ThreadState, messageId: string, part: MessagePart): Partial<ThreadState> {
  return updateMessage(state, messageId, (message) => {
    const known = message.parts.some((other) => other.id === part.id);
    const parts = known
      ? message.parts.map((other) => (other.id === part.id ? part : other))
      : [...message.parts, part];
    return { ...message, parts };
  });
}

/** The first result of a call stands; a second one would break the rule of one result per call. */
function endRun(
  state: ThreadState,
  event: Extract<EngineEvent, { kind: 'tool-run-end' }>,
): Partial<ThreadState> {
  const { [event.callId]: _ended, ...activeRuns } = state.activeRuns;
  const isOpen = (part: MessagePart): part is ToolCallPart =>
    part.kind === 'tool-call' && part.callId === event.callId && part.result === undefined;
  const changed = updateMessage(state, event.messageId, (message) => {
    if (!message.parts.some(isOpen)) return message;
    const parts = message.parts.map((part) => (isOpen(part) ? { ...part, result: event.result } : part));
    return { ...message, parts };
  });
  const { peerCostUsd } = event.result;
  const totals = peerCostUsd === undefined ? {} : { totals: addPeerRound(state.totals, peerCostUsd) };
  return { ...changed, activeRuns, ...totals };
}

/** Looks from the newest message back: what changes is always near the end. */
function updateMessage(
  state: ThreadState,
  messageId: string,
  update: (message: Message) => Message,
): Partial<ThreadState> {
  if (state.live?.id === messageId) return { live: update(state.live) };
  const index = state.messages.findLastIndex((message) => message.id === messageId);
  const message = state.messages[index];
  if (!message) return {};
  return { messages: state.messages.with(index, update(message)) };
}

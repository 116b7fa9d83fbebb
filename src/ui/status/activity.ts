import { cleanName } from '#lib/terminal-text.ts';
import type { Message, ToolCallPart } from '#protocol/message.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolView } from '#protocol/tool-view.ts';

/** What is going on, in a word. Null when nothing is. */
export type Activity = {
  /** `writing`: text appears on the screen, which moves enough by itself. */
  readonly kind: 'working' | 'writing' | 'person' | 'retry' | 'consulting';
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** A failed call that is tried again. The same object while it waits. */
  readonly retry: ThreadState['retry'];
};

const longestText = 400;
const writing = 'writing';

/** What runs in the thread; a question to a peer runs beside it and is named behind it, or alone. */
export function activityOf(thread: ThreadState): Activity | null {
  const activity = turnActivity(thread);
  const [consult] = thread.consults;
  if (!consult) return activity;
  const peers = thread.consults.map(({ peer, thread: name }) => `${short(peer)} (${short(name)})`);
  const text = `consulting ${peers.join(', ')}`;
  if (!activity) return { kind: 'consulting', text, startedAt: consult.startedAt, retry: null };
  return activity.retry ? activity : { ...activity, text: `${activity.text} · ${text}` };
}

/** True while there is something to say about what goes on. */
export function isActive(thread: ThreadState): boolean {
  return isBusy(thread) || thread.consults.length > 0;
}

function turnActivity(thread: ThreadState): Activity | null {
  const startedAt = thread.turnStartedAt ?? 0;
  const [permission] = thread.permissions;
  if (permission)
    return { kind: 'person', text: waitingFor(permission.tool, permission.title), startedAt, retry: null };
  if (thread.questions.length > 0)
    return { kind: 'person', text: 'waiting for your answer', startedAt, retry: null };
  const { retry } = thread;
  if (retry) return { kind: 'retry', text: errorName(retry.error), startedAt, retry };
  if (thread.isCompacting)
    return { kind: 'working', text: 'summarising the conversation', startedAt, retry: null };
  const runs = Object.entries(thread.activeRuns);
  const [first] = runs;
  if (first) {
    const [callId, { startedAt: runAt, progress }] = first;
    const text =
      runs.length === 1 ? runningText(findCall(thread, callId), progress) : runningTools(thread, runs.length);
    return { kind: 'working', text, startedAt: startedAt || runAt, retry: null };
  }
  if (thread.turnId === null) return null;
  const text = modelText(thread);
  return { kind: text === writing ? 'writing' : 'working', text, startedAt, retry: null };
}

/** True until the thread is there: what it holds is not known yet. */
export function isOpening(thread: ThreadState): boolean {
  return thread.threadId === '';
}

/** True while Esc has something to stop. */
export function isBusy(thread: ThreadState): boolean {
  return thread.turnId !== null || thread.isCompacting || Object.keys(thread.activeRuns).length > 0;
}

function modelText({ live, model }: ThreadState): string {
  const last = live?.parts.at(-1);
  switch (last?.kind) {
    case 'reasoning':
      return last.durationMs === undefined ? 'thinking' : writing;
    case 'text':
      return writing;
    case 'tool-call':
      return `preparing ${short(last.tool)}`;
    default:
      return model ? `waiting for ${short(model.model)}` : 'starting';
  }
}

/** A command of the person has no call; its progress says what it is. */
function runningText(call: ToolCallPart | undefined, progress: ToolView | undefined): string {
  if (!call) return progress?.kind === 'terminal' ? `running ${short(progress.command)}` : 'running a tool';
  const title = short(call.title ?? '');
  if (title === '') return `running ${short(call.tool)}`;
  // A command speaks for itself.
  return call.tool === 'bash' ? `running ${title}` : `running ${short(call.tool)} ${title}`;
}

function runningTools(thread: ThreadState, count: number): string {
  const names = Object.keys(thread.activeRuns).map((callId) => findCall(thread, callId)?.tool ?? 'tool');
  return `running ${count} tools: ${[...new Set(names)].map(short).join(', ')}`;
}

function waitingFor(tool: string, title: string): string {
  return `waiting for you: ${short(tool)} ${short(title)}`.trimEnd();
}

/** A run belongs to one of the newest messages. */
function findCall({ live, messages }: ThreadState, callId: string): ToolCallPart | undefined {
  return (live && callIn(live, callId)) ?? firstMatch(messages.slice(-4).reverse(), callId);
}

function firstMatch(messages: readonly Message[], callId: string): ToolCallPart | undefined {
  for (const message of messages) {
    const call = callIn(message, callId);
    if (call) return call;
  }
  return undefined;
}

function callIn(message: Message, callId: string): ToolCallPart | undefined {
  return message.parts.find(
    (part): part is ToolCallPart => part.kind === 'tool-call' && part.callId === callId,
  );
}

const errorNames: Readonly<Record<ModelError['class'], string>> = {
  auth: 'not signed in',
  permission: 'not allowed',
  'not-found': 'not found',
  'rate-limit': 'rate limit',
  quota: 'quota used up',
  overloaded: 'server overloaded',
  server: 'server error',
  timeout: 'no answer in time',
  network: 'no connection',
  overflow: 'context full',
  'too-large': 'request too large',
  'tools-unsupported': 'no tool support',
  'tool-use-failed': 'tool call failed',
  'content-filter': 'content filter',
  'bad-request': 'bad request',
  'bad-response': 'bad answer',
};

function errorName({ class: kind, status }: ModelError): string {
  return status === undefined ? errorNames[kind] : `${status} ${errorNames[kind]}`;
}

function short(text: string): string {
  return cleanName(text.slice(0, longestText).replaceAll(/\s+/g, ' ').trim());
}

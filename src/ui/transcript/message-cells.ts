import { cleanName } from '#lib/terminal-text.ts';
import type { FinishReason, Message, ToolCallPart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { CallPhase, Cell } from './cell.ts';
import { shellRunOf, shellRunOfView } from './cells/shell.ts';

/** What of a thread says how an unfinished call stands. */
type CallStates = Pick<ThreadState, 'activeRuns' | 'permissions' | 'questions' | 'turnId'>;

/** The cells of one message, top to bottom. */
export function messageCells(
  message: Message,
  { isLive, calls }: { isLive: boolean; calls: CallStates },
): Cell[] {
  if (message.origin === 'engine')
    return [{ id: message.id, kind: 'notice', level: 'info', text: `told the model: ${noteStart(message)}` }];
  if (message.role === 'user') {
    const run = shellRunOf(message);
    return run
      ? [{ id: message.id, kind: 'shell', source: run, since: null }]
      : [{ id: message.id, kind: 'user', message }];
  }
  const cells: Cell[] = [];
  const lastIndex = message.parts.length - 1;
  for (const [index, part] of message.parts.entries()) {
    const id = `${message.id}/${part.id}`;
    const isGrowing = isLive && index === lastIndex;
    switch (part.kind) {
      case 'text':
        if (part.text.trim() !== '') cells.push({ id, kind: 'text', part, isLive: isGrowing });
        break;
      case 'reasoning': {
        const isThinking = isGrowing && part.durationMs === undefined;
        if (isThinking || part.text.trim() !== '' || part.durationMs !== undefined)
          cells.push({ id, kind: 'reasoning', part, liveSince: isThinking ? message.createdAt : null });
        break;
      }
      case 'tool-call': {
        const phase = part.result ? null : phaseOf(part, { isGrowing, calls });
        cells.push({
          id,
          kind: 'tool',
          part,
          phase,
          run: part.result ? undefined : calls.activeRuns[part.callId],
        });
        break;
      }
      case 'image':
        cells.push({ id, kind: 'image', name: cleanName(part.name ?? part.mediaType) });
        break;
      case 'consult':
        cells.push({ id, kind: 'consult', part });
        break;
      case 'notice':
        cells.push({ id, kind: 'notice', level: part.level, text: part.text });
        break;
    }
  }
  const cut = isLive ? undefined : cutOf(message.finish);
  if (cut) cells.push({ id: `${message.id}/cut`, kind: 'cut', reason: cut });
  return cells;
}

/** What runs without a call of the model: commands of the person. */
export function shellCells(cells: readonly Cell[], activeRuns: ThreadState['activeRuns']): Cell[] {
  const calls = new Set(cells.flatMap((cell) => (cell.kind === 'tool' ? [cell.part.callId] : [])));
  return Object.entries(activeRuns).flatMap(([callId, { startedAt, progress }]): Cell[] => {
    if (calls.has(callId) || progress?.kind !== 'terminal') return [];
    return [{ id: `run:${callId}`, kind: 'shell', source: shellRunOfView(progress), since: startedAt }];
  });
}

/** True when nothing but another message can come from these events: the cells stay as they are. */
export function isSettled(message: Message): boolean {
  return message.parts.every((part) => part.kind !== 'tool-call' || part.result !== undefined);
}

function phaseOf(
  part: ToolCallPart,
  { isGrowing, calls }: { isGrowing: boolean; calls: CallStates },
): CallPhase {
  const isMine = (request: { callId: string }) => request.callId === part.callId;
  if (calls.permissions.some(isMine) || calls.questions.some(isMine)) return 'asking';
  if (calls.activeRuns[part.callId]) return 'running';
  if (isGrowing && part.rawInput === '') return 'writing';
  return calls.turnId === null ? 'lost' : 'waiting';
}

const maxNote = 300;

/** The first sentence of what llmcode itself told the model; the rest are instructions to it. */
function noteStart({ parts }: Message): string {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
  const plain = text.replaceAll(/<\/?engine-note>/g, '').trim();
  const [line = ''] = plain.split('\n', 1);
  const sentence = /^.+?[.;](?=\s)/.exec(line)?.[0] ?? line;
  const start = sentence.length > maxNote ? `${sentence.slice(0, maxNote).toWellFormed()}…` : sentence;
  // What follows a colon stands in the lines below, and is not shown.
  return start.endsWith(':') ? `${start.slice(0, -1)} …` : start;
}

function cutOf(
  finish: FinishReason | undefined,
): 'length' | 'content-filter' | 'aborted' | 'lost' | 'error' | undefined {
  switch (finish) {
    case 'length':
    case 'content-filter':
    case 'aborted':
    case 'lost':
    case 'error':
      return finish;
    default:
      return undefined;
  }
}

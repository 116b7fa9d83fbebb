import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { Message, MessagePart, ToolCallPart, ToolResultRecord } from '#protocol/message.ts';
import type { Todo } from '#protocol/todo.ts';
import { ownToolName } from '#protocol/tool-names.ts';

/** Of what a call wrote, so much says what was done. */
const inputChars = 400;

/** Messages as text for the one who summarises them; never longer than `maxChars`. */
export function transcript(
  messages: readonly Message[],
  { maxChars, isWrite }: { maxChars: number; isWrite: (tool: string) => boolean },
): string {
  const textWith = (resultChars: number) =>
    messages.map((message) => messageText(message, { resultChars, isWrite })).join('\n\n');
  for (const resultChars of [1_500, 400]) {
    const text = textWith(resultChars);
    if (text.length <= maxChars) return text;
  }
  return clip(textWith(120), maxChars, 0.35);
}

/** The middle of a text is left out when it is too long; `headShare` of what stays is its start. */
export function clip(text: string, maxChars: number, headShare = 0.6): string {
  if (text.length <= maxChars) return text;
  const mark = ` [… ${text.length - maxChars} characters left out …] `;
  const room = maxChars - mark.length;
  if (room < mark.length) return `${text.slice(0, maxChars - 1)}…`.toWellFormed();
  const head = Math.floor(room * headShare);
  return `${text.slice(0, head)}${mark}${room > head ? text.slice(head - room) : ''}`.toWellFormed();
}

/**
 * What the person said, word for word: the first message, because it sets the goal, and as many of the newest as
 * there is room for. What they answered to a question was a decision, and counts too.
 */
export function personsWords(messages: readonly Message[], maxChars: number): string[] {
  const said = messages
    .flatMap(wordsIn)
    .map((text) => clip(text.trim(), Math.floor(maxChars / 3)))
    .filter((text) => text !== '');
  const [first, ...later] = said;
  if (first === undefined) return [];
  let room = maxChars - first.length;
  const newest: string[] = [];
  for (const text of later.reverse()) {
    room -= text.length;
    if (room < 0) break;
    newest.unshift(text);
  }
  return [first, ...newest];
}

function wordsIn(message: Message): string[] {
  const { role, origin } = message;
  if (role === 'user') return origin === 'person' || origin === 'steer' ? [textOf(message)] : [];
  return answeredCalls([message])
    .filter(({ tool, result }) => ownToolName(tool) === 'ask_user' && result.status === 'ok')
    .map(resultText);
}

/** Calls that have their result, oldest first. */
export function answeredCalls(messages: readonly Message[]): (ToolCallPart & { result: ToolResultRecord })[] {
  return messages.flatMap(({ parts }) =>
    parts.filter(
      (part): part is ToolCallPart & { result: ToolResultRecord } =>
        part.kind === 'tool-call' && part.result !== undefined,
    ),
  );
}

/** The newest calls that went wrong, a line each. */
export function failures(messages: readonly Message[], maxChars: number): string[] {
  let room = maxChars;
  const lines: string[] = [];
  for (const part of answeredCalls(messages).toReversed()) {
    if (part.result.status !== 'error') continue;
    const line = `- ${callLine(part)}: ${oneLine(resultText(part), 300)}`;
    room -= line.length;
    if (room < 0) break;
    lines.unshift(line);
  }
  return lines;
}

/** Files that calls read and changed, newest last, relative to `cwd`. */
export function touchedFiles(
  messages: readonly Message[],
  { cwd, isWrite }: { cwd: string; isWrite: (tool: string) => boolean },
): { read: string[]; changed: string[] } {
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const part of messages.flatMap((message) => message.parts)) {
    if (part.kind !== 'tool-call' || part.result?.status !== 'ok') continue;
    for (const { path: file } of part.result.fileStates ?? []) {
      const shown = isInside(file, cwd) ? path.relative(cwd, file) : file;
      (isWrite(part.tool) ? changed : read).add(shown);
    }
  }
  return { read: [...read].filter((file) => !changed.has(file)), changed: [...changed] };
}

export function todoLines(todos: readonly Todo[]): string[] {
  const marks = { pending: ' ', in_progress: '~', completed: 'x' };
  return todos.map(({ content, status }) => `- [${marks[status]}] ${content}`);
}

/** One line for each thing that happened: what is left when no model can summarise. */
export function digest(messages: readonly Message[], maxChars: number): string {
  const lines = messages.flatMap((message) =>
    message.parts.flatMap((part) => {
      if (part.kind === 'text') return [`- ${whoOf(message)}: ${oneLine(part.text, 240)}`];
      return part.kind === 'tool-call' ? [`- ${callLine(part)}: ${oneLine(resultText(part), 120)}`] : [];
    }),
  );
  return clip(lines.join('\n'), maxChars, 0.35);
}

type Detail = { resultChars: number; isWrite: (tool: string) => boolean };

function messageText(message: Message, detail: Detail): string {
  const parts = message.parts.map((part) => partText(part, detail)).filter((text) => text !== '');
  return `### ${whoOf(message)}\n${parts.join('\n')}`;
}

function partText(part: MessagePart, { resultChars, isWrite }: Detail): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'image':
      return '[image]';
    case 'tool-call': {
      const written = clip(JSON.stringify(part.input), Math.min(inputChars, resultChars));
      const lines = [
        callLine(part),
        ...(isWrite(part.tool) ? [written] : []),
        clip(resultText(part), resultChars),
      ];
      return lines.join('\n');
    }
    case 'reasoning':
    case 'notice':
    case 'consult':
      return '';
  }
}

function callLine({ tool, title, input, result }: ToolCallPart): string {
  return `[${tool} ${title ?? oneLine(JSON.stringify(input), 200)} -> ${result?.status ?? 'no result'}]`;
}

export function resultText({ result }: ToolCallPart): string {
  return (result?.forModel ?? [])
    .map((content) => (content.kind === 'text' ? content.text : '[image]'))
    .join('\n');
}

function textOf(message: Message): string {
  return message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}

export function oneLine(text: string, maxChars: number): string {
  return clip(text.trim().replaceAll(/\s+/g, ' '), maxChars, 1);
}

export function whoOf({ role, origin }: Message): string {
  if (role === 'assistant') return 'Assistant';
  if (origin === 'engine') return 'Note of llmcode';
  return origin === 'shell' ? 'Command of the person' : 'Person';
}

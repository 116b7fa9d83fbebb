import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { Message, MessagePart, ToolCallPart } from '#protocol/message.ts';
import type { Todo } from '#protocol/todo.ts';

/** Messages as text for the one who summarises them; never longer than `maxChars`. */
export function transcript(messages: readonly Message[], maxChars: number): string {
  for (const resultChars of [1_500, 400, 120]) {
    const text = messages.map((message) => messageText(message, resultChars)).join('\n\n');
    if (text.length <= maxChars) return text;
  }
  const text = messages.map((message) => messageText(message, 120)).join('\n\n');
  return clip(text, maxChars, 0.35);
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
 * there is room for.
 */
export function personsWords(messages: readonly Message[], maxChars: number): string[] {
  const said = messages
    .filter(({ role, origin }) => role === 'user' && (origin === 'person' || origin === 'steer'))
    .map((message) => clip(textOf(message).trim(), Math.floor(maxChars / 3)))
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

function messageText(message: Message, resultChars: number): string {
  const parts = message.parts.map((part) => partText(part, resultChars)).filter((text) => text !== '');
  return `### ${whoOf(message)}\n${parts.join('\n')}`;
}

function partText(part: MessagePart, resultChars: number): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'image':
      return '[image]';
    case 'tool-call':
      return `${callLine(part)}\n${clip(resultText(part), resultChars)}`;
    case 'reasoning':
    case 'notice':
      return '';
  }
}

function callLine({ tool, title, input, result }: ToolCallPart): string {
  return `[${tool} ${title ?? oneLine(JSON.stringify(input), 200)} -> ${result?.status ?? 'no result'}]`;
}

function resultText({ result }: ToolCallPart): string {
  return (result?.forModel ?? [])
    .map((content) => (content.kind === 'text' ? content.text : '[image]'))
    .join('\n');
}

function textOf(message: Message): string {
  return message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}

function oneLine(text: string, maxChars: number): string {
  return clip(text.trim().replaceAll(/\s+/g, ' '), maxChars, 1);
}

function whoOf({ role, origin }: Message): string {
  if (role === 'assistant') return 'Assistant';
  if (origin === 'engine') return 'Note of llmcode';
  return origin === 'shell' ? 'Command of the person' : 'Person';
}

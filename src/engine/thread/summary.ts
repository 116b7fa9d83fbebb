import { open } from 'node:fs/promises';
import type { EngineEvent } from '#protocol/event.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadHeader, ThreadSummary } from '#protocol/thread-entry.ts';
import { parseLine } from './log-reader.ts';
import { threadIdOf } from './thread-paths.ts';

/** Bytes read from each end of a log. */
const headBytes = 32_768;
const tailBytes = 65_536;
const titleChars = 80;

/**
 * The row of a thread in a list, from the two ends of its log. undefined when its first line cannot be read or
 * nothing was ever said in it. Throws when the file cannot be read.
 */
export async function summarise(file: string, { size, mtimeMs }: { size: number; mtimeMs: number }) {
  const handle = await open(file, 'r');
  try {
    const head = await readAt(handle, { from: 0, length: Math.min(size, headBytes + tailBytes) });
    const isWhole = head.length >= size;
    const [first, ...rest] = linesOf(head);
    const header = first === undefined ? undefined : headerOf(first);
    if (!header) return undefined;
    const tail = isWhole ? head : await readAt(handle, { from: size - tailBytes, length: tailBytes });
    // The first line of a tail is cut, except where the tail is the whole file.
    const lastEvents = eventsOf(isWhole ? rest : linesOf(tail).slice(1));
    const counted = tally(lastEvents, { isWhole }) ?? (await countIn(handle, size));
    if (counted.messages === 0) return undefined;
    const modelIn = header.importedFrom ? switchedModel : modelOf;
    return {
      threadId: threadIdOf(file) ?? header.threadId,
      name: counted.name,
      cwd: header.cwd,
      title: titleOf(rest),
      createdAt: header.createdAt,
      updatedAt: lastEvents.at(-1)?.at ?? Math.round(mtimeMs),
      messages: counted.messages,
      model: modelIn(lastEvents) ?? modelIn(eventsOf(rest)),
      bytes: size,
      ...(counted.costUsd === undefined ? {} : { costUsd: counted.costUsd }),
      ...(header.purpose === undefined ? {} : { kind: header.purpose, peer: header.peer ?? '' }),
      ...(header.forkedFrom === undefined ? {} : { forkedFrom: header.forkedFrom.threadId }),
      ...(header.importedFrom === undefined ? {} : { importedFrom: header.importedFrom.agent }),
    } satisfies ThreadSummary;
  } finally {
    await handle.close();
  }
}

type Tally = { name: string | null; messages: number; costUsd?: number | undefined };
type Handle = Awaited<ReturnType<typeof open>>;

async function readAt(handle: Handle, { from, length }: { from: number; length: number }): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** Every line, the last one also when it is cut. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function headerOf(line: string): ThreadHeader | undefined {
  const parsed = parseLine(Buffer.from(line), true);
  return parsed.kind === 'header' ? parsed.header : undefined;
}

function eventsOf(lines: readonly string[]): EngineEvent[] {
  return lines.flatMap((line) => {
    const parsed = parseLine(Buffer.from(line), true);
    return parsed.kind === 'event' ? [parsed.event] : [];
  });
}

/** Name and number of messages from the newest `turn-end` on; undefined when the events do not reach back to one. */
function tally(events: readonly EngineEvent[], { isWhole }: { isWhole: boolean }): Tally | undefined {
  const from = events.findLastIndex((event) => event.kind === 'turn-end' && event.tally !== undefined);
  const start = events[from];
  if (!start && !isWhole) return undefined;
  const base: Tally = start?.kind === 'turn-end' && start.tally ? start.tally : { name: null, messages: 0 };
  let { name, messages } = base;
  for (const event of events.slice(from + 1)) {
    if (event.kind === 'thread-renamed') name = event.name;
    if (event.kind === 'message-added' || event.kind === 'message-end') messages += 1;
  }
  return { name, messages, costUsd: base.costUsd };
}

/** The slow way, for a log whose last turn is longer than its tail: counts marks in the bytes, parses nothing. */
async function countIn(handle: Handle, size: number): Promise<Tally> {
  const bytes = await readAt(handle, { from: 0, length: size });
  const renamed = bytes.lastIndexOf('"kind":"thread-renamed"');
  const lineStart = bytes.lastIndexOf(0x0a, renamed) + 1;
  const lineEnd = bytes.indexOf(0x0a, lineStart);
  const [event] = renamed === -1 ? [] : eventsOf([bytes.subarray(lineStart, lineEnd).toString('utf8')]);
  return {
    name: event?.kind === 'thread-renamed' ? event.name : null,
    messages: count(bytes, '"kind":"message-added"') + count(bytes, '"kind":"message-end"'),
  };
}

function count(bytes: Buffer, mark: string): number {
  let found = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) found += 1;
  return found;
}

/** In an imported thread the answers are another agent's; ours begin with a switch. */
function switchedModel(events: readonly EngineEvent[]): string | null {
  return modelOf(events.filter(({ kind }) => kind === 'model-switched'));
}

function modelOf(events: readonly EngineEvent[]): string | null {
  const event = events.findLast((each) => each.kind === 'model-switched' || each.kind === 'message-start');
  return event ? formatModelRef(event.model) : null;
}

/** First words of the first prompt; found also in a line that is cut because the prompt is long. */
function titleOf(lines: readonly string[]): string {
  const line = lines.find(
    (each) => each.includes('"kind":"message-added"') && each.includes('"origin":"person"'),
  );
  const [event] = line === undefined ? [] : eventsOf([line]);
  const text =
    event?.kind === 'message-added'
      ? event.message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(' ')
      : textInCutLine(line ?? lines.find((each) => each.includes('"kind":"message-added"')) ?? '');
  const words = text.trim().replaceAll(/\s+/g, ' ');
  const chars = [...words];
  return chars.length > titleChars ? `${chars.slice(0, titleChars - 1).join('')}…` : words;
}

function textInCutLine(line: string): string {
  const [, raw] = /"text":"((?:[^"\\]|\\[^u]|\\u[0-9a-fA-F]{4}){1,400})/.exec(line) ?? [];
  if (raw === undefined) return '';
  const text: unknown = JSON.parse(`"${raw}"`);
  return typeof text === 'string' ? text : '';
}

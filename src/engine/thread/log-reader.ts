import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { errnoOf, errorText, LlmcodeError } from '#lib/errors.ts';
import { type EngineEvent, engineEventSchema } from '#protocol/event.ts';
import { type ThreadHeader, threadHeaderSchema } from '#protocol/thread-entry.ts';
import { threadIdOf } from './thread-paths.ts';

export type LoadedLog = {
  header: ThreadHeader;
  events: EngineEvent[];
  /** Bytes of the file that are good; a broken last line lies behind them. */
  goodLength: number;
  /** What the person should know, e.g. that the last line was dropped. */
  notices: string[];
};

/**
 * Reads a log and leaves it as it is. A broken last line, the mark of a crash, is left out with a notice. A bad
 * line elsewhere means damage: `reject` throws `thread-damaged` with file and line, `skip` leaves it out with a
 * notice. Entries of a kind that only a newer llmcode knows are left out with a notice.
 */
export async function readLog(file: string, { damage }: { damage: 'reject' | 'skip' }): Promise<LoadedLog> {
  const bytes = await read(file);
  const isClean = isUtf8(bytes);
  const events: EngineEvent[] = [];
  const notices: string[] = [];
  let header: ThreadHeader | undefined;
  let newerEntries = 0;
  let lastSeq = 0;
  let goodLength = 0;
  let line = 0;
  for (const { start, end } of linesOf(bytes)) {
    line += 1;
    const isLast = end >= bytes.length;
    const entry = parseLine(bytes.subarray(start, end), isClean);
    const problem = problemOf(entry, { isFirst: line === 1, lastSeq, isWhole: bytes[end - 1] === 0x0a });
    if (problem === undefined) {
      if (entry.kind === 'header') header = entry.header;
      else if (entry.kind === 'event') {
        events.push(entry.event);
        lastSeq = entry.event.seq;
      } else newerEntries += 1;
      goodLength = end;
      continue;
    }
    if (line === 1) throw headerError(file, { problem, isLast });
    if (isLast) {
      notices.push(
        'The last entry of this thread was not written whole (a crash or a full disk); it was left out.',
      );
      break;
    }
    if (damage === 'reject') throw damageError(file, { line, problem, threadId: header?.threadId ?? '' });
    notices.push(`Line ${line} of ${file} is damaged (${problem}) and was left out.`);
    goodLength = end;
  }
  if (!header) throw headerError(file, { problem: 'empty', isLast: true });
  if (newerEntries > 0)
    notices.push(
      newerEntries === 1
        ? 'One entry comes from a newer llmcode and is not understood by this one.'
        : `${newerEntries} entries come from a newer llmcode and are not understood by this one.`,
    );
  return { ...ofFile(file, { header, events }), goodLength, notices };
}

/** A log that was copied by hand is a thread of its own: where it lies says which one, not what stands in it. */
function ofFile(file: string, { header, events }: Pick<LoadedLog, 'header' | 'events'>) {
  const threadId = threadIdOf(file);
  if (threadId === undefined || threadId === header.threadId) return { header, events };
  return { header: { ...header, threadId }, events: events.map((event) => ({ ...event, threadId })) };
}

type ParsedLine =
  | { kind: 'header'; header: ThreadHeader }
  | { kind: 'event'; event: EngineEvent }
  | { kind: 'newer' }
  | { kind: 'bad'; problem: string };

const knownKinds: ReadonlySet<string> = new Set(
  engineEventSchema.options.map((option) => option.shape.kind.value),
);

/** One line of a log without its line break. */
export function parseLine(bytes: Uint8Array, isClean: boolean): ParsedLine {
  if (!isClean && !isUtf8(bytes)) return { kind: 'bad', problem: 'no UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return { kind: 'bad', problem: 'no JSON' };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'bad', problem: 'no entry' };
  if ('type' in value && value.type === 'thread') {
    const header = threadHeaderSchema.safeParse(value);
    if (header.success) return { kind: 'header', header: header.data };
    const isNewer = 'version' in value && typeof value.version === 'number' && value.version > 1;
    return { kind: 'bad', problem: isNewer ? 'made by a newer llmcode' : 'no valid header' };
  }
  const event = engineEventSchema.safeParse(value);
  if (event.success) return { kind: 'event', event: event.data };
  if ('kind' in value && typeof value.kind === 'string' && !knownKinds.has(value.kind))
    return { kind: 'newer' };
  return { kind: 'bad', problem: 'no valid event' };
}

function problemOf(
  entry: ParsedLine,
  { isFirst, lastSeq, isWhole }: { isFirst: boolean; lastSeq: number; isWhole: boolean },
): string | undefined {
  if (entry.kind === 'bad') return entry.problem;
  if (!isWhole) return 'no line end';
  if (isFirst !== (entry.kind === 'header')) return isFirst ? 'no header' : 'a second header';
  if (entry.kind === 'event' && entry.event.seq <= lastSeq) return 'its number does not follow';
  return undefined;
}

function* linesOf(bytes: Uint8Array): Generator<{ start: number; end: number }> {
  let start = 0;
  while (start < bytes.length) {
    const at = bytes.indexOf(0x0a, start);
    const end = at === -1 ? bytes.length : at + 1;
    yield { start, end };
    start = end;
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new LlmcodeError('thread-not-found', `There is no thread at ${file}.`, {
        cause: error,
        exitCode: 2,
      });
    throw new LlmcodeError('thread-unreadable', `The thread ${file} cannot be read: ${errorText(error)}`, {
      cause: error,
      exitCode: 2,
    });
  }
}

function headerError(file: string, { problem, isLast }: { problem: string; isLast: boolean }): LlmcodeError {
  if (problem === 'made by a newer llmcode')
    return new LlmcodeError(
      'thread-newer',
      `${file} was made by a newer llmcode. Update llmcode to open it.`,
      {
        exitCode: 2,
      },
    );
  if (isLast)
    return new LlmcodeError('thread-empty', `${file} holds no conversation and can be deleted.`, {
      exitCode: 2,
    });
  return new LlmcodeError(
    'thread-damaged',
    `${file}:1 is damaged (${problem}): without its first line the thread cannot be opened. The file was left as it is.`,
    { exitCode: 2 },
  );
}

function damageError(
  file: string,
  { line, problem, threadId }: { line: number; problem: string; threadId: string },
): LlmcodeError {
  return new LlmcodeError(
    'thread-damaged',
    `${file}:${line} is damaged (${problem}). The file was left as it is. To go on in a copy without the damaged ` +
      `lines: llmcode --resume ${threadId} --fork`,
    { exitCode: 2 },
  );
}

import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { systemClock } from '#lib/clock.ts';
import { errnoOf, errorText } from '#lib/errors.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import type { JsonValue } from '#protocol/json.ts';
import { usageError } from '../cli/usage-error.ts';

/** The shape that the final answer must have. */
export type AnswerSchema = {
  /** For the system prompt. */
  instruction: string;
  check(answer: string): { kind: 'ok'; value: JsonValue } | { kind: 'bad'; problem: string };
};

/** A schema stands in each request; more than this fits no model. */
const maxBytes = 1_048_576;
const pollMs = 20;
/** How long a pipe waits for one who writes to it. */
const writerWaitMs = 3_000;

/** `source` is a file or a pipe with a JSON Schema, or the schema itself. `signal` ends the wait for a pipe. */
export async function loadAnswerSchema(
  source: string,
  cwd: string,
  signal?: AbortSignal,
): Promise<AnswerSchema> {
  const text = source.trimStart().startsWith('{')
    ? source
    : await readSchemaFile(path.resolve(cwd, source), signal);
  const schema = parseSchema(text, source);
  return {
    instruction: [
      'Your final answer, the message after the last tool call, must be one JSON value and nothing else: no prose, no code fence.',
      `It must fit this JSON Schema:\n${text.trim()}`,
    ].join('\n'),
    check: (answer) => checkAnswer(schema, answer),
  };
}

/** What the model is told when its answer did not fit. */
export function correctionPrompt(problem: string): string {
  return `The answer does not fit the schema: ${problem}\nAnswer again with the corrected JSON value and nothing else.`;
}

async function readSchemaFile(file: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    if ((await stat(file)).isFIFO()) return await readPipe(file, signal);
  } catch (error) {
    throw usageError(`--json-schema ${file} cannot be read: ${errorText(error)}`);
  }
  const read = await readRegularFile(file, { maxBytes });
  if (!('kind' in read)) return read.bytes.toString('utf8');
  throw usageError(`--json-schema ${file} cannot be read: it ${problemText(read)}`);
}

/**
 * A shell makes one for `<(command)`. Asked again and again, since a read that waits for a pipe could not be ended;
 * no byte with nobody at the other end is the end, unless the one who writes is still to come.
 */
async function readPipe(file: string, signal: AbortSignal | undefined): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let silentMs = 0;
  try {
    for (;;) {
      const chunk = await readNow(handle);
      if (chunk?.length === 0 && (bytes > 0 || silentMs >= writerWaitMs)) break;
      if (chunk && chunk.length > 0) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new Error(`it ${problemText({ kind: 'too-large', bytes })}`);
        chunks.push(chunk);
      } else {
        silentMs = chunk ? silentMs + pollMs : 0;
        await systemClock.wait(pollMs, signal ? { signal } : {});
        signal?.throwIfAborted();
      }
    }
  } finally {
    await handle.close();
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** undefined: somebody will write, but has not yet. */
async function readNow(handle: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(65_536), 0, 65_536, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

function parseSchema(text: string, source: string): z.ZodType {
  const name = source.length > 80 ? 'the schema' : source;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw usageError(`--json-schema: ${name} is no JSON: ${errorText(error)}`);
  }
  try {
    return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw usageError(`--json-schema: ${name} cannot be used: ${errorText(error)}`);
  }
}

function checkAnswer(schema: z.ZodType, answer: string): ReturnType<AnswerSchema['check']> {
  const value = readJson(answer);
  if (value === undefined) return { kind: 'bad', problem: 'it is not one JSON value.' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'ok', value };
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the value'}: ${issue.message}`,
  );
  return { kind: 'bad', problem: problems.slice(0, 10).join('; ') };
}

/** Models like to wrap JSON in a fence; that much is forgiven. */
function readJson(answer: string): JsonValue | undefined {
  const text = answer.trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n```$/.exec(text)?.[1];
  for (const candidate of [text, fenced]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as JsonValue;
    } catch {
      // The next candidate may be the JSON.
    }
  }
  return undefined;
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { errorText } from '#lib/errors.ts';
import type { JsonValue } from '#protocol/json.ts';
import { usageError } from '../cli/usage-error.ts';

/** The shape that the final answer must have. */
export type AnswerSchema = {
  /** For the system prompt. */
  instruction: string;
  check(answer: string): { kind: 'ok'; value: JsonValue } | { kind: 'bad'; problem: string };
};

/** `source` is a file with a JSON Schema, or the schema itself. */
export async function loadAnswerSchema(source: string, cwd: string): Promise<AnswerSchema> {
  const text = source.trimStart().startsWith('{') ? source : await readSchemaFile(path.resolve(cwd, source));
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

async function readSchemaFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`--json-schema ${file} cannot be read: ${errorText(error)}`);
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

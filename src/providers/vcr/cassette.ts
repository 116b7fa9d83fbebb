import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { engineEventSchema } from '#protocol/event.ts';
import { jsonValueSchema } from '#protocol/json.ts';
import { toolResultSchema } from '#protocol/message.ts';
import { modelRefSchema } from '#protocol/model-ref.ts';
import { toolViewSchema } from '#protocol/tool-view.ts';
import { userActionSchema } from '#protocol/user-action.ts';

export const cassetteVersion = 1;

/** Milliseconds since the recording began. */
const at = z.number();

const decisionSchema = z.object({
  decision: z.enum(['allow', 'ask', 'deny']),
  reasons: z.array(
    z.object({
      check: z.string(),
      text: z.string(),
      rule: z.string().optional(),
      source: z.string().optional(),
    }),
  ),
  suggestedRule: z.string().optional(),
});

const hookOutcomeSchema = z.object({
  decision: z.enum(['continue', 'allow', 'ask', 'deny', 'halt']),
  reason: z.string().optional(),
  input: jsonValueSchema.optional(),
  context: z.string().optional(),
  notices: z.array(z.string()),
});

/**
 * One line of a cassette. What came from outside of the engine is there whole: answers of servers, results of tools,
 * decisions of rules, outcomes of hooks, actions of the person. The events are what the engine made of it.
 */
export const cassetteLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cassette'),
    version: z.number().int(),
    llmcode: z.string(),
    /** Milliseconds since 1970. */
    recordedAt: z.number(),
  }),
  /** How the thread was opened. */
  z.object({
    kind: z.literal('session'),
    at,
    cwd: z.string(),
    roots: z.array(z.string()),
    model: modelRefSchema.nullable(),
    canAsk: z.boolean(),
    instructions: z.array(z.string()),
    tools: z.array(z.string()),
    settings: z.record(z.string(), jsonValueSchema),
    /** Variables that name or reach providers; keys are replaced. */
    env: z.record(z.string(), z.string()),
  }),
  /** Where the thread keeps whole outputs: the path stands in what the model is told. */
  z.object({ kind: z.literal('files'), at, folder: z.string() }),
  z.object({
    kind: z.literal('request'),
    at,
    id: z.number().int(),
    /** `tool`: a tool made the call, so a replay, in which tools do not run, has no use for it. */
    door: z.enum(['call', 'look-up', 'tool']),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    /** JSON as a value, anything else as text; null = none. */
    body: jsonValueSchema,
  }),
  z.object({
    kind: z.literal('response'),
    at,
    id: z.number().int(),
    /** 0 = no answer came: `error` says why. */
    status: z.number().int(),
    headers: z.record(z.string(), z.string()),
    /** When the head of the answer came. */
    headAt: z.number(),
    /** The body as it came, piece by piece. */
    chunks: z.array(z.object({ at, text: z.string() })),
    /** `cancelled`: this side stopped reading. */
    end: z.enum(['done', 'broken', 'cancelled']),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  z.object({ kind: z.literal('action'), at, action: userActionSchema }),
  /** Every event but the deltas, whose text the `-end` events have too. */
  z.object({ kind: z.literal('event'), at, event: engineEventSchema }),
  z.object({
    kind: z.literal('tool-start'),
    at,
    run: z.number().int(),
    tool: z.string(),
    input: jsonValueSchema,
  }),
  z.object({ kind: z.literal('tool-view'), at, run: z.number().int(), view: toolViewSchema }),
  z.object({
    kind: z.literal('tool-end'),
    at,
    run: z.number().int(),
    result: toolResultSchema.optional(),
    /** What the tool threw instead. */
    failure: z.string().optional(),
  }),
  z.object({
    kind: z.literal('preview'),
    at,
    tool: z.string(),
    input: jsonValueSchema,
    outlook: z.union([toolViewSchema, toolResultSchema]).optional(),
  }),
  z.object({
    kind: z.literal('decision'),
    at,
    tool: z.string(),
    input: jsonValueSchema,
    mode: z.string(),
    decision: decisionSchema,
  }),
  z.object({ kind: z.literal('hook'), at, event: z.string(), outcome: hookOutcomeSchema }),
]);
export type CassetteLine = z.infer<typeof cassetteLineSchema>;
export type LineOf<Kind extends CassetteLine['kind']> = Extract<CassetteLine, { kind: Kind }>;

/** What the recorder of one thread writes; it adds the time. */
export type NewLine = CassetteLine extends infer Line
  ? Line extends { at: number }
    ? Omit<Line, 'at'>
    : never
  : never;

/** A recording as a whole, in the order in which it was written. */
export type Cassette = {
  file: string;
  /** The program's version that wrote it. */
  llmcode: string;
  recordedAt: number;
  lines: readonly CassetteLine[];
};

/** Throws an `LlmcodeError` that names the line. A last line that was cut off, e.g. by a crash, is left out. */
export async function readCassette(file: string): Promise<Cassette> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw unusable(file, errorText(error), error);
  }
  const rows = text.split('\n');
  rows.pop(); // Empty, or a line whose end was never written.
  const lines = rows.map((row, index) => lineOf(row, { file, number: index + 1 }));
  const [head] = lines;
  if (head?.kind !== 'cassette') throw unusable(file, 'its first line is not the head of a recording');
  if (head.version !== cassetteVersion)
    throw unusable(file, `it has version ${head.version}, this llmcode reads version ${cassetteVersion}`);
  return { file, llmcode: head.llmcode, recordedAt: head.recordedAt, lines };
}

function lineOf(row: string, { file, number }: { file: string; number: number }): CassetteLine {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch (error) {
    throw unusable(file, `line ${number} is not JSON`, error);
  }
  const parsed = cassetteLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unusable(file, `line ${number}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not known'}`);
}

function unusable(file: string, why: string, cause?: unknown): LlmcodeError {
  return new LlmcodeError('cassette-unusable', `the recording ${file} cannot be replayed: ${why}`, {
    exitCode: 2,
    ...(cause === undefined ? {} : { cause }),
  });
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StepPart } from '#protocol/model-client.ts';
import type { ToolSchema } from '#protocol/tool.ts';
import type { SdkPart } from '#providers/language-model.ts';
import { StepMapper } from '#providers/step-mapper.ts';
import { emptyFacts } from '#providers/wire/facts.ts';
import { openaiChatDialect } from '#providers/wire/openai-chat.ts';

const file = path.resolve(import.meta.dirname, '../../../../../shared/corpora/streams/text-toolcalls.jsonl');

type Wanted = {
  text: string | null;
  toolCalls: { name: string; args: unknown }[];
  incomplete?: boolean;
  reasoning?: string;
};

/** A text in which a model wrote calls, or only seems to. */
export type TextOutput = {
  id: string;
  tools: Record<string, Record<string, string>>;
  text: string;
  expect: Wanted;
  alsoOk?: Wanted[];
};

/** Empty when the corpus is not there. */
export function loadTextOutputs(): TextOutput[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TextOutput);
}

export function toolsOf(tools: TextOutput['tools']): ToolSchema[] {
  return Object.entries(tools).map(([name, parameters]) => ({
    name,
    description: `does ${name}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(parameters).map(([key, type]) => [key, { type }])),
    },
  }));
}

export type TextReading = {
  text: string;
  reasoning: string;
  toolCalls: { name: string; args: unknown }[];
  incomplete: boolean;
};

/** What the mapper of a step makes of a text that arrives in these pieces. */
export function readPieces(
  pieces: readonly string[],
  { tools, isLoose = true }: { tools: readonly ToolSchema[]; isLoose?: boolean },
): TextReading {
  let made = 0;
  const mapper = new StepMapper({
    dialect: openaiChatDialect,
    facts: emptyFacts(),
    family: 'openai-compatible',
    nextId: () => `p${made++}`,
    textCalls: { tools, isLoose },
  });
  const sdk: SdkPart[] = [
    { type: 'text-start', id: '1' },
    ...pieces.map((delta): SdkPart => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ];
  const parts: StepPart[] = [...sdk.flatMap((part) => mapper.map(part)), ...mapper.end()];
  const joined = (kind: 'text-end' | 'reasoning-end') =>
    parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('');
  return {
    text: joined('text-end'),
    reasoning: joined('reasoning-end'),
    toolCalls: parts.flatMap((part) =>
      part.kind === 'tool-call' ? [{ name: part.tool, args: part.input }] : [],
    ),
    incomplete: mapper.problem !== undefined,
  };
}

/** Whether a reading is what the corpus asks for, in one of its acceptable forms. */
export function fits({ expect, alsoOk = [] }: TextOutput, reading: TextReading): boolean {
  return [expect, ...alsoOk].some(
    (wanted) =>
      (wanted.text === null || wanted.text === reading.text.trim()) &&
      JSON.stringify(sorted(wanted.toolCalls)) === JSON.stringify(sorted(reading.toolCalls)) &&
      (wanted.incomplete === true) === reading.incomplete &&
      (wanted.reasoning === undefined || wanted.reasoning === reading.reasoning),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

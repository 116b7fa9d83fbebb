import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../../../shared/corpora/streams');

export type Expected = {
  text: string;
  reasoning: string;
  toolCalls: { name: string | null; args: unknown; argsRaw?: string; id: string | null; custom?: boolean }[];
  finishReasonUnified: string | null;
  usage: Record<string, number | null> | null;
  error?: {
    kind: string;
    retryable: boolean;
    message: string | null;
    midStream: boolean;
    retryAfterMs?: number;
  };
  afterThinkTagSplit?: { text: string; reasoning: string };
  signatures?: string[];
  redactedThinking?: string[];
};

/** One recorded exchange with a model server, and what a client should make of it. */
export type Exchange = {
  id: string;
  api: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'ollama-native';
  provider: string;
  model: string;
  response: { status: number; headers: Record<string, string>; chunks: string[] };
  expect: Expected;
  alsoOk?: Partial<Expected>[];
};

/** Empty when the corpus is not there. */
export function loadExchanges(): Exchange[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'index.json')
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Exchange);
}

import type { Message } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolDef, ToolSchema } from '#protocol/tool.ts';
import { classifyRequest, type TaskGuess, toolsFor, type WaitingTools } from './classify.ts';

export type HidaOptions = {
  /** Below this share of words that speak for a kind, everything is loaded. 0 to 1. */
  threshold: number;
};

/** The tools of a thread that wait until something brings them. */
export function waitingTools(
  tools: readonly ToolDef[],
  { find }: { find(query: string): readonly ToolSchema[] },
): WaitingTools {
  return {
    all: find('').map(({ name }) => name),
    usual: tools.filter(({ isDeferred }) => !isDeferred).map(({ name }) => name),
  };
}

/** What the newest request of a thread was taken for; null before the first one. */
export function taskOf(messages: ThreadState['messages'], options: HidaOptions): TaskGuess | null {
  let guess: TaskGuess | null = null;
  for (const message of messages) {
    const text = requestText(message);
    if (text !== undefined) guess = guessOf(message, text, guess, options);
  }
  return guess;
}

/**
 * The tools beyond those that are always there, in the order in which requests and searches of the thread brought
 * them: what stands before a tool never changes, so that a provider's cache holds.
 */
export function broughtTools(
  messages: ThreadState['messages'],
  { waiting, ...options }: HidaOptions & { waiting: WaitingTools },
): string[] {
  let guess: TaskGuess | null = null;
  const names = new Set<string>();
  for (const message of messages) {
    const text = requestText(message);
    if (text !== undefined) {
      guess = guessOf(message, text, guess, options);
      for (const name of toolsFor(text, guess, waiting)) names.add(name);
    }
    for (const name of offersOf(message)) names.add(name);
  }
  return [...names];
}

/** Names of tools that searches in this message have brought. */
export function offersOf({ role, parts }: Message): string[] {
  if (role !== 'assistant') return [];
  return parts.flatMap((part) => (part.kind === 'tool-call' ? (part.result?.offers ?? []) : []));
}

/** Each request is looked at once in its life: a message never changes. */
type Known = { before: TaskGuess | null; threshold: number; guess: TaskGuess };
const guesses = new WeakMap<Message, Known>();

function guessOf(message: Message, text: string, before: TaskGuess | null, options: HidaOptions): TaskGuess {
  const known = guesses.get(message);
  const { threshold } = options;
  if (known && known.before === before && known.threshold === threshold) return known.guess;
  const guess = classifyRequest(text, before, options);
  guesses.set(message, { before, threshold, guess });
  return guess;
}

function requestText({ role, origin, parts }: Message): string | undefined {
  if (role !== 'user' || (origin !== 'person' && origin !== 'steer')) return undefined;
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

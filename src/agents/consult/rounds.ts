import type { EngineEvent } from '#protocol/event.ts';
import type { ConsultPart } from '#protocol/message.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { Usage } from '#protocol/usage.ts';

/** One question to a peer and how it ended. A round that failed is asked again under its number. */
export type Round = {
  number: number;
  question: string;
  askedAt: number;
  status: ConsultPart['status'];
  /** The peer's own words; what there is of them in a round that did not end well. */
  text: string;
  model: ModelRef | null;
  usage: Usage | null;
  /** null = some call had no known price. */
  costUsd: number | null;
  durationMs: number;
  failure?: RoundFailure;
  /** Somebody waits for its answer now. */
  isRunning?: true;
};

export type RoundFailure = {
  code: 'provider_error' | 'chat_cancelled' | 'timeout';
  message: string;
  retryable: boolean;
};

/** The rounds of a consult thread, from its events. The number rises with a round that was answered. */
export function roundsOf(events: Iterable<EngineEvent>): Round[] {
  const rounds: Round[] = [];
  let answered = 0;
  let words = new Map<string, string>();
  for (const event of events) {
    const round = rounds.at(-1);
    if (event.kind === 'message-added' && event.message.origin === 'person') {
      words = new Map();
      rounds.push(newRound(event, answered + 1));
    }
    if (!round) continue;
    switch (event.kind) {
      case 'message-start':
        round.model = event.model;
        break;
      case 'text-end': {
        const before = words.get(event.messageId);
        words.set(
          event.messageId,
          before === undefined ? event.part.text : `${before}\n\n${event.part.text}`,
        );
        break;
      }
      case 'message-discarded':
        words.delete(event.messageId);
        break;
      case 'message-end':
        round.usage = sum(round.usage, event.usage);
        round.costUsd =
          round.costUsd === null || event.costUsd === null ? null : round.costUsd + event.costUsd;
        break;
      case 'turn-end':
        if (round.status !== 'unknown') break;
        round.text = lastWords(words);
        if (endRound(round, event) === 'answered') answered += 1;
        break;
      default:
        break;
    }
  }
  return rounds;
}

export function answeredRounds(rounds: readonly Round[]): number {
  return rounds.filter(({ status }) => status === 'answered').length;
}

function newRound({ message, at }: Extract<EngineEvent, { kind: 'message-added' }>, number: number): Round {
  return {
    number,
    question: message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'),
    askedAt: at,
    status: 'unknown',
    text: '',
    model: null,
    usage: null,
    costUsd: 0,
    durationMs: 0,
  };
}

/** What was said before a tool call is not the answer. */
function lastWords(words: ReadonlyMap<string, string>): string {
  return [...words.values()].findLast((text) => text.trim() !== '')?.trim() ?? '';
}

function endRound(round: Round, end: Extract<EngineEvent, { kind: 'turn-end' }>): Round['status'] {
  round.durationMs = end.durationMs;
  if (end.reason === 'done' && round.text !== '') {
    round.status = 'answered';
    return round.status;
  }
  round.status = end.reason === 'aborted' ? 'stopped' : 'failed';
  round.failure =
    round.status === 'stopped'
      ? { code: 'chat_cancelled', message: end.text ?? 'The round was stopped.', retryable: true }
      : { code: 'provider_error', message: failureText(end), retryable: end.error?.retryable ?? false };
  return round.status;
}

function failureText({ error, text, reason }: Extract<EngineEvent, { kind: 'turn-end' }>): string {
  if (error) return `${error.message} ${error.advice}`.trim();
  if (text) return text;
  return reason === 'done' ? 'The peer gave no answer.' : `The round ended without an answer (${reason}).`;
}

function sum(one: Usage | null, two: Usage | null): Usage | null {
  if (!one || !two) return one ?? two;
  const add = (key: keyof Usage) =>
    one[key] === null && two[key] === null ? null : (one[key] ?? 0) + (two[key] ?? 0);
  return {
    input: add('input'),
    output: add('output'),
    cacheRead: add('cacheRead'),
    cacheWrite: add('cacheWrite'),
    reasoning: add('reasoning'),
  };
}

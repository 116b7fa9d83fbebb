import { formatCount, formatUsd } from '#lib/amounts.ts';
import type { ConsultPart } from '#protocol/message.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { Round } from './rounds.ts';

const questionChars = 200;

/** How a round ended as the thread that it was asked from keeps it. */
export function consultPart(
  round: Round,
  { id, peer, thread, question }: { id: string; peer: string; thread: string; question: string },
): ConsultPart {
  const { number, model, status, text, usage, costUsd, durationMs, failure } = round;
  return {
    kind: 'consult',
    id,
    peer,
    model,
    thread,
    round: number,
    question: shortQuestion(question),
    status,
    text,
    usage,
    costUsd: usage === null ? null : costUsd,
    durationMs,
    ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
  };
}

/** A round of which nothing was sent, or which a bug ended. */
export function failedPart(
  error: { code: string; message: string },
  round: { id: string; peer: string; thread: string; round: number; question: string },
): ConsultPart {
  return {
    ...round,
    kind: 'consult',
    question: shortQuestion(round.question),
    model: null,
    status: 'failed',
    text: '',
    usage: null,
    costUsd: null,
    durationMs: 0,
    error,
  };
}

export function shortQuestion(question: string): string {
  const line = question.trim().replaceAll(/\s+/g, ' ');
  const chars = [...line];
  return chars.length > questionChars ? `${chars.slice(0, questionChars - 1).join('')}…` : line;
}

/** `1,234 tokens · $0.0042 · 12 s`: what a round took, and which model answered where that is not the peer itself. */
export function roundFacts(
  { model, usage, costUsd, durationMs }: Pick<Round, 'model' | 'usage' | 'costUsd' | 'durationMs'>,
  peer = '',
): string {
  const answeredBy = model ? formatModelRef(model) : '';
  return [
    answeredBy === peer ? '' : answeredBy,
    ...(usage ? [`${formatCount((usage.input ?? 0) + (usage.output ?? 0))} tokens`, costText(costUsd)] : []),
    `${(durationMs / 1_000).toFixed(durationMs < 10_000 ? 1 : 0)} s`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

export function costText(costUsd: number | null): string {
  if (costUsd === null) return 'price unknown';
  return costUsd === 0 ? 'free' : formatUsd(costUsd);
}

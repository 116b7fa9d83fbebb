import { formatCount, formatUsd } from '#lib/amounts.ts';
import { minuteText } from '#lib/iso-time.ts';
import type { CapabilityCard, LongPrompt, Outcome } from '#providers/self-test/card.ts';
import { alignColumns } from '../../format.ts';

const outcomes: Readonly<Record<Outcome, string>> = {
  works: 'works',
  refused: 'the server refuses it',
  ignored: 'ignored: the answer goes on as if it had not been asked for',
  wrong: 'tried, but not as asked for',
  unknown: 'not known',
};

const ways: Readonly<Record<CapabilityCard['toolCalling'], string>> = {
  native: 'tools are called by its API',
  text: 'tools are called by text',
  none: 'no tools: it can talk, but not read or change anything',
};

/** A capability card as a person reads it. */
export function cardLines(card: CapabilityCard): string[] {
  const when = minuteText(card.testedAt);
  const took = `${(card.durationMs / 1_000).toFixed(1)} s`;
  const head = `tested ${when} UTC in ${took}${costText(card.costUsd)}`;
  if (card.failure !== undefined) return [head, `cannot be used: ${card.failure}`];
  return [
    head,
    ...alignColumns([
      ['answer', outcomes[card.answer]],
      [
        'first word',
        card.firstTokenMs === null ? 'not known' : `after ${(card.firstTokenMs / 1_000).toFixed(2)} s`,
      ],
      ['speed', card.tokensPerSecond === null ? 'not known' : `${card.tokensPerSecond} tokens/s`],
      ['tools by API', outcomes[card.nativeTools]],
      ['tools by text', outcomes[card.textTools]],
      ['JSON', outcomes[card.json]],
      ['images', outcomes[card.images]],
      ['long prompt', longText(card.longPrompt)],
    ]),
    `result: ${ways[card.toolCalling]}`,
  ];
}

function longText({ outcome, sent, counted }: LongPrompt): string {
  const size = `${formatCount(sent)} tokens`;
  switch (outcome) {
    case 'whole':
      return `about ${size} are read whole`;
    case 'cut':
      return `CUT without a word: of about ${size} it read ${formatCount(counted ?? 0)}`;
    case 'refused':
      return `about ${size} are refused as too long`;
    case 'unknown':
      return 'not known';
  }
}

function costText(costUsd: number | null): string {
  if (costUsd === null) return ', cost unknown';
  return costUsd === 0 ? '' : `, for ${formatUsd(costUsd)}`;
}

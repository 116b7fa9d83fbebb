import { roundFacts } from '#agents/consult/outcome.ts';
import type { ConsultLog } from '#agents/consult/registry.ts';
import type { Round } from '#agents/consult/rounds.ts';
import { minuteText } from '#lib/iso-time.ts';

/** All rounds of a thread with a peer as a person reads them. */
export function consultMarkdown({ header, name, rounds }: ConsultLog): string {
  return [`# ${name} · ${header.peer ?? ''}`, ...rounds.map(roundMarkdown)].join('\n\n');
}

function roundMarkdown(round: Round): string {
  const { number, question, text, status } = round;
  const asked = minuteText(round.askedAt);
  const end = status === 'answered' ? roundFacts(round) : endText(round);
  return [
    `## round ${number} · asked ${asked} UTC`,
    quoted(question),
    ...(text === '' ? [] : [text]),
    `_${end}_`,
  ].join('\n\n');
}

function endText({ status, failure, isRunning }: Round): string {
  if (isRunning) return 'Being asked now; the answer has not come yet.';
  switch (status) {
    case 'unknown':
      return 'No answer is on record: the program ended before it came, and the peer may be one round ahead.';
    case 'stopped':
      return `Stopped: ${failure?.message ?? ''}`;
    default:
      return `Failed: ${failure?.message ?? ''}`;
  }
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

import { scrubSecrets } from '#lib/secrets.ts';
import type { Message } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { isPrompt } from './prompts.ts';

const maxChars = 40_000;
const maxPartChars = 1_200;

/**
 * A thread as short text for whoever sums it up: what was said, and each call with its outcome. When it is too long,
 * the middle is left out: the beginning says what was wanted, the end what came of it.
 */
export function sessionRecord({ messages }: Pick<ThreadState, 'messages'>): string {
  const text = scrubSecrets(messages.flatMap(lines).join('\n'));
  if (text.length <= maxChars) return text;
  const part = maxChars / 2;
  return `${text.slice(0, part).toWellFormed()}\n[…]\n${text.slice(-part).toWellFormed()}`;
}

function lines(message: Message): string[] {
  const who = message.role === 'assistant' ? 'AGENT' : isPrompt(message) ? 'PERSON' : 'SYSTEM';
  return message.parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return [`${who}: ${cut(part.text)}`];
      case 'tool-call': {
        const outcome = part.result
          ? `${part.result.status} ${part.result.summary ?? ''}`.trim()
          : 'no result';
        return [`CALL ${part.tool} ${cut(part.title ?? '')}: ${outcome}`];
      }
      default:
        return [];
    }
  });
}

function cut(text: string): string {
  const plain = text.replaceAll(/\s*\n\s*/g, ' ').trim();
  return plain.length <= maxPartChars ? plain : `${plain.slice(0, maxPartChars).toWellFormed()}…`;
}

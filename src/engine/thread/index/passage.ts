import type { ThreadHit } from '#protocol/thread-entry.ts';

/** Characters of one passage that can be found. */
const maxChars = 200_000;

export type Passage = Pick<ThreadHit, 'kind' | 'messageId'> & { text: string };

/**
 * What can be found of one line of a log, the header and deltas of state left out. Reads loosely: a search over
 * gigabytes has no time for schemas, and whatever is shown of a find is cleaned.
 */
export function passageOf(entry: unknown): Passage | undefined {
  const event = fields(entry);
  const messageId = textOf(event['messageId']);
  switch (event['kind']) {
    case 'message-added': {
      const message = fields(event['message']);
      const kind = message['role'] === 'user' ? 'prompt' : 'note';
      return passage(kind, textOf(message['id']), partTexts(message['parts']));
    }
    case 'text-end':
      return passage('answer', messageId, [textOf(fields(event['part'])['text'])]);
    case 'reasoning-end':
      return passage('reasoning', messageId, [textOf(fields(event['part'])['text'])]);
    case 'tool-call-end': {
      const part = fields(event['part']);
      return passage('call', messageId, [textOf(part['tool']), ...leaves(part['input'], 0)]);
    }
    case 'tool-run-end':
      return passage('output', messageId, partTexts(fields(event['result'])['forModel']));
    case 'consult-end': {
      const part = fields(event['part']);
      return passage('note', textOf(part['id']), [textOf(part['question']), textOf(part['text'])]);
    }
    case 'thread-renamed':
      return passage('note', '', [textOf(event['name'])]);
    default:
      return undefined;
  }
}

function passage(kind: Passage['kind'], messageId: string, texts: readonly string[]): Passage | undefined {
  const text = texts.join('\n').slice(0, maxChars).trim();
  return text === '' ? undefined : { kind, messageId, text };
}

function partTexts(parts: unknown): string[] {
  return Array.isArray(parts) ? parts.map((part) => textOf(fields(part)['text'])) : [];
}

function leaves(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 6) return [];
  return Object.values(value).flatMap((each) => leaves(each, depth + 1));
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import { roundFacts } from '#agents/consult/outcome.ts';
import { isoTime } from '#lib/iso-time.ts';
import type { ConsultPart, Message, MessagePart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ThreadHeading } from './thread-heading.ts';

const maxResultLines = 40;

/** A conversation as a person reads it: what was said in full, tools with the beginning of their results. */
export function threadMarkdown(
  summary: ThreadHeading,
  state: ThreadState,
  { resultLines = maxResultLines }: { resultLines?: number } = {},
): string {
  const head = [
    `# ${summary.name ?? summary.title}`,
    `${summary.threadId} · ${summary.cwd} · ${isoTime(summary.createdAt)}${summary.model ? ` · ${summary.model}` : ''}`,
  ];
  const messages = state.live ? [...state.messages, state.live] : state.messages;
  return [
    ...head,
    ...messages.map((message) => messageMarkdown(message, resultLines)).filter((text) => text !== ''),
  ].join('\n\n');
}

function messageMarkdown(message: Message, resultLines: number): string {
  const parts = message.parts.map((part) => partMarkdown(part, resultLines)).filter((text) => text !== '');
  if (parts.length === 0) return '';
  return message.role === 'user'
    ? [`## ❯ ${originText(message)}`, ...parts].join('\n\n')
    : parts.join('\n\n');
}

function originText({ origin }: Message): string {
  switch (origin) {
    case 'steer':
      return 'you, while it worked';
    case 'shell':
      return 'your command';
    case 'engine':
      return 'llmcode';
    case 'person':
    case undefined:
      return 'you';
  }
}

function partMarkdown(part: MessagePart, resultLines: number): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim();
    case 'reasoning':
      return part.text.trim() === '' ? '' : quote(part.text.trim());
    case 'image':
      return `[image ${part.name ?? part.mediaType}]`;
    case 'notice':
      return `_${part.text}_`;
    case 'consult':
      return consultText(part);
    case 'tool-call': {
      const title = part.title ? ` ${part.title}` : '';
      const result = (part.result?.forModel ?? [])
        .map((content) => (content.kind === 'text' ? content.text : '[image]'))
        .join('\n');
      const lines = result.trimEnd().split('\n');
      const cut = lines.length > resultLines ? `\n… ${lines.length - resultLines} more lines` : '';
      const body = result === '' ? '' : `\n${fenced(`${lines.slice(0, resultLines).join('\n')}${cut}`)}`;
      return `▸ **${part.tool}**${title}${part.result ? ` (${part.result.status})` : ' (no result)'}${body}`;
    }
  }
}

function consultText(part: ConsultPart): string {
  const head = `◆ **${part.peer}** · ${part.thread} · round ${part.round} · ${roundFacts(part, part.peer)}`;
  return [head, quote(part.question), part.text, part.error ? `_${part.error.message}_` : '']
    .filter((text) => text !== '')
    .join('\n\n');
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** A fence that the text itself cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

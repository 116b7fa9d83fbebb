import type { Message, MessagePart, TextPart, ToolCallPart } from '#protocol/message.ts';
import { callText } from '../text-calls/tool-prompt.ts';
import { asObject } from '../wire/json.ts';

/**
 * A conversation for a model that has no tools of its own: calls become text of the one who made them, results become
 * words of the person's side. Each result stays right behind its call's message.
 */
export function asTextTurns(messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => {
    const calls = message.parts.filter((part) => part.kind === 'tool-call');
    if (message.role !== 'assistant' || calls.length === 0) return [message];
    return [withWrittenCalls(message), resultsOf(message, calls)];
  });
}

/** Reasoning goes: what signs it was bound to the calls that are no calls any more. */
function withWrittenCalls(message: Message): Message {
  const parts = message.parts.flatMap((part): MessagePart[] => {
    if (part.kind === 'tool-call')
      return [textPart(part.id, callText(part.tool, asObject(part.input) ?? {}))];
    return part.kind === 'text' && part.text.trim() !== '' ? [textPart(part.id, part.text.trim())] : [];
  });
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
  return { ...message, parts: [textPart(`${message.id}-text`, text)] };
}

function resultsOf(message: Message, calls: readonly ToolCallPart[]): Message {
  const images = calls.flatMap((call) =>
    (call.result?.forModel ?? []).flatMap((content, index): MessagePart[] =>
      content.kind === 'image' ? [{ ...content, id: `${call.id}-image-${index}` }] : [],
    ),
  );
  const text = calls.map(responseText).join('\n');
  return {
    id: `${message.id}-results`,
    role: 'user',
    origin: 'engine',
    createdAt: message.createdAt,
    parts: [textPart(`${message.id}-responses`, text), ...images],
  };
}

function responseText({ tool, result, rawInput }: ToolCallPart): string {
  const texts = (result?.forModel ?? []).flatMap((content) =>
    content.kind === 'text' ? [content.text] : [],
  );
  const images = (result?.forModel.length ?? 0) > texts.length ? '(its images follow)' : '';
  const missing = 'The call was interrupted; it has no result.';
  const words = result ? [...texts, images].filter((text) => text !== '').join('\n') : missing;
  const status = result?.status === 'ok' && rawInput === undefined ? '' : ' status="error"';
  return `<tool_response name="${tool}"${status}>\n${enclosed(words || '(no output)')}\n</tool_response>`;
}

/** What a tool returned cannot end its own frame and go on as the person. */
function enclosed(text: string): string {
  return text.replaceAll(/<(?=\/?\s*tool_response)/gi, '&lt;');
}

function textPart(id: string, text: string): TextPart {
  return { id, kind: 'text', text };
}

import type { Message, MessagePart, ToolContent } from '#protocol/message.ts';
import type { ToolSchema } from '#protocol/tool.ts';

const imageTokens = 1_500;
/** What a message costs beside its words: role, separators, call ids. */
const messageTokens = 6;

/** Messages never change, so each is counted once. */
const counted = new WeakMap<Message, number>();

/** A rough count; `TokenMeter` corrects it by what the provider really counted. */
export function messageEstimate(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = message.parts.reduce((sum, part) => sum + partEstimate(part), messageTokens);
  counted.set(message, tokens);
  return tokens;
}

export function textEstimate(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) tokens += isWordChar(code) ? 0.22 : 0.32;
    else if (code < 0x2e80) tokens += 0.5;
    else tokens += 0.9;
  }
  return Math.ceil(tokens);
}

/** System prompt and tool schemas: what every request carries. */
export function fixedEstimate({
  system,
  tools,
}: {
  system: readonly string[];
  tools: readonly ToolSchema[];
}): number {
  const texts = [...system, ...tools.map((tool) => JSON.stringify(tool))];
  return texts.reduce((sum, text) => sum + textEstimate(text) + messageTokens, 0);
}

function partEstimate(part: MessagePart): number {
  switch (part.kind) {
    case 'text':
      return textEstimate(part.text);
    case 'reasoning':
      // Without its signature it is not sent back.
      return part.private ? textEstimate(part.text) + textEstimate(JSON.stringify(part.private.data)) : 0;
    case 'image':
      return imageTokens;
    case 'notice':
      return 0;
    case 'tool-call': {
      const call = textEstimate(part.tool) + textEstimate(JSON.stringify(part.input)) + messageTokens;
      return (part.result?.forModel ?? []).reduce((sum, content) => sum + contentEstimate(content), call);
    }
  }
}

function contentEstimate(content: ToolContent): number {
  return content.kind === 'text' ? textEstimate(content.text) + messageTokens : imageTokens;
}

function isWordChar(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x20;
}

import type { JsonValue } from '#protocol/json.ts';
import type { Message, ToolCallPart } from '#protocol/message.ts';
import type { ProviderFamily } from '#protocol/model-ref.ts';
import type {
  SdkAssistantPart,
  SdkMessage,
  SdkOptions,
  SdkPrompt,
  SdkToolPart,
  SdkUserPart,
} from '../language-model.ts';
import { asArray, asObject, asText, type JsonObject } from '../wire/json.ts';
import { CallIds } from './call-ids.ts';
import { imageContent } from './images.ts';
import { outputOf } from './tool-output.ts';

/** How one API wants a conversation. */
export type HistoryRules = {
  family: ProviderFamily;
  provider: string;
  model: string;
  canSee: boolean;
  /** Images that tools returned: in the result itself, or in a user message after all results. */
  toolImages: 'inline' | 'after';
  /** One system message, or one for each block. */
  system: 'joined' | 'blocks';
  /** Reasoning goes back as parts with the vendor's own data, or in a field of the message. */
  reasoning: 'parts' | 'field';
  /** A message with calls must carry its reasoning field, even when another model wrote it. */
  needsReasoningField: boolean;
  /** Stands in for the vendor's own data where a message has calls and none of them carries any. */
  unsignedCall?: JsonObject | undefined;
};

/** Our messages in the form of the SDK, such that the API behind it accepts them. Notices are never sent. */
export async function toPrompt(
  { system, messages }: { system: readonly string[]; messages: readonly Message[] },
  rules: HistoryRules,
): Promise<SdkPrompt> {
  const prompt: SdkPrompt = systemMessages(system, rules);
  const ids = new CallIds();
  for (const message of messages) {
    if (message.role === 'notice') continue;
    const converted =
      message.role === 'user'
        ? [await userMessage(message, rules)]
        : await assistantMessages(message, { rules, ids });
    for (const next of converted) if (next) append(prompt, next);
  }
  return framed(prompt).map(simplified);
}

/** Begins and ends with the person's side, as the stricter APIs demand. */
function framed(prompt: SdkPrompt): SdkPrompt {
  const say = (text: string): SdkMessage => ({ role: 'user', content: [{ type: 'text', text }] });
  const start = prompt.findIndex((message) => message.role !== 'system');
  if (prompt[start]?.role === 'assistant') prompt.splice(start, 0, say('(earlier messages left out)'));
  if (start === -1 || prompt.at(-1)?.role === 'assistant') prompt.push(say('Go on.'));
  return prompt;
}

function systemMessages(blocks: readonly string[], rules: HistoryRules): SdkPrompt {
  const texts = blocks.map(wellFormed).filter((block) => block.trim() !== '');
  if (texts.length === 0) return [];
  const contents = rules.system === 'joined' ? [texts.join('\n\n')] : texts;
  return contents.map((content) => ({ role: 'system', content }));
}

/** Two user messages in a row become one: not every chat template takes them apart. */
function append(prompt: SdkPrompt, message: SdkMessage): void {
  const last = prompt.at(-1);
  if (message.role === 'user' && last?.role === 'user') last.content.push(...message.content);
  else prompt.push(message);
}

/** Text parts of a user message that holds nothing else are one text. */
function simplified(message: SdkMessage): SdkMessage {
  if (message.role !== 'user' || message.content.length < 2) return message;
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length !== message.content.length) return message;
  return { ...message, content: [{ type: 'text', text: texts.join('\n\n') }] };
}

async function userMessage(message: Message, rules: HistoryRules): Promise<SdkMessage | undefined> {
  const content: SdkUserPart[] = [];
  for (const part of message.parts) {
    if (part.kind === 'text' && part.text.trim() !== '') {
      content.push({ type: 'text', text: wellFormed(part.text) });
    } else if (part.kind === 'image') {
      content.push(await imageContent(part, rules));
    }
  }
  return content.length === 0 ? undefined : { role: 'user', content };
}

async function assistantMessages(
  message: Message,
  { rules, ids }: { rules: HistoryRules; ids: CallIds },
): Promise<SdkMessage[]> {
  const isOwn = isOwnMessage(message, rules);
  const content: SdkAssistantPart[] = [];
  const results: SdkToolPart[] = [];
  const images: SdkUserPart[] = [];
  const field: JsonObject = {};
  for (const part of message.parts) {
    switch (part.kind) {
      case 'text': {
        const own = isOwn ? privateOptions(part.private, rules) : undefined;
        if (part.text.trim() === '' && !own) break;
        content.push({ type: 'text', text: wellFormed(part.text), ...withOptions(own) });
        break;
      }
      case 'reasoning': {
        const own = isOwn ? privateOptions(part.private, rules) : undefined;
        if (!own) break;
        if (rules.reasoning === 'field') addReasoningField(field, part.text, own);
        else content.push({ type: 'reasoning', text: wellFormed(part.text), ...withOptions(own) });
        break;
      }
      case 'tool-call': {
        const toolCallId = ids.idFor(part, { isOwn });
        const own = isOwn ? privateOptions(part.private, rules) : undefined;
        const tool = { toolCallId, toolName: callName(part.tool) };
        content.push({ type: 'tool-call', ...tool, input: callInput(part), ...withOptions(own) });
        const { output, after } = await outputOf(part, rules);
        results.push({ type: 'tool-result', ...tool, output });
        images.push(...after);
        break;
      }
      case 'image':
      case 'notice':
      case 'consult':
        break;
    }
  }
  dropLooseReasoning(content);
  signFirstCall(content, rules);
  if (content.length === 0) return [];
  if (rules.needsReasoningField && results.length > 0) field['reasoning_content'] ??= '';
  const assistant: SdkMessage = {
    role: 'assistant',
    content,
    ...(Object.keys(field).length > 0 ? { providerOptions: { openaiCompatible: field } } : {}),
  };
  return [
    assistant,
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(images.length > 0 ? [{ role: 'user' as const, content: images }] : []),
  ];
}

/** Private data goes back to the very model that made it: to others of its family it can be invalid. */
function isOwnMessage(message: Message, rules: HistoryRules): boolean {
  if (!message.model) return true;
  return message.model.provider === rules.provider && message.model.model === rules.model;
}

function privateOptions(
  data: { family: string; data: JsonValue } | undefined,
  rules: HistoryRules,
): JsonObject | undefined {
  return data?.family === rules.family ? asObject(data.data) : undefined;
}

function withOptions(options: JsonObject | undefined): { providerOptions?: SdkOptions } {
  return options ? { providerOptions: options as SdkOptions } : {};
}

/** The field that it came in is the one that the server knows. */
function addReasoningField(field: JsonObject, text: string, own: JsonObject): void {
  const details = asArray(own['details']);
  if (details) {
    field['reasoning_details'] = [...(asArray(field['reasoning_details']) ?? []), ...details];
    return;
  }
  const name = asText(own['field']) ?? 'reasoning_content';
  if (text !== '') field[name] = `${asText(field[name]) ?? ''}${wellFormed(text)}`;
}

/** Reasoning that nothing followed, e.g. because the person stopped it, is refused by its own vendor. */
function dropLooseReasoning(content: SdkAssistantPart[]): void {
  while (content.at(-1)?.type === 'reasoning') content.pop();
}

/** Calls in one message are signed at the first of them only. */
function signFirstCall(content: readonly SdkAssistantPart[], { unsignedCall }: HistoryRules): void {
  const calls = content.filter((part) => part.type === 'tool-call');
  const [first] = calls;
  if (first && unsignedCall && !calls.some((part) => part.providerOptions))
    first.providerOptions = unsignedCall as SdkOptions;
}

/** Models invent tool names that no API takes back. */
function callName(name: string): string {
  const clean = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`.slice(0, 64);
}

function callInput(part: ToolCallPart): JsonObject {
  return asObject(part.input) ?? {};
}

/** Half of a surrogate pair, cut by some limit, is no valid JSON text for many servers. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

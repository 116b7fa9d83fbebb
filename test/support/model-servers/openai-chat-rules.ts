import {
  checkCallId,
  checkImage,
  checkJsonObject,
  checkKeys,
  checkSchema,
  checkText,
  checkToolName,
  type Loose,
  refusalOf,
  refuse,
} from './check.ts';
import type { ServerRequest, ServerRules } from './script.ts';

const bodyKeys = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'reasoning_effort',
  'prompt_cache_key',
  'store',
  'user',
  'reasoning',
];

export function refuseOpenaiChat({ body }: ServerRequest, rules: ServerRules): string | undefined {
  return refusalOf(() => {
    checkKeys(body, bodyKeys, 'body');
    checkText(body.model, 'model');
    if (body.stream !== true) refuse('stream: must be true');
    if (body.tools !== undefined) {
      if (!Array.isArray(body.tools) || body.tools.length === 0) refuse("[] is too short - 'tools'");
      for (const tool of body.tools) {
        checkKeys(tool, ['type', 'function'], 'tools');
        checkKeys(tool.function, ['name', 'description', 'parameters', 'strict'], 'tools.function');
        checkToolName(tool.function.name, 'tools.function.name');
        checkSchema(tool.function.parameters, 'tools.function.parameters');
      }
    } else if (body.tool_choice !== undefined) refuse('tool_choice: only allowed when tools are given');
    checkMessages(body.messages, rules.callIdPattern ?? /^[a-zA-Z0-9_-]{1,40}$/);
  });
}

function checkMessages(messages: Loose, idPattern: RegExp): void {
  if (!Array.isArray(messages) || messages.length === 0) refuse("[] is too short - 'messages'");
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`;
    if (message.role !== 'tool' && open.size > 0) {
      refuse(
        `${where}: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`,
      );
    }
    switch (message.role) {
      case 'system':
      case 'developer':
        checkKeys(message, ['role', 'content'], where);
        checkText(message.content, `${where}.content`);
        break;
      case 'user':
        checkKeys(message, ['role', 'content'], where);
        checkUserContent(message.content, `${where}.content`);
        break;
      case 'assistant':
        open = checkAssistant(message, { where, idPattern, seen });
        break;
      case 'tool':
        checkKeys(message, ['role', 'content', 'tool_call_id'], where);
        checkText(message.content, `${where}.content`);
        if (!open.delete(message.tool_call_id)) {
          refuse(
            `${where}: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. No open call ${message.tool_call_id}`,
          );
        }
        break;
      default:
        refuse(`${where}: unknown role ${String(message.role)}`);
    }
  }
  if (open.size > 0) refuse('the last tool calls have no responses');
  if (messages.at(-1).role === 'assistant') refuse('Expected last role User or Tool, got assistant');
}

function checkUserContent(content: Loose, where: string): void {
  if (typeof content === 'string') {
    checkText(content, where);
    return;
  }
  if (!Array.isArray(content) || content.length === 0) refuse(`${where}: must not be empty`);
  for (const part of content) {
    if (part.type === 'text') checkText(part.text, `${where}.text`);
    else if (part.type === 'image_url') {
      const match = /^data:([^;]+);base64,(.*)$/.exec(String(part.image_url?.url));
      checkImage(match?.[1], match?.[2], `${where}.image_url`);
    } else refuse(`${where}: unknown part ${String(part.type)}`);
  }
}

function checkAssistant(
  message: Loose,
  { where, idPattern, seen }: { where: string; idPattern: RegExp; seen: Set<string> },
): Set<string> {
  checkKeys(message, ['role', 'content', 'tool_calls', 'reasoning_content'], where);
  const { content, tool_calls: calls } = message;
  if (content !== null && content !== undefined) checkText(content, `${where}.content`);
  const open = new Set<string>();
  if (calls === undefined) {
    if (typeof content !== 'string') refuse(`${where}: expected content or tool_calls`);
    return open;
  }
  if (!Array.isArray(calls) || calls.length === 0) refuse(`${where}.tool_calls: must not be empty`);
  for (const call of calls) {
    checkKeys(call, ['id', 'type', 'function'], `${where}.tool_calls`);
    if (call.type !== 'function') refuse(`${where}.tool_calls: type must be 'function'`);
    checkCallId(call.id, idPattern, `${where}.tool_calls`);
    if (seen.has(call.id)) refuse(`${where}.tool_calls: Duplicate value for 'tool_call_id' of ${call.id}`);
    seen.add(call.id);
    open.add(call.id);
    checkToolName(call.function?.name, `${where}.tool_calls`);
    checkJsonObject(call.function?.arguments, `${where}.tool_calls.arguments`);
  }
  return open;
}

import {
  checkCallId,
  checkImage,
  checkKeys,
  checkSchema,
  checkText,
  checkToolName,
  type Loose,
  refusalOf,
  refuse,
} from './check.ts';
import { type ServerRequest, type ServerRules, signatureOf } from './script.ts';

const bodyKeys = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'metadata',
  'temperature',
  'cache_control',
];

export function refuseAnthropic({ body, headers }: ServerRequest, rules: ServerRules): string | undefined {
  return refusalOf(() => {
    if (!headers['anthropic-version']) refuse('anthropic-version: header is required');
    if (!headers['x-api-key'] && !headers['authorization']) refuse('x-api-key header is required');
    checkKeys(body, bodyKeys, 'body');
    checkText(body.model, 'model');
    if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) refuse('max_tokens: Field required');
    if (body.stream !== true) refuse('stream: must be true');
    checkThinking(body);
    checkSystem(body.system);
    for (const tool of body.tools ?? []) {
      const keys = [
        'name',
        'description',
        'input_schema',
        'cache_control',
        'type',
        'eager_input_streaming',
        'strict',
      ];
      checkKeys(tool, keys, 'tools');
      checkToolName(tool.name, 'tools.name');
      checkSchema(tool.input_schema, 'tools.input_schema');
    }
    if (body.tools?.length === 0) refuse('tools: must not be empty');
    checkMessages(body, rules);
    const breakpoints = JSON.stringify(body).match(/"cache_control":\{/g)?.length ?? 0;
    if (breakpoints > 4)
      refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints}.`);
  });
}

function checkThinking(body: Loose): void {
  const { thinking } = body;
  if (thinking === undefined) return;
  checkKeys(thinking, ['type', 'budget_tokens', 'display'], 'thinking');
  if (thinking.type === 'enabled') {
    if (!(thinking.budget_tokens >= 1_024)) refuse('thinking.enabled.budget_tokens: must be at least 1024');
    if (thinking.budget_tokens >= body.max_tokens)
      refuse('max_tokens must be greater than thinking.budget_tokens');
  }
  if (thinking.type !== 'disabled' && body.temperature !== undefined) {
    refuse('temperature may only be set to 1 when thinking is enabled');
  }
}

function checkSystem(system: Loose): void {
  if (system === undefined) return;
  if (typeof system === 'string') {
    checkText(system, 'system');
    return;
  }
  if (!Array.isArray(system) || system.length === 0) refuse('system: must not be empty');
  for (const block of system) {
    checkKeys(block, ['type', 'text', 'cache_control'], 'system');
    checkText(block.text, 'system.text');
  }
}

function checkMessages(body: Loose, rules: ServerRules): void {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) refuse('messages: at least one message is required');
  if (messages[0].role !== 'user') refuse('messages: first message must use the "user" role');
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    checkKeys(message, ['role', 'content'], where);
    const content: Loose[] =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    if (!Array.isArray(content) || content.length === 0)
      refuse(`${where}: all messages must have non-empty content`);
    if (message.role === 'assistant') {
      if (open.size > 0) refuse(missingResults(where, open));
      open = checkAssistant(content, { where, seen, rules });
    } else if (message.role === 'user') {
      checkUser(content, { where, open });
    } else refuse(`${where}.role: Input should be 'user' or 'assistant'`);
  }
  if (open.size > 0) refuse(missingResults('messages', open));
  const last = messages.at(-1);
  if (last.role === 'assistant')
    refuse(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  if (body.thinking?.type === 'enabled') checkThinkingFirst(messages);
}

function missingResults(where: string, open: Set<string>): string {
  return `${where}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

/** With a thinking budget, the assistant message of a running tool loop has to begin with thinking. */
function checkThinkingFirst(messages: Loose[]): void {
  const isResult = (message: Loose) =>
    message.role === 'user' &&
    Array.isArray(message.content) &&
    message.content.some((block: Loose) => block.type === 'tool_result');
  if (!isResult(messages.at(-1))) return;
  const assistant = messages.findLast((message) => message.role === 'assistant');
  const first = assistant?.content[0]?.type;
  if (first !== 'thinking' && first !== 'redacted_thinking') {
    refuse(
      `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    );
  }
}

function checkUser(content: Loose[], { where, open }: { where: string; open: Set<string> }): void {
  let hasOther = false;
  for (const block of content) {
    if (block.type === 'tool_result') {
      if (hasOther) refuse(`${where}: tool_result blocks must come first in the content`);
      if (!open.delete(block.tool_use_id)) {
        refuse(
          `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
      }
      checkKeys(block, ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'], where);
      if (typeof block.content === 'string') checkText(block.content, `${where}.tool_result`);
      else for (const inner of block.content ?? []) checkBlock(inner, `${where}.tool_result`);
      continue;
    }
    hasOther = true;
    checkBlock(block, where);
  }
  if (open.size > 0) refuse(missingResults(where, open));
}

function checkBlock(block: Loose, where: string): void {
  if (block.type === 'text') {
    checkKeys(block, ['type', 'text', 'cache_control'], where);
    checkText(block.text, `${where}: text content blocks`);
  } else if (block.type === 'image') {
    checkKeys(block, ['type', 'source', 'cache_control'], where);
    checkImage(block.source?.media_type, block.source?.data, `${where}.image`);
  } else refuse(`${where}: unexpected block ${String(block.type)}`);
}

function checkAssistant(
  content: Loose[],
  { where, seen, rules }: { where: string; seen: Set<string>; rules: ServerRules },
): Set<string> {
  const open = new Set<string>();
  for (const block of content) {
    switch (block.type) {
      case 'text':
        checkBlock(block, where);
        break;
      case 'thinking': {
        checkKeys(block, ['type', 'thinking', 'signature'], where);
        const isValid =
          rules.issued.has(block.signature) || block.signature === signatureOf('anthropic', block.thinking);
        if (!isValid) refuse(`${where}: Invalid \`signature\` in \`thinking\` block`);
        break;
      }
      case 'redacted_thinking':
        checkKeys(block, ['type', 'data'], where);
        if (!rules.issued.has(block.data) && !String(block.data).startsWith('anthropic.')) {
          refuse(`${where}: Invalid \`data\` in \`redacted_thinking\` block`);
        }
        break;
      case 'tool_use':
        checkKeys(block, ['type', 'id', 'name', 'input', 'cache_control', 'caller'], where);
        checkCallId(block.id, rules.callIdPattern ?? /^[a-zA-Z0-9_-]{1,64}$/, `${where}.tool_use.id`);
        if (seen.has(block.id)) refuse(`${where}: \`tool_use\` ids must be unique: ${block.id}`);
        seen.add(block.id);
        open.add(block.id);
        checkToolName(block.name, `${where}.tool_use.name`);
        if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) {
          refuse(`${where}.tool_use.input: Input should be a valid dictionary`);
        }
        break;
      default:
        refuse(`${where}: unexpected block ${String(block.type)}`);
    }
  }
  const lastType = content.at(-1)?.type;
  if (lastType === 'thinking' || lastType === 'redacted_thinking') {
    refuse(`${where}: The final block in an assistant message cannot be \`thinking\`.`);
  }
  return open;
}

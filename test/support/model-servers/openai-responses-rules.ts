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
import { type ServerRequest, type ServerRules, signatureOf } from './script.ts';

const bodyKeys = [
  'model',
  'input',
  'instructions',
  'stream',
  'store',
  'include',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'max_output_tokens',
  'prompt_cache_key',
  'prompt_cache_retention',
  'text',
  'truncation',
  'metadata',
];

export function refuseOpenaiResponses(
  { body, headers }: ServerRequest,
  rules: ServerRules,
): string | undefined {
  return refusalOf(() => {
    if (!headers['authorization']?.startsWith('Bearer ')) refuse('You did not provide an API key.');
    checkKeys(body, bodyKeys, 'body');
    checkText(body.model, 'model');
    if (body.stream !== true) refuse('stream: must be true');
    if (body.store !== false) refuse('store: must be false: a coding session must not be kept by the vendor');
    for (const tool of body.tools ?? []) {
      checkKeys(tool, ['type', 'name', 'description', 'parameters', 'strict'], 'tools');
      checkToolName(tool.name, 'tools.name');
      checkSchema(tool.parameters, 'tools.parameters');
    }
    if (body.tools?.length === 0) refuse('tools: must not be empty');
    if (body.prompt_cache_key !== undefined && String(body.prompt_cache_key).length > 64) {
      refuse('prompt_cache_key: string too long. Expected a string with maximum length 64');
    }
    checkInput(body.input, rules);
  });
}

function checkInput(input: Loose, rules: ServerRules): void {
  if (!Array.isArray(input) || input.length === 0) refuse('input: must not be empty');
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const [index, item] of input.entries()) {
    const where = `input[${index}]`;
    switch (item.type ?? 'message') {
      case 'message':
        checkMessage(item, where);
        break;
      case 'reasoning':
        checkReasoning(item, { where, next: input[index + 1], rules });
        break;
      case 'function_call':
        checkKeys(item, ['type', 'id', 'call_id', 'name', 'arguments', 'status'], where);
        if (item.id !== undefined)
          refuse(
            `${where}: Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`,
          );
        checkCallId(item.call_id, rules.callIdPattern ?? /^[a-zA-Z0-9_-]{1,64}$/, where);
        if (called.has(item.call_id)) refuse(`${where}: Duplicate call_id ${item.call_id}`);
        called.add(item.call_id);
        checkToolName(item.name, where);
        checkJsonObject(item.arguments, `${where}.arguments`);
        break;
      case 'function_call_output':
        checkKeys(item, ['type', 'call_id', 'output', 'status'], where);
        if (!called.has(item.call_id))
          refuse(`${where}: No tool call found for function call output with call_id ${item.call_id}.`);
        if (answered.has(item.call_id)) refuse(`${where}: second output for ${item.call_id}`);
        answered.add(item.call_id);
        if (typeof item.output === 'string') checkText(item.output, `${where}.output`);
        else checkContent(item.output, ['input_text', 'input_image'], `${where}.output`);
        break;
      default:
        refuse(`${where}: Invalid value: '${String(item.type)}'`);
    }
    // Between a call and its output nothing but other calls, reasoning and outputs may stand.
    const isMessage = (item.type ?? 'message') === 'message';
    if (isMessage && item.role !== 'assistant' && called.size > answered.size) {
      const missing = [...called].filter((id) => !answered.has(id));
      refuse(`No tool output found for function call ${missing.join(', ')}.`);
    }
  }
  const missing = [...called].filter((id) => !answered.has(id));
  if (missing.length > 0) refuse(`No tool output found for function call ${missing.join(', ')}.`);
}

function checkMessage(item: Loose, where: string): void {
  checkKeys(item, ['type', 'role', 'content', 'id', 'status', 'phase'], where);
  switch (item.role) {
    case 'system':
    case 'developer':
      if (typeof item.content === 'string') checkText(item.content, where);
      else checkContent(item.content, ['input_text'], where);
      break;
    case 'user':
      if (typeof item.content === 'string') checkText(item.content, where);
      else checkContent(item.content, ['input_text', 'input_image'], where);
      break;
    case 'assistant':
      if (item.id !== undefined) refuse(`${where}: Item with id '${item.id}' not found.`);
      if (typeof item.content === 'string') checkText(item.content, where);
      else checkContent(item.content, ['output_text'], where);
      break;
    default:
      refuse(
        `${where}: Invalid value: '${String(item.role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      );
  }
}

function checkContent(content: Loose, types: readonly string[], where: string): void {
  if (!Array.isArray(content) || content.length === 0) refuse(`${where}: must not be empty`);
  for (const part of content) {
    if (!types.includes(part.type)) refuse(`${where}: Invalid value: '${String(part.type)}'`);
    if (part.type === 'input_image') {
      const match = /^data:([^;]+);base64,(.*)$/.exec(String(part.image_url));
      checkImage(match?.[1], match?.[2], where);
    } else checkText(part.text, where);
  }
}

function checkReasoning(
  item: Loose,
  { where, next, rules }: { where: string; next: Loose; rules: ServerRules },
): void {
  checkKeys(item, ['type', 'id', 'summary', 'encrypted_content', 'content', 'status'], where);
  if (!Array.isArray(item.summary)) refuse(`${where}: Missing required parameter: 'summary'`);
  const { encrypted_content: secret } = item;
  if (typeof secret !== 'string') {
    refuse(
      `${where}: Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false.`,
    );
  }
  const text = item.summary.map((part: Loose) => part.text).join('');
  if (!rules.issued.has(secret) && secret !== signatureOf('openai-responses', text)) {
    refuse(
      `${where}: The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    );
  }
  const isFollowed =
    next?.type === 'function_call' || next?.type === 'reasoning' || next?.role === 'assistant';
  if (!isFollowed) {
    refuse(
      `${where}: Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`,
    );
  }
}

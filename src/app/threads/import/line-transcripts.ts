import path from 'node:path';
import type { PeerConversation } from '#engine/thread/peer-log.ts';
import { fields, items, jsonIn, parsedJson, textIn, textsIn, timeIn } from './fields.ts';
import { TurnBuilder } from './turns.ts';

/**
 * Claude Code, `~/.claude/projects/<folder>/<uuid>.jsonl`: one line a block of a message; what sub-agents said
 * (`isSidechain`) and what the program put in (`isMeta`) is left out.
 */
export function readClaude(lines: readonly unknown[], file: string): PeerConversation {
  const turns = new TurnBuilder();
  let at = 0;
  let cwd = '';
  let id = path.basename(file, '.jsonl');
  let title = '';
  for (const line of lines.map(fields)) {
    at = timeIn(line['timestamp'], at);
    cwd = textIn(line['cwd']) || cwd;
    id = textIn(line['sessionId']) || id;
    if (line['type'] === 'summary') title = textIn(line['summary']);
    if (line['isSidechain'] === true || line['isMeta'] === true) continue;
    const message = fields(line['message']);
    if (line['type'] === 'user') {
      for (const block of items(message['content']).map(fields))
        if (block['type'] === 'tool_result')
          turns.result(textIn(block['tool_use_id']), textsIn(block['content']), block['is_error'] === true);
      const said =
        typeof message['content'] === 'string'
          ? message['content']
          : textsIn(items(message['content']).filter((block) => fields(block)['type'] !== 'tool_result'));
      if (!isInjected(said)) turns.person(said, at);
    }
    if (line['type'] !== 'assistant') continue;
    const model = { provider: 'anthropic', model: textIn(message['model']) || 'unknown' };
    for (const block of items(message['content']).map(fields)) {
      if (block['type'] === 'text') turns.say('text', textIn(block['text']), at, model);
      if (block['type'] === 'thinking') turns.say('reasoning', textIn(block['thinking']), at, model);
      if (block['type'] === 'tool_use')
        turns.call(
          textIn(block['id']),
          { tool: textIn(block['name']), input: jsonIn(block['input']) },
          at,
          model,
        );
    }
  }
  return turns.build({ agent: 'claude', id, file, cwd, ...(title === '' ? {} : { title }) });
}

/** Codex CLI, `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`: `session_meta`, then `response_item`s. */
export function readCodex(lines: readonly unknown[], file: string): PeerConversation {
  const turns = new TurnBuilder();
  let at = 0;
  let cwd = '';
  let id = path.basename(file, '.jsonl');
  let provider = 'openai';
  let model = 'unknown';
  for (const line of lines.map(fields)) {
    at = timeIn(line['timestamp'], at);
    const payload = fields(line['payload']);
    if (line['type'] === 'session_meta') {
      cwd = textIn(payload['cwd']) || cwd;
      id = textIn(payload['id']) || id;
      provider = textIn(payload['model_provider']) || provider;
    }
    if (line['type'] === 'turn_context') model = textIn(payload['model']) || model;
    if (line['type'] !== 'response_item') continue;
    const ref = { provider, model };
    const callId = textIn(payload['call_id']) || textIn(payload['id']);
    switch (payload['type']) {
      case 'message': {
        const text = textsIn(payload['content']);
        if (payload['role'] === 'user' && !isInjected(text)) turns.person(text, at);
        if (payload['role'] === 'assistant') turns.say('text', text, at, ref);
        break;
      }
      case 'reasoning':
        turns.say('reasoning', textsIn(payload['summary']), at, ref);
        break;
      case 'function_call':
      case 'custom_tool_call': {
        const input = parsedJson(textIn(payload['arguments']) || textIn(payload['input']));
        turns.call(callId, { tool: codexTool(textIn(payload['name'])), input: jsonIn(input) }, at, ref);
        break;
      }
      case 'local_shell_call': {
        const { command } = fields(payload['action']);
        turns.call(callId, { tool: 'bash', input: jsonIn({ command: textsIn(command) }) }, at, ref);
        break;
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const said = parsedJson(textsIn(payload['output']));
        const { output, metadata, success } = fields(said);
        const exit = fields(metadata)['exit_code'];
        const isError = success === false || (typeof exit === 'number' && exit !== 0);
        turns.result(callId, textIn(output) || textsIn(payload['output']), isError);
        break;
      }
    }
  }
  return turns.build({ agent: 'codex', id, file, cwd });
}

function codexTool(name: string): string {
  return name === 'shell' || name === 'exec_command' || name === 'shell_command' ? 'bash' : name;
}

/** What these programs put before a person's words, in the place of their words. */
function isInjected(text: string): boolean {
  return /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|command-name|command-message|local-command-stdout|local-command-caveat|system-reminder|ide_opened_file)\b|# AGENTS\.md instructions)/.test(
    text,
  );
}

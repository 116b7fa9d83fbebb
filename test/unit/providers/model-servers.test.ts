import { afterEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ServerApi, startModelServer } from '../../support/model-servers/index.ts';

const running: ModelServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const paths: Readonly<Record<ServerApi, string>> = {
  'openai-chat': '/chat/completions',
  'openai-responses': '/responses',
  anthropic: '/messages',
  gemini: '/models/gemini-3-pro:streamGenerateContent?alt=sse',
};

async function send(api: ServerApi, body: unknown): Promise<{ status: number; violations: string[] }> {
  const server = await startModelServer({ api, script: [{ parts: [{ text: 'ok' }] }] });
  running.push(server);
  const headers = {
    authorization: 'Bearer k',
    'x-api-key': 'k',
    'x-goog-api-key': 'k',
    'anthropic-version': '2023-06-01',
  };
  const response = await fetch(server.url + paths[api], {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, violations: server.violations };
}

const chatCall = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } };
const chat = (...messages: object[]) => ({ model: 'm', stream: true, messages });
const claude = (...messages: object[]) => ({ model: 'm', stream: true, max_tokens: 10, messages });
const responses = (...input: object[]) => ({ model: 'm', stream: true, store: false, input });
const gemini = (...contents: object[]) => ({ contents });
const user = { role: 'user', content: 'hi' };
const fcall = { type: 'function_call', call_id: 'c1', name: 'bash', arguments: '{}' };
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'bash', input: {} }] };
const asked = { role: 'user', parts: [{ text: 'hi' }] };
const signed = (thoughtSignature: string) => ({
  role: 'model',
  parts: [{ functionCall: { name: 'bash', args: {} }, thoughtSignature }],
});
const answered = { role: 'user', parts: [{ functionResponse: { name: 'bash', response: {} } }] };

describe('the strict servers', () => {
  test.each<[ServerApi, unknown]>([
    ['openai-chat', chat(user)],
    [
      'openai-chat',
      chat(
        user,
        { role: 'assistant', tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
      ),
    ],
    [
      'anthropic',
      claude(user, use, {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }],
      }),
    ],
    [
      'openai-responses',
      responses(user, fcall, { type: 'function_call_output', call_id: 'c1', output: 'x' }),
    ],
    ['gemini', gemini(asked, signed('skip_thought_signature_validator'), answered)],
  ])('accept a good request (%s)', async (api, body) => {
    expect(await send(api, body)).toEqual({ status: 200, violations: [] });
  });

  test.each<[string, ServerApi, unknown]>([
    ['an orphan tool message', 'openai-chat', chat(user, { role: 'tool', tool_call_id: 'c1', content: 'x' })],
    ['an unanswered call', 'openai-chat', chat(user, { role: 'assistant', tool_calls: [chatCall] }, user)],
    [
      'a result of an unknown call',
      'openai-chat',
      chat(
        user,
        { role: 'assistant', tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c2', content: 'x' },
      ),
    ],
    ['an empty text', 'openai-chat', chat({ role: 'user', content: ' ' })],
    ['an unknown role', 'openai-chat', chat({ role: 'notice', content: 'x' })],
    ['an unknown field', 'openai-chat', { ...chat(user), signature: 'x' }],
    ['an answer as the last message', 'openai-chat', chat(user, { role: 'assistant', content: 'x' })],
    [
      'a foreign signature',
      'anthropic',
      claude(
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'x', signature: 'openai' },
            { type: 'text', text: 'y' },
          ],
        },
        user,
      ),
    ],
    [
      'thinking as the last block',
      'anthropic',
      claude(
        user,
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'anthropic.x' }] },
        user,
      ),
    ],
    [
      'a text before a result',
      'anthropic',
      claude(user, use, {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_result', tool_use_id: 't1', content: 'x' },
        ],
      }),
    ],
    ['a missing result', 'anthropic', claude(user, use, user)],
    [
      'a call id that it cannot have made',
      'anthropic',
      claude(
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'functions.x:0', name: 'x', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions.x:0', content: 'x' }] },
      ),
    ],
    ['an answer to begin with', 'anthropic', claude({ role: 'assistant', content: 'x' }, user)],
    [
      'an output without a call',
      'openai-responses',
      responses(user, { type: 'function_call_output', call_id: 'c1', output: 'x' }),
    ],
    ['a call without an output', 'openai-responses', responses(user, fcall, user)],
    [
      'reasoning of somebody else',
      'openai-responses',
      responses(user, { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'anthropic.x' }, fcall, {
        type: 'function_call_output',
        call_id: 'c1',
        output: 'x',
      }),
    ],
    [
      'reasoning that nothing follows',
      'openai-responses',
      responses(user, { type: 'reasoning', id: 'rs', summary: [] }, user),
    ],
    ['the wish to store', 'openai-responses', { ...responses(user), store: true }],
    [
      'a call without a signature',
      'gemini',
      gemini(asked, { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] }, answered),
    ],
    ['a foreign signature', 'gemini', gemini(asked, signed('anthropic.x'), answered)],
    [
      'fewer responses than calls',
      'gemini',
      gemini(asked, signed('skip_thought_signature_validator'), asked),
    ],
    ['an empty part', 'gemini', gemini({ role: 'user', parts: [{ text: '' }] })],
  ])('refuse %s (%s)', async (_what, api, body) => {
    const { status, violations } = await send(api, body);
    expect(status).toBe(400);
    expect(violations).toHaveLength(1);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelClient } from '#protocol/model-client.ts';
import {
  type ModelServer,
  type ServerApi,
  type ServerRequest,
  startModelServer,
} from '../../support/model-servers/index.ts';
import { openTestModel } from '../../unit/providers/support/open-model.ts';
import { Conversation, pixel } from './conversation.ts';

const apis: readonly ServerApi[] = ['openai-chat', 'anthropic', 'gemini', 'openai-responses'];

/** Answers with calls when the newest thing said was typed, with text when it was results. */
function script(request: ServerRequest) {
  const text = JSON.stringify(request.body);
  const wantsTools = text.lastIndexOf('use your tools') > text.lastIndexOf('result of ');
  if (!wantsTools) return { parts: [{ reasoning: 'Now I know.' }, { text: 'Done, thank you.' }] };
  return {
    parts: [
      { reasoning: 'I should look at both.' },
      { text: 'Looking.' },
      { call: 'read_file', input: { path: 'a.txt' } },
      { call: 'bash', input: { command: 'ls' } },
    ],
  };
}

describe('one conversation moved through all four APIs', () => {
  let servers: Map<ServerApi, ModelServer>;
  let models: Map<ServerApi, ModelClient>;

  beforeEach(async () => {
    servers = new Map();
    models = new Map();
    for (const api of apis) {
      const server = await startModelServer({ api, script });
      servers.set(api, server);
      const model = api === 'gemini' ? 'gemini-3-pro-preview' : 'test-model';
      const entry = { models: { [model]: { images: true, reasoning: true, context_window: 200_000 } } };
      models.set(api, await openTestModel({ api, url: server.url, provider: api, model, entry }));
    }
  });
  afterEach(async () => {
    for (const server of servers.values()) await server.close();
  });

  const modelOf = (api: ServerApi): ModelClient => {
    const model = models.get(api);
    if (!model) throw new Error('no model');
    return model;
  };

  async function toolTurn(talk: Conversation, api: ServerApi): Promise<void> {
    talk.say(`Please use your tools, ${api}.`, { image: pixel });
    await talk.step(modelOf(api));
    talk.answer((call, index) => ({
      status: index === 1 ? 'error' : 'ok',
      forModel: [
        { kind: 'text', text: `result of ${call.tool}` },
        ...(index === 0
          ? [
              {
                kind: 'image' as const,
                mediaType: 'image/png',
                source: { kind: 'inline' as const, base64: pixel },
              },
            ]
          : []),
      ],
    }));
    await talk.step(modelOf(api));
  }

  async function abortedTurn(talk: Conversation, api: ServerApi): Promise<void> {
    talk.say('Please use your tools once more.');
    const controller = new AbortController();
    const model = modelOf(api);
    const stopping: ModelClient = {
      info: model.info,
      async *stream(request, options) {
        for await (const part of model.stream(request, options)) {
          yield part;
          if (part.kind === 'tool-call-delta') controller.abort();
        }
      },
    };
    await talk.step(stopping, controller.signal);
    talk.answer(() => ({ status: 'aborted', forModel: [{ kind: 'text', text: 'stopped by the person' }] }));
    talk.notice('You stopped it.');
  }

  const route: readonly ServerApi[] = [
    'openai-chat',
    'anthropic',
    'gemini',
    'openai-responses',
    'openai-chat',
    'anthropic',
    'openai-responses',
    'gemini',
    'anthropic',
  ];

  test('is accepted by every strict server, with images, parallel calls, reasoning and aborted answers', async () => {
    const talk = new Conversation();
    for (const [index, api] of route.entries()) {
      await toolTurn(talk, api);
      if (index % 2 === 1) await abortedTurn(talk, api);
    }
    for (const [api, server] of servers) {
      expect({ api, violations: server.violations }).toEqual({ api, violations: [] });
      expect(server.requests.length).toBeGreaterThan(2);
    }
    const answers = talk.messages.filter(
      (message) => message.role === 'assistant' && message.finish === 'stop',
    );
    expect(answers).toHaveLength(route.length * 2);
  });

  test('is accepted in the middle of a tool loop, where the next model has to answer calls of another', async () => {
    const orders = apis.flatMap((first) =>
      apis.filter((second) => second !== first).map((second) => [first, second]),
    );
    for (const [first, second] of orders) {
      if (!first || !second) continue;
      const talk = new Conversation();
      talk.say('Please use your tools.');
      await talk.step(modelOf(first));
      talk.answer(() => ({ forModel: [{ kind: 'text', text: 'result of it' }] }));
      await talk.step(modelOf(second));
      talk.say('Please use your tools again.');
      await talk.step(modelOf(first));
      talk.answer(() => ({ forModel: [] }));
      await talk.step(modelOf(first));
    }
    for (const [api, server] of servers) {
      expect({ api, violations: server.violations }).toEqual({ api, violations: [] });
    }
  });

  test('is accepted by a Gemini model that a proxy offers under another name', async () => {
    const talk = new Conversation();
    await toolTurn(talk, 'openai-chat');
    const server = servers.get('gemini');
    const model = await openTestModel({
      api: 'gemini',
      url: server?.url ?? '',
      provider: 'proxy',
      model: 'house-model',
    });
    talk.say('Go on.');
    await talk.step(model);
    expect(server?.violations).toEqual([]);
    expect(JSON.stringify(server?.requests[0]?.body)).toContain('skip_thought_signature_validator');
  });

  test('keeps private reasoning for its own vendor: signatures return to it and to nobody else', async () => {
    const talk = new Conversation();
    await toolTurn(talk, 'anthropic');
    await toolTurn(talk, 'openai-responses');
    await toolTurn(talk, 'gemini');
    const sentTo = (api: ServerApi) => JSON.stringify(servers.get(api)?.requests.at(-1)?.body);
    await toolTurn(talk, 'openai-chat');
    expect(sentTo('openai-chat')).not.toMatch(/(anthropic|openai-responses|gemini)\.[\w-]{43}/);
    await toolTurn(talk, 'anthropic');
    expect(sentTo('anthropic')).toContain('"signature":"anthropic.');
    expect(sentTo('anthropic')).not.toMatch(/(openai-responses|gemini)\.[\w-]{43}/);
    await toolTurn(talk, 'openai-responses');
    expect(sentTo('openai-responses')).toContain('"encrypted_content":"openai-responses.');
    await toolTurn(talk, 'gemini');
    expect(sentTo('gemini')).toContain('"thoughtSignature":"gemini.');
    for (const server of servers.values()) expect(server.violations).toEqual([]);
  });

  test('is accepted by thinking models at high effort, also where their thinking is not the first of a loop', async () => {
    const thinkers = [
      { api: 'anthropic', model: 'claude-sonnet-4-5', effort: 'high' },
      { api: 'anthropic', model: 'claude-opus-5-5', effort: 'max' },
      { api: 'openai-responses', model: 'gpt-5', effort: 'high' },
      { api: 'gemini', model: 'gemini-2.5-pro', effort: 'low' },
    ] as const;
    for (const { api, model, effort } of thinkers) {
      const server = servers.get(api);
      const thinker = await openTestModel({
        api,
        url: server?.url ?? '',
        provider: `${api}-2`,
        model,
        effort,
      });
      const talk = new Conversation();
      talk.say('Please use your tools.');
      await talk.step(modelOf('openai-chat'));
      talk.answer(() => ({ forModel: [{ kind: 'text', text: 'result of it' }] }));
      await talk.step(thinker);
      talk.say('Please use your tools again.');
      await talk.step(thinker);
      talk.answer(() => ({ forModel: [{ kind: 'text', text: 'result of it' }] }));
      const parts = await talk.step(thinker);
      expect({ model, violations: server?.violations, last: parts.at(-1)?.kind }).toEqual({
        model,
        violations: [],
        last: 'finish',
      });
    }
    const bodies = servers.get('anthropic')?.requests.map((request) => request.body) ?? [];
    expect(bodies[0].thinking).toBeUndefined();
    expect(bodies[2].thinking).toMatchObject({ type: 'enabled' });
  });
});

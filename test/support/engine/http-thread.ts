import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { OpenThreadOptions } from '#engine/open-thread.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { createModelDirectory } from '#providers/directory.ts';
import { providerSettings } from '#providers/settings.ts';
import { createTools } from '#tools/index.ts';
import {
  type ModelServer,
  type ServerApi,
  type ServerScript,
  startModelServer,
} from '../model-servers/index.ts';
import { tempFolder } from './test-thread.ts';

export const apis: readonly ServerApi[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

const types = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
} as const;

/** Signatures that Gemini wants on calls of other vendors depend on the model's name. */
const modelOf = (api: ServerApi) => (api === 'gemini' ? 'gemini-3-pro-preview' : 'test-model');

export const refOf = (api: ServerApi): ModelRef => ({ provider: api, model: modelOf(api) });

/** Waits a thousandth of the time; what is said of the waits is not changed. */
export const hastyClock: Clock = {
  ...systemClock,
  wait: (ms, options) => systemClock.wait(ms / 1_000, options),
};

/** Strict servers of these APIs and the engine options that lead to them, with the real tools in a small workspace. */
export async function httpSession(
  scripts: Partial<Record<ServerApi, ServerScript>>,
  {
    settings = {},
    clock = systemClock,
  }: { settings?: Readonly<Record<string, unknown>>; clock?: Clock } = {},
): Promise<{
  servers: Map<ServerApi, ModelServer>;
  options: Partial<OpenThreadOptions> & { home: string; cwd: string };
}> {
  const folder = await realpath(await tempFolder());
  const cwd = path.join(folder, 'workspace');
  await mkdir(cwd);
  await writeFile(path.join(cwd, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  const servers = new Map<ServerApi, ModelServer>();
  for (const api of apis) {
    const script = scripts[api];
    if (!script) continue;
    const server = await startModelServer({ api, script });
    servers.set(api, server);
    onTestFinished(() => server.close());
  }
  const facts = { images: true, reasoning: true, context_window: 200_000 };
  const providers = Object.fromEntries(
    [...servers].map(([api, { url }]) => [
      api,
      { type: types[api], base_url: url, api_key: 'test-key', models: { [modelOf(api)]: facts } },
    ]),
  );
  const directory = createModelDirectory({
    settings: providerSettings.parse({ providers, max_retries: 2, ...settings }),
    env: {},
    home: folder,
    clock,
  });
  const [first = 'openai-chat'] = servers.keys();
  return {
    servers,
    options: {
      home: path.join(folder, 'home'),
      cwd,
      roots: [cwd],
      directory,
      model: refOf(first),
      tools: createTools(),
      childEnv: { PATH: process.env['PATH'] ?? '' },
    },
  };
}

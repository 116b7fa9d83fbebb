import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServerApi } from '../model-servers/index.ts';

export type HomeProvider = { id: string; api: ServerApi; url: string; model: string };

const types: Readonly<Record<ServerApi, Record<string, string>>> = {
  'openai-chat': { type: 'openai-compatible' },
  'openai-responses': { type: 'openai', api: 'responses' },
  anthropic: { type: 'anthropic' },
  gemini: { type: 'google' },
};

/**
 * A fresh LLMCODE_HOME whose config knows these providers and nothing else; the first one is the model to use.
 * No local server is looked for, so that a test never meets one of the machine it runs on.
 */
export function llmcodeHome(
  providers: readonly HomeProvider[],
  settings: Readonly<Record<string, unknown>> = {},
): string {
  const home = mkdtempSync(path.join(tmpdir(), 'llmcode-home-'));
  const [first] = providers;
  const config = {
    ...(first ? { model: `${first.id}/${first.model}` } : {}),
    local_servers: false,
    // No helper outlives a test.
    memory: { consolidate: 'off' },
    providers: Object.fromEntries(
      providers.map(({ id, api, url, model }) => [
        id,
        {
          ...types[api],
          base_url: url,
          api_key: 'test-key',
          models: { [model]: { context_window: 200_000, output_limit: 8_000, images: true, tools: true } },
        },
      ]),
    ),
    ...settings,
  };
  writeFileSync(path.join(home, 'config.json'), JSON.stringify(config, null, 2));
  return home;
}

export type LogLine = { kind?: string; type?: string; [field: string]: unknown };

/** The lines of every thread log in this home, parsed, in order. */
export function threadLogs(home: string): LogLine[][] {
  return threadLogFiles(home).map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // The last one may be in the middle of being written.
      .slice(0, -1)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine),
  );
}

export function threadLogFiles(home: string): string[] {
  const folder = path.join(home, 'threads');
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

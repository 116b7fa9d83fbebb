import { rmSync } from 'node:fs';
import {
  type ModelServer,
  type ServerApi,
  type ServerScript,
  startModelServer,
} from '../model-servers/index.ts';
import { llmcodeHome } from './home.ts';

/** A provider's id in the config, the API that it speaks, and a model of it. */
export const vendors = [
  { id: 'local', api: 'openai-chat', model: 'test-model' },
  { id: 'claude', api: 'anthropic', model: 'claude-sonnet-4-5' },
  { id: 'google', api: 'gemini', model: 'gemini-3-pro-preview' },
  { id: 'responses', api: 'openai-responses', model: 'gpt-5' },
] as const;

export type VendorId = (typeof vendors)[number]['id'];

export type FourVendors = {
  /** A fresh LLMCODE_HOME that knows all four; a session starts with `first`, else with `local`. */
  newHome(first?: VendorId): string;
  servers: Readonly<Record<VendorId, ModelServer>>;
  /** What any of them would have refused. */
  violations(): string[];
  close(): Promise<void>;
};

/** Four strict servers, one for each API. */
export async function startFourVendors(scriptFor: (vendor: VendorId) => ServerScript): Promise<FourVendors> {
  const homes: string[] = [];
  const started = await Promise.all(
    vendors.map(async ({ id, api }) => {
      const server = await startModelServer({ api, script: scriptFor(id) });
      return [id, server] as const;
    }),
  );
  const servers = Object.fromEntries(started) as Record<VendorId, ModelServer>;
  const providers = vendors.map(({ id, api, model }) => ({ id, api, model, url: servers[id].url }));
  return {
    newHome: (first = 'local') => {
      const home = llmcodeHome(providers, { model: refOf(first) });
      homes.push(home);
      return home;
    },
    servers,
    violations: () =>
      started.flatMap(([id, server]) => server.violations.map((violation) => `${id}: ${violation}`)),
    close: async () => {
      for (const [, server] of started) await server.close();
      for (const home of homes) rmSync(home, { recursive: true, force: true });
    },
  };
}

export function refOf(id: VendorId): string {
  const { model } = vendors.find((vendor) => vendor.id === id) ?? vendors[0];
  return `${id}/${model}`;
}

/** The base64 images in a request, wherever its API holds them. */
export function imagesIn(api: ServerApi, body: unknown): string[] {
  const text = JSON.stringify(body);
  const patterns: Readonly<Record<ServerApi, RegExp>> = {
    'openai-chat': /"image_url":\{"url":"data:image\/png;base64,([^"]+)"/g,
    'openai-responses': /"image_url":"data:image\/png;base64,([^"]+)"/g,
    anthropic: /"type":"base64","media_type":"image\/png","data":"([^"]+)"/g,
    gemini: /"inlineData":\{"mimeType":"image\/png","data":"([^"]+)"/g,
  };
  return [...text.matchAll(patterns[api])].map(([, base64]) => base64 ?? '');
}

/** How many calls of tools a request holds. */
export function callsIn(api: ServerApi, body: unknown): number {
  const patterns: Readonly<Record<ServerApi, RegExp>> = {
    'openai-chat': /"type":"function","function":\{"name":"[^"]+","arguments"/g,
    'openai-responses': /"type":"function_call"/g,
    anthropic: /"type":"tool_use"/g,
    gemini: /"functionCall":/g,
  };
  return [...JSON.stringify(body).matchAll(patterns[api])].length;
}

import type { ToolSettings } from '../settings.ts';
import { problem, type WebProblem, type WebRequest, webRequest } from './http-request.ts';

export type SearchHit = { title: string; url: string; snippet: string };

export type SearchBackend = {
  name: string;
  /** Who gets to know what is searched. */
  host: string;
  search(query: string, options: SearchOptions): Promise<SearchHit[] | WebProblem>;
};

type SearchOptions = Pick<WebRequest, 'signal' | 'env'> & { limit: number };

type Call = { url: URL; headers?: Record<string, string>; body?: string };

const timeoutMs = 15_000;
const maxBytes = 2_000_000;

/** Those that are configured and have what they need, in the order in which they are asked. */
export function searchBackends(
  settings: ToolSettings['web_search'],
  env: Readonly<Record<string, string | undefined>>,
): SearchBackend[] {
  return settings.backends.flatMap((name) => backendOf(name, { settings, env }) ?? []);
}

type BackendName = ToolSettings['web_search']['backends'][number];

function backendOf(
  name: BackendName,
  {
    settings,
    env,
  }: { settings: ToolSettings['web_search']; env: Readonly<Record<string, string | undefined>> },
): SearchBackend | undefined {
  const { searxng_url, brave_key_env, tavily_key_env } = settings;
  switch (name) {
    case 'searxng':
      return searxng_url === undefined ? undefined : searxng(searxng_url);
    case 'brave': {
      const key = env[brave_key_env];
      return key ? brave(key) : undefined;
    }
    case 'tavily': {
      const key = env[tavily_key_env];
      return key ? tavily(key) : undefined;
    }
    case 'duckduckgo':
      return duckduckgo();
  }
}

function searxng(address: string): SearchBackend {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);
  return backend('searxng', base, {
    // The person named it, wherever it is.
    privateHosts: [base.host],
    call: (query) => ({ url: withQuery(new URL('search', base), { q: query, format: 'json' }) }),
    read: (text) => hitsOf(JSON.parse(text), ['results'], 'content'),
  });
}

export function brave(
  key: string,
  address = 'https://api.search.brave.com/res/v1/web/search',
): SearchBackend {
  const base = new URL(address);
  return backend('brave', base, {
    call: (query, limit) => ({
      url: withQuery(new URL(base), { q: query, count: String(limit) }),
      headers: { 'x-subscription-token': key, accept: 'application/json' },
    }),
    read: (text) => hitsOf(JSON.parse(text), ['web', 'results'], 'description'),
  });
}

export function tavily(key: string, address = 'https://api.tavily.com/search'): SearchBackend {
  const base = new URL(address);
  return backend('tavily', base, {
    call: (query, limit) => ({
      url: base,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: limit }),
    }),
    read: (text) => hitsOf(JSON.parse(text), ['results'], 'content'),
  });
}

export function duckduckgo(address = 'https://html.duckduckgo.com/html/'): SearchBackend {
  const base = new URL(address);
  return backend('duckduckgo', base, {
    call: (query) => ({
      url: withQuery(new URL(base), { q: query }),
      headers: { 'user-agent': 'Mozilla/5.0 (llmcode)' },
    }),
    read: async (text) => {
      const { readResultPage } = await import('./read-result-page.ts');
      return readResultPage(text);
    },
  });
}

type Dialect = {
  privateHosts?: readonly string[];
  call(query: string, limit: number): Call;
  /** undefined = that is no answer. */
  read(text: string): SearchHit[] | undefined | Promise<SearchHit[] | undefined>;
};

function backend(name: string, base: URL, { privateHosts = [], call, read }: Dialect): SearchBackend {
  return {
    name,
    host: base.hostname,
    async search(query, { limit, signal, env }) {
      const response = await webRequest({
        ...call(query, limit),
        signal,
        env,
        timeoutMs,
        maxBytes,
        privateHosts,
      });
      if (response.kind === 'problem') return response;
      if (response.status !== 200)
        return problem(`http_${response.status}`, `${name} answered with status ${response.status}.`);
      try {
        const hits = await read(response.body.toString('utf8'));
        return (
          hits?.slice(0, limit) ?? problem('no_answer', `${name} sent something that is no list of results.`)
        );
      } catch {
        return problem('no_answer', `${name} sent something that cannot be read.`);
      }
    },
  };
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function hitsOf(answer: unknown, way: readonly string[], snippet: string): SearchHit[] | undefined {
  const list = way.reduce((value, key) => fieldOf(value, key), answer);
  if (!Array.isArray(list)) return way.length > 1 && typeof answer === 'object' ? [] : undefined;
  return list.flatMap((entry) => {
    const url = fieldOf(entry, 'url');
    if (typeof url !== 'string') return [];
    return [{ url, title: textOf(fieldOf(entry, 'title')), snippet: textOf(fieldOf(entry, snippet)) }];
  });
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/<\/?\w+>/g, '') : '';
}

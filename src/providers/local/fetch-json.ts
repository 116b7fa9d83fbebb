import type { JsonValue } from '#protocol/json.ts';
import { parseJson } from '../wire/json.ts';

const maxBody = 4_000_000;

/** The server answered, but not with what was asked for. */
export class HttpStatusError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(url: string, { status, body }: { status: number; body: string }) {
    super(`${url} answered ${status}`);
    this.name = 'HttpStatusError';
    this.status = status;
    this.body = body;
  }
}

type JsonRequest = {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** The way to the network. */
  network: typeof fetch;
  /** Sent as a POST. */
  body?: JsonValue;
};

/** Small side requests: model lists and facts. Rejects on anything but JSON with status 200. */
export async function fetchJson(
  url: string,
  { signal, headers = {}, network, body }: JsonRequest,
): Promise<JsonValue> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await network(url, {
    ...post,
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
  });
  const text = (await response.text()).slice(0, maxBody);
  const value = parseJson(text);
  if (response.status !== 200 || value === undefined) {
    throw new HttpStatusError(url, { status: response.status, body: text.slice(0, 1_000) });
  }
  return value;
}

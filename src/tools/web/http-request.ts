import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { systemClock } from '#lib/clock.ts';
import { errnoOf, errorText } from '#lib/errors.ts';
import { addressesOf, type HostAddresses } from '#lib/host-addresses.ts';
import { isPublicAddress } from '#lib/public-address.ts';
import { unpacked } from '#lib/unpacked.ts';
import { proxyFor } from './proxy-for.ts';
import { untilAborted } from './until-aborted.ts';

export type WebRequest = {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** Sent by POST. */
  body?: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** Of the body once it is unpacked; the rest is not read. */
  maxBytes: number;
  /** Hosts, as `name` or `name:port`, that need not be public. */
  privateHosts: readonly string[];
  /** Variables that name a proxy. */
  env: Readonly<Record<string, string>>;
};

export type WebResponse = {
  kind: 'response';
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The body was longer. */
  isCut: boolean;
};

export type WebProblem = { kind: 'problem'; code: string; text: string };

/**
 * One request, redirects not followed. The name is resolved once, and the connection goes to the very address that was
 * found public: a name that means something else a moment later leads nowhere. Never rejects.
 */
export async function webRequest(request: WebRequest): Promise<WebResponse | WebProblem> {
  const stop = new AbortController();
  let isLate = false;
  const cancel = systemClock.after(request.timeoutMs, () => {
    isLate = true;
    stop.abort();
  });
  const signal = AbortSignal.any([request.signal, stop.signal]);
  try {
    const place = await untilAborted(placeOf(request), signal);
    if ('kind' in place) return place;
    return await send({ ...request, signal }, place);
  } catch (error) {
    if (isLate)
      return problem(
        'timeout',
        `${request.url.host} did not answer in ${Math.round(request.timeoutMs / 1000)} seconds.`,
      );
    if (request.signal.aborted) return problem('aborted', 'It was interrupted.');
    return problem('unreachable', `${request.url.host} could not be reached: ${reasonOf(error)}`);
  } finally {
    cancel();
    stop.abort();
  }
}

type Place = Pick<RequestOptions, 'agent' | 'lookup'> & { isAllowed(address: string): boolean };

/** Where to connect, or why not. Through a proxy only what our own resolver says can be checked. */
async function placeOf({ url, privateHosts, env }: WebRequest): Promise<Place | WebProblem> {
  const mayBePrivate = privateHosts.some((known) => known === url.host || known === url.hostname);
  const proxy = mayBePrivate ? undefined : proxyFor(url, env);
  let found: HostAddresses;
  try {
    found = await addressesOf(url.hostname);
  } catch (error) {
    if (proxy) return { agent: proxy, isAllowed: () => true };
    throw error;
  }
  const { addresses, inside } = found;
  if (inside !== undefined && !mayBePrivate)
    return problem(
      'private_address',
      `${url.hostname} is ${inside}, an address of this machine or its network, which is not fetched. If it is meant, the person can add ${url.host} to web_fetch.private_hosts, or use bash.`,
    );
  if (proxy) return { agent: proxy, isAllowed: () => true };
  const known = addresses.map(({ address }) => address);
  const fixed: LookupFunction = (_name, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
  const Agent = url.protocol === 'https:' ? https.Agent : http.Agent;
  return {
    agent: new Agent({ keepAlive: false }),
    lookup: fixed,
    isAllowed: (address) => mayBePrivate || known.includes(address) || isPublicAddress(address),
  };
}

function send(request: WebRequest, { isAllowed, ...place }: Place): Promise<WebResponse | WebProblem> {
  const { url, headers, body, signal, maxBytes } = request;
  const { request: open } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      ...place,
      method: body === undefined ? 'GET' : 'POST',
      signal,
      headers: {
        'accept-encoding': 'gzip, deflate, br',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('socket', (socket) => {
      socket.once('connect', () => {
        const address = socket.remoteAddress;
        if (address !== undefined && !isAllowed(address))
          outgoing.destroy(new Error(`it led to the address ${address}`));
      });
    });
    outgoing.on('response', (incoming) => {
      readBody(incoming, maxBytes)
        .then(({ bytes, isCut }) => {
          const { statusCode = 0, headers: received } = incoming;
          resolve({ kind: 'response', status: statusCode, headers: received, body: bytes, isCut });
        })
        .catch(reject)
        .finally(() => outgoing.destroy());
    });
    outgoing.end(body);
  });
}

async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(incoming)) {
    const bytes = chunk as Buffer;
    const room = maxBytes - length;
    chunks.push(bytes.subarray(0, room));
    length += bytes.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

export function problem(code: string, text: string): WebProblem {
  return { kind: 'problem', code, text };
}

function reasonOf(error: unknown): string {
  switch (errnoOf(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'there is no such name.';
    case 'ECONNREFUSED':
      return 'nothing listens there.';
    case 'ECONNRESET':
      return 'it closed the connection.';
    default:
      return `${errorText(error)}.`;
  }
}

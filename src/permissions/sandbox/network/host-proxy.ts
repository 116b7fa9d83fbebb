import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorText } from '#lib/errors.ts';
import { addressesOf, type HostAddresses } from '#lib/host-addresses.ts';
import { log } from '#lib/log.ts';
import { proxyUrl } from '#lib/proxy-url.ts';
import { isHostListed } from './host-list.ts';

export type HostProxyOptions = {
  /** Patterns of hosts that may be reached. */
  allowed: readonly string[];
  /** Hosts, as `name` or `name:port`, that need not be public. */
  privateHosts: readonly string[];
  /** Variables that name the proxy which our own requests go through. */
  env: Readonly<Record<string, string | undefined>>;
};

/** `name:port`; `inside` is its address where that is what stood against it. */
export type RefusedHost = { name: string; inside?: string };

export type HostProxy = {
  /** What it refused, in the order of the first try. */
  refused(): readonly RefusedHost[];
  close(): void;
};

/** Connections of one command at the same time. */
const maxConnections = 256;

/**
 * An HTTP proxy that leads only to allowed hosts, and by CONNECT to any port of them unless the pattern names one.
 * What is said inside of TLS is not looked at. Listens on a socket file, or on a port of this machine for `0`.
 */
export async function openHostProxy(
  at: string | 0,
  options: HostProxyOptions,
): Promise<HostProxy & { port: number | undefined }> {
  const refused = new Map<string, RefusedHost>();
  const open = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const refuse = (host: RefusedHost) => {
    if (!refused.has(host.name)) log('the sandbox refused a host:', host.name, host.inside ?? 'not listed');
    refused.set(host.name, host);
  };
  const server = createServer((incoming, response) => {
    forward(incoming, response, { options, refuse }).catch((error: unknown) => fail(response, 502, error));
  });
  server.maxConnections = maxConnections;
  server.on('connection', keep);
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(incoming.url ?? '', { options, refuse }).then(
      (target) => {
        if (typeof target === 'string') {
          socket.end(answer(403, 'Not allowed by the sandbox', target));
          return;
        }
        keep(target);
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.write(head);
        target.pipe(socket);
        socket.pipe(target);
        socket.once('close', () => target.destroy());
        target.once('close', () => socket.destroy());
      },
      (error: unknown) => socket.end(answer(502, 'Not reached', errorText(error))),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (at === 0) server.listen(0, '127.0.0.1', resolve);
    else server.listen(at, resolve);
  });
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    refused: () => [...refused.values()],
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

type Rules = {
  options: HostProxyOptions;
  refuse(host: RefusedHost): void;
};

/** Where a connection may go, or why it may not. */
async function mayReach(
  host: string,
  port: number,
  { options: { allowed, privateHosts, env }, refuse }: Rules,
): Promise<string | { lookup?: LookupFunction }> {
  const name = `${host}:${port}`;
  if (!isHostListed(host, port, allowed)) {
    refuse({ name });
    return notListed(host);
  }
  const url = new URL(`${port === 443 ? 'https' : 'http'}://${name}`);
  let found: HostAddresses;
  try {
    found = await addressesOf(host);
  } catch (error) {
    // Behind a proxy this machine need not know any name.
    if (proxyUrl(url, env) !== undefined) return {};
    throw error;
  }
  const { addresses, inside } = found;
  const mayBePrivate = privateHosts.some((known) => known === host || known === name);
  if (inside !== undefined && !mayBePrivate) {
    refuse({ name, inside });
    return notPublic(host, inside);
  }
  return {
    lookup: (_name, { all }, callback) => {
      const [first] = addresses;
      if (all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    },
  };
}

function notListed(host: string): string {
  return `The sandbox lets commands reach only some hosts, and ${host} is not among them. Do not try to get around it. The person can add it to sandbox.network.allow.`;
}

function notPublic(host: string, address: string): string {
  return `${host} is ${address}, an address of this machine or its network, which commands in the sandbox do not reach. If it is meant, the person can add it to web_fetch.private_hosts.`;
}

async function tunnel(target: string, rules: Rules): Promise<string | Socket> {
  const url = URL.parse(`https://${target}`);
  if (url?.pathname !== '/') return 'This is no host with a port.';
  const { hostname } = url;
  const port = Number(url.port || 443);
  const reach = await mayReach(hostname, port, rules);
  if (typeof reach === 'string') return reach;
  const above = proxyUrl(url, rules.options.env);
  if (above !== undefined) return throughProxy(new URL(above), `${hostname}:${port}`);
  const socket = connect({ host: withoutBrackets(hostname), port, ...reach });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

/** The connection that our own requests would have too: its proxy resolves the name once more. */
function throughProxy(proxy: URL, target: string): Promise<Socket> {
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { host: target, ...credentialsFor(proxy) };
  const outgoing = send({ ...placeOf(proxy), method: 'CONNECT', path: target, headers, agent: false });
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else reject(new Error(`The proxy of this machine answered ${statusCode}.`));
    });
    outgoing.end();
  });
}

/** A plain request. The host that the server is told is the one that was judged. */
async function forward(incoming: IncomingMessage, response: ServerResponse, rules: Rules): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  if (url?.protocol !== 'http:') {
    fail(response, 400, new Error('This is a proxy: it takes whole addresses.'));
    return;
  }
  const reach = await mayReach(url.hostname, Number(url.port || 80), rules);
  if (typeof reach === 'string') {
    fail(response, 403, new Error(reach));
    return;
  }
  const { 'proxy-authorization': _own, 'proxy-connection': _kept, ...headers } = incoming.headers;
  const above = URL.parse(proxyUrl(url, rules.options.env) ?? '');
  const send = above?.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send({
    ...(above ? placeOf(above) : { ...placeOf(url), ...reach }),
    path: above ? url.href : `${url.pathname}${url.search}`,
    method: incoming.method,
    headers: { ...headers, ...(above ? credentialsFor(above) : {}), host: url.host, connection: 'close' },
    agent: false,
  });
  outgoing.on('error', (error) => fail(response, 502, error));
  outgoing.on('response', (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
  });
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function placeOf({ protocol, hostname, port }: URL): { host: string; port: number } {
  return { host: withoutBrackets(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

function credentialsFor({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function fail(response: ServerResponse, status: number, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${errorText(error)}\n`);
}

function answer(status: number, title: string, text: string): string {
  const body = `${text}\n`;
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} ${title}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

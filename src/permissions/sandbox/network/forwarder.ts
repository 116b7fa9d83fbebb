/** A port of its own network that a command finds the proxy on; one that programs do not choose. */
const port = 41_877;

/** Hands each connection on to the socket file, which reaches out of a network without doors. */
const script = `const { connect, createServer } = require('node:net');
createServer({ allowHalfOpen: true }, (from) => {
  const to = connect({ path: process.argv[1], allowHalfOpen: true });
  from.on('error', () => to.destroy()).pipe(to);
  to.on('error', () => from.destroy()).pipe(from);
}).listen(${port}, '127.0.0.1', () => process.stdout.write('ready\\n'));`;

/** What runs beside a command in its sandbox; Node can be read there, so nothing need be installed. */
export function forwarder(socketFile: string): string[] {
  return ['/usr/bin/env', '-i', process.execPath, '-e', script, socketFile];
}

/** Variables that lead programs to the proxy. */
export function proxyVariables(atPort: number = port): Record<string, string> {
  const proxy = `http://127.0.0.1:${atPort}`;
  const env: Record<string, string> = { NODE_USE_ENV_PROXY: '1' };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
    for (const spelt of [name, name.toLowerCase()]) env[spelt] = proxy;
  for (const name of ['NO_PROXY', 'no_proxy']) env[name] = 'localhost,127.0.0.1,::1';
  return env;
}

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSandboxProgram } from '#permissions/sandbox/find-program.ts';
import { isHostListed } from '#permissions/sandbox/network/host-list.ts';
import { permissionSettings } from '#permissions/settings.ts';
import { confinedPlace, runConfined } from '../../support/engine/confined-thread.ts';

const program = await findSandboxProgram();
const where = program.kind === 'none' ? `skipped: ${program.why}` : program.kind;

/** Asks the proxy of its variables for a page, plainly or by CONNECT, as other clients do. */
const client = `import http from 'node:http';
const [, , how, to] = process.argv;
const { hostname, port } = new URL(process.env.HTTPS_PROXY);
const say = (answer) => answer.setEncoding('utf8').on('data', (text) => process.stdout.write(text.trim() + '\\n'));
const target = new URL(to);
const options = { hostname, port, agent: false };
const fail = (error) => { console.log(error.code); process.exit(1); };
if (how === 'plain') http.get({ ...options, path: to, headers: { host: 'other.example' } }, say).on('error', fail);
else http.request({ ...options, method: 'CONNECT', path: target.host }).on('connect', (answer, socket) => {
  if (answer.statusCode !== 200) { console.log(answer.statusCode, answer.statusMessage); socket.destroy(); process.exit(1); }
  http.get({ path: target.pathname, createConnection: () => socket, headers: { host: target.host } }, say);
}).on('error', fail).end();
`;

async function webServer(): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end('REACHED');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { host: `localhost:${typeof address === 'object' ? address?.port : 0}`, asked };
}

async function clientPlace() {
  const place = await confinedPlace();
  writeFileSync(path.join(place.cwd, 'client.mjs'), client);
  return place;
}

describe.skipIf(program.kind !== 'bubblewrap')(`allowed hosts (${where})`, () => {
  test('are reached through the proxy, plainly and by CONNECT, and nothing else is', async () => {
    const { host, asked } = await webServer();
    const place = await clientPlace();
    const port = host.split(':')[1];
    const { results } = await runConfined(
      place,
      [
        `node client.mjs plain http://${host}/one && node client.mjs tunnel http://${host}/two`,
        `node client.mjs plain http://other.example/; node client.mjs tunnel http://127.0.0.1:${port}/`,
        `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", (e) => { console.log(e.code); })'`,
        { command: `node client.mjs tunnel http://${host}/terminal`, pty: true },
      ],
      { sandbox: { network: { allow: [host] } }, options: { privateHosts: () => [host] } },
    );
    const [allowed, refused, straight, terminal] = await results();
    expect(allowed?.text).toBe('REACHED\nREACHED');
    expect(refused?.text).toContain('other.example is not among them');
    expect(refused?.text).toContain('403 Not allowed by the sandbox');
    expect(refused?.text).toContain(`refused other.example:80, 127.0.0.1:${port}`);
    expect(refused?.text).toContain('sandbox.network.allow');
    expect(refused?.result).toMatchObject({
      code: 'sandbox',
      summary: expect.stringContaining('other.example:80'),
    });
    expect(straight?.text).toContain('ECONNREFUSED');
    expect(terminal?.text).toContain('REACHED');
    // The server is told the host that was judged.
    expect(asked).toEqual([`${host}/one`, `${host}/two`, `${host}/terminal`]);
  });

  test('must be public, as for web_fetch, and those that a person allowed with the command come to them', async () => {
    const { host, asked } = await webServer();
    const place = await clientPlace();
    const commands = [
      `node client.mjs plain http://${host}/`,
      `node client.mjs plain http://169.254.169.254/`,
    ];
    const sandbox = { network: { allow: ['*'] } };
    const [own, cloud] = await (await runConfined(place, commands, { sandbox })).results();
    expect(own?.text).toContain('an address of this machine or its network');
    expect(cloud?.text).toContain('169.254.169.254 is 169.254.169.254, an address of this machine');
    expect(asked).toEqual([]);
    const grant = { isGranted: true, needsOutside: false, hosts: ['localhost'] };
    const named = await runConfined(place, commands.slice(0, 1), {
      ...{ grant, sandbox: { network: { allow: [] } } },
      options: { privateHosts: () => [host] },
    });
    expect((await named.results())[0]?.text).toBe('REACHED');
  });
});

test('patterns of hosts: a name, all below it, a port, all', () => {
  const fits = (host: string, port: number, ...patterns: string[]) => isHostListed(host, port, patterns);
  expect(fits('Registry.NPMjs.org.', 443, 'registry.npmjs.org')).toBe(true);
  expect(fits('evil-npmjs.org', 443, '*.npmjs.org')).toBe(false);
  expect(fits('a.b.npmjs.org', 443, '*.npmjs.org')).toBe(true);
  expect(fits('npmjs.org', 443, '*.npmjs.org')).toBe(false);
  expect(fits('npmjs.org', 22, 'npmjs.org:443')).toBe(false);
  expect(fits('[::1]', 80, '[::1]:80')).toBe(true);
  expect(fits('any.example', 80, '*')).toBe(true);
  for (const wrong of ['https://x.org', 'x.org/path', '*x.org', 'a.*.org', ''])
    expect([
      wrong,
      permissionSettings.safeParse({ sandbox: { network: { allow: [wrong] } } }).success,
    ]).toEqual([wrong, false]);
});

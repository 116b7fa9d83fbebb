import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '#lib/public-address.ts';
import type { ToolResult } from '#protocol/message.ts';
import { createTools } from '#tools/index.ts';
import { toolSettings } from '#tools/settings.ts';
import { brave, duckduckgo, tavily } from '#tools/web/search-backends.ts';
import { webSearch } from '#tools/web-search.ts';
import { textOf, toolBench } from './tool-bench.ts';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

async function serve(handler: Handler): Promise<string> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetchTool(privateHosts: readonly string[]) {
  const settings = toolSettings.parse({ web_fetch: { private_hosts: privateHosts } });
  const tool = createTools({ settings, env: {} }).find(({ name }) => name === 'web_fetch');
  if (!tool) throw new Error('no web_fetch');
  const { ctx } = toolBench();
  return (input: unknown, more: object = {}): Promise<ToolResult> =>
    tool.run(tool.input.parse(input), { ...ctx, ...more });
}

const send = (type: string, body: string | Buffer, headers: http.OutgoingHttpHeaders = {}): Handler => {
  return (_request, response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body);
};

const article = `<!doctype html><html><head><title>The page</title><script>var secret = 1;</script></head><body>
<nav><a href="/home">Home</a></nav><article><h1>Heading</h1><p>${'A sentence of the article. '.repeat(20)}</p>
<p>See <a href="/more#x">more</a>.</p><pre><code>let a = 1;</code></pre>
<table><tr><th>Name</th><th>Size</th></tr><tr><td>one</td><td>1 | 2</td></tr></table>
<p>${'Another sentence. '.repeat(20)}</p></article><footer>Imprint</footer></body></html>`;

describe('web_fetch', () => {
  test('gives the article of a page as Markdown, marked as not to be trusted', async () => {
    const host = await serve(
      send('text/html; charset=utf-8', gzipSync(article), { 'content-encoding': 'gzip' }),
    );
    const result = await fetchTool([host])({ url: `http://${host}/a`, prompt: 'sizes' });
    const text = textOf(result);
    expect(text).toMatch(/^\[From http:\/\/127.*written by strangers/);
    expect(text).toContain('<web-content id="CALL1">');
    expect(text).toContain('Title: The page');
    expect(text).toContain(`[more](http://${host}/more#x)`);
    expect(text).toContain('```\nlet a = 1;\n```');
    expect(text).toContain('| Name | Size |\n| --- | --- |\n| one | 1 \\| 2 |');
    expect(text).not.toMatch(/secret|Imprint|Home/);
    expect([result.status, result.view?.kind]).toEqual(['ok', 'markdown']);
  });

  test.each([
    ['application/json', '{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
    ['text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
    ['text/markdown', '# Title', '# Title'],
    ['', '<html><body><p>sniffed</p></body></html>', 'sniffed'],
  ])('reads %s', async (type, body, expected) => {
    const host = await serve(send(type, body));
    expect(textOf(await fetchTool([host])({ url: `http://${host}/` }))).toContain(expected);
  });

  test.each([
    ['application/pdf', '%PDF-1.7', 'PDF'],
    ['image/png', 'x', 'no text but image/png'],
    ['text/plain', 'a\0b', 'no text'],
  ])('refuses %s politely', async (type, body, words) => {
    const host = await serve(send(type, body));
    const result = await fetchTool([host])({ url: `http://${host}/` });
    expect([result.status, result.code]).toEqual(['error', 'not_text']);
    expect(textOf(result)).toContain(words);
  });

  test('of a long page the passages that fit the prompt come first', async () => {
    const filler = Array.from({ length: 200 }, (_, index) => `Filler number ${index}. ${'word '.repeat(40)}`);
    filler[150] = 'The retention period is 90 days.';
    const host = await serve(send('text/plain', filler.join('\n\n')));
    const result = await fetchTool([host])({
      url: host.replace(/^/, 'http://'),
      prompt: 'retention period?',
    });
    const text = textOf(result);
    expect(text.indexOf('90 days')).toBeLessThan(400);
  });

  test.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[64:ff9b::7f00:1]/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
  ])('never connects to %s', async (url) => {
    const result = await fetchTool([])({ url });
    expect([result.status, result.code]).toEqual(['error', 'private_address']);
  });

  test('a redirect into the own network is not followed, one on the same host is', async () => {
    const inside = await serve(send('text/plain', 'secret'));
    const host = await serve((request, response) => {
      const to = {
        '/in': `http://${inside}/`,
        '/same': '/end',
        '/ever': '/ever',
        '/file': 'file:///etc/passwd',
      }[request.url ?? ''];
      if (to) response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('the end');
    });
    const get = fetchTool([host]);
    const [away, same, ever, file] = await Promise.all(
      ['/in', '/same', '/ever', '/file'].map((path) => get({ url: `http://${host}${path}` })),
    );
    expect([away, same, ever, file].map((result) => result?.code)).toEqual([
      'redirected',
      undefined,
      'too_many_redirects',
      'not_fetched',
    ]);
    expect(textOf(same as ToolResult)).toContain('the end');
    expect((await get({ url: `http://${inside}/` })).code).toBe('private_address');
  });

  test('what is too large is cut, what is silent is left, what unpacks to a lot is not unpacked whole', async () => {
    const host = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      if (request.url === '/bomb') response.end(gzipSync(Buffer.alloc(200_000_000, 'a')));
    });
    const get = fetchTool([host]);
    const bomb = await get({ url: `http://${host}/bomb` });
    expect(textOf(bomb)).toContain('[Only the first 5.0 MB were read.]');
    const stop = new AbortController();
    const silent = get({ url: `http://${host}/silent` }, { signal: stop.signal });
    stop.abort();
    expect((await silent).status).toBe('aborted');
  });

  test('an error of the server is told with what it said', async () => {
    const host = await serve((_request, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such thing'),
    );
    const result = await fetchTool([host])({ url: `http://${host}/` });
    expect(result.code).toBe('http_404');
    expect(textOf(result)).toMatch(/do not guess[\s\S]*no such thing/);
  });

  test('hostile HTML neither hangs nor throws', async () => {
    const deep = `${'<div>'.repeat(50_000)}deep`;
    const open = `${'<script '.repeat(20_000)}<p>x`;
    const host = await serve((request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/deep' ? deep : open),
    );
    const get = fetchTool([host]);
    expect(textOf(await get({ url: `http://${host}/deep` }))).toContain('deep');
    expect((await get({ url: `http://${host}/open` })).status).toBe('error');
  });

  test('only web addresses pass, and they are what a rule is about', () => {
    const tool = toolBench().tool('web_fetch');
    const { ctx } = toolBench();
    for (const url of ['file:///etc/passwd', 'ftp://a.b/', 'javascript:alert(1)', '', 'http://user:pw@a.b/'])
      expect(tool.input.safeParse({ url }).success).toBe(false);
    expect(tool.touches({ url: 'Example.COM/x' }, ctx)).toEqual([{ kind: 'host', host: 'example.com' }]);
  });
});

test('public addresses are told from all others', () => {
  const open = ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'];
  const closed = [
    '100.100.100.200',
    '168.63.129.16',
    '192.168.1.1',
    '224.0.0.1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '2002:7f00:1::',
    '::',
    'x',
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(closed.filter(isPublicAddress)).toEqual([]);
});

describe('web_search', () => {
  test('is offered only with a backend that has what it needs', () => {
    const offered = (web_search: object, env = {}) =>
      createTools({ settings: toolSettings.parse({ web_search }), env }).some(
        ({ name }) => name === 'web_search',
      );
    expect([
      offered({}),
      offered({ backends: ['brave'] }),
      offered({ backends: ['searxng'] }),
      offered({ backends: ['brave'] }, { BRAVE_API_KEY: 'k' }),
      offered({ backends: ['duckduckgo'] }),
    ]).toEqual([false, false, false, true, true]);
  });

  test('asks one after the other until one answers, and says which', async () => {
    const seen: string[] = [];
    const host = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url?.startsWith('/search')) {
        const results = [{ title: 'A <b>title</b>', url: 'https://a.example/', content: 'about it' }];
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
      } else response.writeHead(500).end();
    });
    const settings = toolSettings.parse({
      web_search: { backends: ['searxng'], searxng_url: `http://${host}` },
    });
    const tool = createTools({ settings, env: {} }).find(({ name }) => name === 'web_search');
    const { ctx } = toolBench();
    const result = await tool?.run({ query: 'what is it' }, ctx);
    expect(seen).toEqual(['GET /search?q=what+is+it&format=json']);
    expect(textOf(result as ToolResult)).toContain('1. A title\n   https://a.example/\n   about it');
    expect(result?.summary).toBe('1 hit from searxng');
  });

  test('each service is spoken to in its own way', async () => {
    const page =
      '<div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fd.example%2F">D</a><a class="result__snippet">said</a></div>';
    const answers: Record<string, string> = {
      '/brave': JSON.stringify({
        web: { results: [{ title: 'B', url: 'https://b.example/', description: 'x' }] },
      }),
      '/tavily': JSON.stringify({ results: [{ title: 'T', url: 'https://t.example/', content: 'x' }] }),
      '/ddg': page,
      '/robots': '<html><body>Are you a robot?</body></html>',
    };
    const keys: unknown[] = [];
    const host = await serve((request, response) => {
      keys.push(request.headers['x-subscription-token'] ?? request.headers.authorization);
      response.end(answers[new URL(request.url ?? '', 'http://x').pathname]);
    });
    const at = (path: string) => `http://${host}${path}`;
    const signal = new AbortController().signal;
    const backends = [
      brave('k1', at('/brave')),
      tavily('k2', at('/tavily')),
      duckduckgo(at('/ddg')),
      duckduckgo(at('/robots')),
    ];
    // Their addresses are public ones; here they are not, and are refused like any other.
    const refused = await Promise.all(
      backends.map((backend) => backend.search('q', { limit: 5, signal, env: {} })),
    );
    expect(refused.map((answer) => (Array.isArray(answer) ? answer : answer.code))).toEqual(
      backends.map(() => 'private_address'),
    );
    const { ctx } = toolBench();
    const failed = await webSearch(backends).run({ query: 'q' }, ctx);
    expect([failed.code, keys]).toEqual(['search_failed', []]);
  });
});

import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as SocketServer } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../support/e2e/running-program.ts';
import { answers, stageTests } from '../support/e2e/stage.ts';
import { projectRoot } from '../support/source-files.ts';

const stage = stageTests();
const certificate = path.join(projectRoot, 'test/fixtures/tls/cert.pem');
const ask = ['-p', 'hello', '--no-session'];

describe('a model server is reached', () => {
  it('through the proxy of the environment, and one on this machine without it', async () => {
    const { server, repo, home } = await stage.start(answers('Through.', 'Direct.'), {
      settings: (url) => ({
        providers: {
          far: { ...provider, base_url: 'http://models.invalid/v1' },
          local: { ...provider, base_url: url },
        },
        model: 'far/test-model',
      }),
    });
    const asked: string[] = [];
    const proxy = await listening(createServer());
    proxy.on('request', (incoming, outgoing) => {
      asked.push(incoming.url ?? '');
      const { method, headers } = incoming;
      const path = new URL(incoming.url ?? '').pathname;
      const onward = request({ host: '127.0.0.1', port: portOf(server.url), path, method, headers });
      onward.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    const env = { HTTP_PROXY: `http://127.0.0.1:${addressOf(proxy)}` };
    const far = await runProgram(ask, { home, cwd: repo.folder, env });
    expect(far).toMatchObject({ code: 0, stdout: 'Through.\n', stderr: '' });
    expect(asked).toEqual(['http://models.invalid/v1/chat/completions']);
    const near = await runProgram([...ask, '--model', 'local/test-model'], { home, cwd: repo.folder, env });
    expect(near).toMatchObject({ code: 0, stdout: 'Direct.\n' });
    expect(asked).toHaveLength(1);
    expect(server.violations).toEqual([]);
  });

  it('with a certificate that a variable names, and the error says which when it is missing', async () => {
    const { server, repo, home } = await stage.start(answers('One.', 'Two.'));
    const secure = await listening(
      createTlsServer(
        { key: readFileSync(certificate.replace('cert.pem', 'key.pem')), cert: readFileSync(certificate) },
        (socket) => {
          const target = connect(portOf(server.url), '127.0.0.1');
          socket.on('error', () => target.destroy());
          target.on('error', () => socket.destroy());
          target.pipe(socket).pipe(target);
        },
      ),
    );
    const run = (env: Record<string, string>) =>
      runProgram(ask, {
        home,
        cwd: repo.folder,
        env: { ...env, LLMCODE_PROVIDERS__LOCAL__BASE_URL: `https://127.0.0.1:${addressOf(secure)}/v1` },
      });
    expect(await run({ NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({ code: 0, stdout: 'One.\n' });
    expect(await run({ SSL_CERT_FILE: certificate })).toMatchObject({ code: 0, stdout: 'Two.\n' });
    const refused = await run({});
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/secure connection to 127\.0\.0\.1:\d+ failed .*NODE_EXTRA_CA_CERTS/s);
  });
});

const provider = {
  type: 'openai-compatible',
  api_key: 'test-key',
  models: { 'test-model': { context_window: 200_000, output_limit: 8_000, tools: true } },
};

async function listening<T extends Server | SocketServer>(server: T): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stage.onEnd(() => server.close());
  return server;
}

const addressOf = (server: SocketServer) => (server.address() as AddressInfo).port;
const portOf = (url: string) => Number(new URL(url).port);

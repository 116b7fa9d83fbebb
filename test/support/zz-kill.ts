import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startModelServer } from './model-servers/index.ts';
const api = process.argv[2] as 'openai-chat';
const types = { 'openai-chat': 'openai-compatible', 'openai-responses': 'openai', anthropic: 'anthropic', gemini: 'google' } as const;
let ok = 0;
for (let run = 0; run < 5; run++) {
  const dir = mkdtempSync('/tmp/kill9/r');
  const home = path.join(dir, 'home'), ws = path.join(dir, 'ws');
  mkdirSync(home); mkdirSync(ws); writeFileSync(path.join(ws, 'a.txt'), 'hello\n');
  const server = await startModelServer({ api, script: (r, i) => {
    const said = JSON.stringify(r.body);
    if (said.includes('"go on')) return { parts: [{ text: 'On it.' }] };
    return { gapMs: 3, parts: [{ reasoning: 'Thinking about it for a while.' }, { text: `Step ${i} of the way, with words.` }, { call: 'read_file', input: { path: 'a.txt', offset: 1 } }, { call: 'bash', input: { command: `sleep 0.1; echo ${i}` } }, { call: 'write_file', input: { path: `f${i}.txt`, content: 'x' } }] };
  } });
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ model: 't/test-model', providers: { t: { type: types[api], base_url: server.url, api_key: 'k', models: { 'test-model': { context_window: 200000 } } } } }));
  const env = { PATH: process.env.PATH, HOME: dir, LLMCODE_HOME: home };
  const start = (args: string[]) => spawn(process.execPath, ['dist/llmcode.js', ...args, '--cwd', ws], { env, cwd: '/work/main', stdio: ['ignore', 'pipe', 'pipe'] });
  const first = start(['-p', 'start', '--permission-mode', 'auto_accept']);
  let e1 = ''; first.stderr.on('data', (d) => (e1 += d)); first.stdout.on('data', (d) => (e1 += d));
  const started = await Promise.race([server.received(1).then(() => true), new Promise((r) => first.on('exit', () => r(false)))]);
  if (!started) { console.log('did not start', e1.slice(0, 600)); await server.close(); continue; }
  await new Promise((r) => setTimeout(r, 20 + Math.random() * 2500));
  first.kill('SIGKILL');
  await new Promise((r) => first.exitCode !== null || first.signalCode ? r(0) : first.on('exit', r));
  const again = start(['-p', 'go on', '-c', '--output-format', 'json']);
  let out = '', err = '';
  again.stdout.on('data', (d) => (out += d)); again.stderr.on('data', (d) => (err += d));
  const code = await new Promise((r) => again.on('exit', r));
  if (code === 0 && server.violations.length === 0) ok++;
  else console.log(run, code, server.violations, out.slice(0, 500), err.slice(0, 500), dir);
  await server.close();
}
console.log(api, ok, 'of 5');
process.exit(0);

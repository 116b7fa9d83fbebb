import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, truncateSync, symlinkSync } from 'node:fs';
import { it } from 'vitest';
import { llmcodeHome, threadLogs } from '../support/e2e/home.ts';
import { runProgram, launcher } from '../support/e2e/running-program.ts';
import { sampleRepo } from '../support/e2e/sample-repo.ts';
import { startModelServer } from '../support/model-servers/index.ts';
import { sessionEnvironment } from '../support/pty/terminal-session.ts';

it('x', async () => {
  const repo = sampleRepo();
  const server = await startModelServer({ api: 'openai-chat', script: () => ({ parts: [{ text: 'fine' }] }) });
  const cfg = (extra: string) => { const h = llmcodeHome([{ id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' }]); if (extra) writeFileSync(h + '/config.json', extra); return h; };
  const show = async (name: string, args: string[], home: string, cwd = repo.folder, env = {}) => {
    const r = await runProgram(args, { home, cwd, env });
    console.log(name, JSON.stringify(r, null, 1));
  };
  const prov = JSON.stringify({ local: { type: 'openai-compatible', base_url: server.url, models: { 'test-model': {} } } });
  await show('unknown key', ['-p', 'hi'], cfg(`{\n  "model": "local/test-model",\n  "max_stpes": 3,\n "providers": {"local": {"base_ur": "x"}}\n}`));
  await show('type', ['-p', 'hi'], cfg(`{\n  "model": "local/test-model",\n  "max_steps": "three", "permissions": {"mode": "yolo2"}}`));
  await show('syntax', ['-p', 'hi', '--output-format', 'json'], cfg(`{\n  "model": "local/test-model"\n  "max_steps": 3}`));
  await show('notobj', ['-p', 'hi'], cfg(`[1]`));
  const d = cfg(''); rmSync(d + '/config.json'); mkdirSync(d + '/config.json');
  await show('config is dir', ['-p', 'hi'], d);
  await show('cwd nope', ['-p', 'hi', '--cwd', '/nope'], cfg(''));
  await show('cwd file', ['-p', 'hi', '--cwd', repo.file('package.json')], cfg(''));
  await show('home in file', ['-p', 'hi', '-m', 'local/test-model'], repo.file('package.json') + '/home', repo.folder, { LLMCODE_PROVIDERS: prov });
  await show('home in proc', ['-p', 'hi', '-m', 'local/test-model'], '/proc/llmcode', repo.folder, { LLMCODE_PROVIDERS: prov });
  const gone = mkdtempSync('/tmp/e2e-b/gone-');
  for (const a of ['-p hi', '-p hi --cwd /tmp', '--version', 'models --json', 'doctor', 'config explain', 'threads list'])  {
  const h = cfg('');
  mkdirSync(gone, { recursive: true });
  const r = spawnSync('/bin/bash', ['-c', `cd ${gone} && rmdir ${gone} && exec ${process.execPath} ${launcher} ${a} < /dev/null`], { env: sessionEnvironment(h), encoding: 'utf8' });
  console.log('gone', a, r.status, r.stdout.slice(0, 300), r.stderr.slice(0, 800));
  }
  await server.close();
}, 120000);

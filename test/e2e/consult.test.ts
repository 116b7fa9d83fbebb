import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { armedKeyRow } from '../support/e2e/answer-dialog.ts';
import { type FourVendors, refOf, startFourVendors } from '../support/e2e/four-vendors.ts';
import { threadLogs } from '../support/e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../support/e2e/sample-repo.ts';
import { expectSoundLog } from '../support/e2e/sound-log.ts';
import type { ServerScript } from '../support/model-servers/index.ts';
import { TerminalSession } from '../support/pty/terminal-session.ts';
import { projectRoot } from '../support/source-files.ts';

let four: FourVendors;
let repo: SampleRepo;
let scripts: Partial<Record<string, ServerScript>>;
let terminal: TerminalSession | undefined;

beforeEach(async () => {
  scripts = {};
  repo = sampleRepo();
  four = await startFourVendors((vendor) => async (request, index) => {
    const script = scripts[vendor] ?? [];
    if (typeof script === 'function') return script(request, index);
    return script[index] ?? { status: 500, message: 'no step' };
  });
});

afterEach(async () => {
  await terminal?.end();
  terminal = undefined;
  await four.close();
  repo.remove();
});

async function say(screen: TerminalSession, line: string): Promise<void> {
  screen.type(line);
  await screen.waitFor(line.slice(-20));
  screen.press('enter');
}

it('a peer is shown what it gets before it gets it, and answers in a block of its own while the prompt is used', async () => {
  const peer = Promise.withResolvers<void>();
  scripts['local'] = [{ parts: [{ text: 'The main model goes on.' }] }];
  scripts['claude'] = [{ parts: [{ text: 'A queue, says the peer.' }], before: peer.promise }];
  const home = four.newHome();
  terminal = new TerminalSession({
    cwd: repo.folder,
    env: { LLMCODE_HOME: home },
    columns: 80,
    rows: 24,
    keepHome: true,
  });
  const screen = terminal;
  await screen.waitFor(/test-model · local/);
  await say(screen, `/consult ${refOf('claude')} -t arch Is @src/total.mjs right?`);
  await screen.waitFor('y send');
  for (const shown of [
    `send to ${refOf('claude')}?`,
    'with     file src/total.mjs',
    'secrets  none found',
    '<attached-file name="src/total.mjs">',
  ])
    expect(screen.screen()).toContain(shown);
  expect(four.servers.claude.requests).toHaveLength(0);
  await armedKeyRow(screen, 'y send');
  screen.type('y');
  await four.servers.claude.received(1);
  await screen.waitFor(/consulting .*\(arch\).*\/consult stop/);

  await say(screen, 'and you, main model?');
  await screen.waitFor('● The main model goes on.');
  expect(screen.screen()).toContain('consulting');
  screen.press('escape');
  peer.resolve();
  await screen.waitFor(/│ A queue, says the peer\./);
  expect(screen.screen()).toMatch(
    /╭ consult {2}claude\/claude-sonnet-4-5 · arch · round 1 ─+ .* tok · free · \ds/,
  );
  expect(screen.screen()).toMatch(/╰ \/consult reply arch …/);
  await screen.waitFor((text) => !text.includes('consulting'));
  expect(four.violations()).toEqual([]);
  const logs = threadLogs(home);
  expect(logs.map(([header]) => header?.['purpose'] ?? 'own').sort()).toEqual(['consult', 'own']);
  for (const log of logs) expectSoundLog(log);
});

it('the program itself takes 200 KB from a pipe to a peer, byte for byte', async () => {
  scripts['local'] = [{ parts: [{ text: 'Read.' }] }];
  const question = '"q" \'q\' `q` $q \\ ü 😀\t\r\n'.repeat(8_000);
  const child = spawn(
    process.execPath,
    [path.join(projectRoot, 'bin/llmcode.js'), 'consult', 'open', refOf('local'), '-'],
    {
      cwd: repo.folder,
      env: { PATH: process.env['PATH'], HOME: repo.folder, LLMCODE_HOME: four.newHome() },
    },
  );
  let out = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stdin.end(question);
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
  expect(out).toMatch(/^Read\.\n\n\[local\/test-model · thread local-\d{4}-\d{6} · round 1 · /);
  expect(Buffer.byteLength(question)).toBeGreaterThan(200_000);
  const messages: { role: string; content: unknown }[] = four.servers.local.requests[0]?.body.messages ?? [];
  expect(messages.at(-1)).toEqual({ role: 'user', content: question });
});

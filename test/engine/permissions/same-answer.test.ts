import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compose } from '#app/compose.ts';
import { noPause } from '#app/demo/model.ts';
import { type Host, hostOf } from '#app/host.ts';
import { noFileResult } from '#engine/turn/refusal.ts';
import { grantsFile } from '#permissions/grants.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { DecisionReason, PermissionAnswer, PermissionRequest } from '#protocol/permission.ts';
import { parsePermissionMode, permissionModes } from '#protocol/permission-mode.ts';
import { createTools } from '#tools/index.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { callParts, resultText, watch } from '../../support/engine/test-thread.ts';
import { type AnswerStep, type ModelServer, startModelServer } from '../../support/model-servers/index.ts';

type Call = { tool: string; input: { [key: string]: JsonValue } };
type Answer = { decision: 'allow' | 'ask' | 'deny'; reasons: DecisionReason[] };
type Outcome = 'ran' | { asked: DecisionReason[] } | { refused: string; isError: boolean };
type Rules = { allow: string[]; ask: string[]; deny: string[] };

let base: string;
let userHome: string;
let workspace: string;
let outside: string;
let home: string;
let server: ModelServer;
let steps: AnswerStep[] = [];

beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-same-')));
  userHome = path.join(base, 'user');
  workspace = path.join(userHome, 'code', 'project');
  outside = path.join(userHome, 'code', 'other');
  home = path.join(userHome, '.llmcode');
  vi.stubEnv('HOME', userHome);
  const names = [
    'README.md',
    'package.json',
    'src/a.ts',
    '.env',
    '.git/config',
    '.git/hooks/pre-commit',
    'one',
  ];
  for (const name of names) put(path.join(workspace, name), 'text\n');
  put(path.join(outside, 'x.txt'), 'text\n');
  put(path.join(userHome, '.ssh', 'id_rsa'), 'text\n');
  put(path.join(home, 'choices.json'), JSON.stringify({ fullAccess: true }));
  linkSync(path.join(workspace, 'one'), path.join(workspace, 'two'));
  symlinkSync(outside, path.join(workspace, 'link-out'));
  steps = [];
  server = await startModelServer({
    api: 'openai-chat',
    script: () => steps.shift() ?? { parts: [{ text: 'Done.' }] },
  });
  // What is decided is real; what is allowed does nothing.
  for (const tool of createTools()) {
    vi.spyOn(tool, 'run').mockImplementation(async () => ({
      status: 'ok',
      forModel: [{ kind: 'text', text: 'It ran.' }],
    }));
    // A call that could not work is not asked about; whether it may be made is what this is about.
    if (tool.preview) vi.spyOn(tool, 'preview').mockImplementation(async () => undefined);
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server.close();
  rmSync(base, { recursive: true, force: true });
});

test('permissions check and the engine give the same answer for the same call', async () => {
  const seen = { allow: 0, ask: 0, deny: 0 };
  const checks = new Set<string>();
  const sources = new Set<string>();
  const property = fc.asyncProperty(
    situation(),
    async ({ mode, isModeConfigured, rules, moreRoots, calls }) => {
      writeConfigs(rules, {
        ...(isModeConfigured ? { mode } : {}),
        ...(moreRoots ? { additional_directories: [outside] } : {}),
      });
      const told = await checked(calls, isModeConfigured ? [] : ['--mode', mode]);
      const decided = await observed(calls, isModeConfigured ? undefined : mode);
      expect(decided).toEqual(told.map(outcomeOf));
      for (const { decision, reasons } of told) {
        seen[decision] += 1;
        for (const { check, source } of reasons) {
          checks.add(check);
          if (source !== undefined) sources.add(path.relative(base, source));
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
  // It says something only when every kind of decision and every place of rules was among them.
  expect(Math.min(seen.allow, seen.ask, seen.deny)).toBeGreaterThan(40);
  expect(checks.size).toBeGreaterThan(20);
  expect([...sources].toSorted()).toEqual(
    [...Object.values(ruleFiles()).map((file) => path.relative(base, file))].toSorted(),
  );
}, 60_000);

test('what the person allows always is allowed by both from then on', async () => {
  writeConfigs({}, {});
  const calls: Call[] = [
    { tool: 'bash', input: { command: 'npm test' } },
    { tool: 'bash', input: { command: 'git commit -m "a b"' } },
    { tool: 'write_file', input: { path: 'src/new.ts', content: '' } },
    { tool: 'edit_file', input: { path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
    { tool: 'read_file', input: { path: path.join(outside, 'x.txt') } },
  ];
  expect((await checked(calls, [])).map(({ decision }) => decision)).toEqual(calls.map(() => 'ask'));
  const rules: string[] = [];
  await observed(calls, undefined, ({ suggestedRule = '' }) => {
    rules.push(suggestedRule);
    return { kind: 'always', rule: suggestedRule, scope: 'project' };
  });
  expect(rules).toHaveLength(new Set(rules).size);
  const told = await checked(calls, []);
  expect(told.map(({ decision }) => decision)).toEqual(calls.map(() => 'allow'));
  expect(await observed(calls, undefined)).toEqual(told.map(outcomeOf));
});

/** What `llmcode permissions check` says. */
async function checked(calls: readonly Call[], flags: readonly string[]): Promise<Answer[]> {
  const stdin = calls.map((call, id) => `${JSON.stringify({ id, ...call })}\n`).join('');
  const argv = ['permissions', 'check', '--cwd', workspace, ...flags];
  const { code, stdout, stderr } = await runLlmcode(argv, { home, cwd: base, stdin });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const lines = jsonLines(stdout);
  expect(lines.map(({ id }) => id)).toEqual(calls.map((_, id) => id));
  return lines.map(({ decision, reasons }) => ({ decision, reasons }) as Answer);
}

/** What becomes of the calls when a model makes them: each goes the engine's whole way up to the tool itself. */
async function observed(
  calls: readonly Call[],
  mode: string | undefined,
  reply: (request: PermissionRequest) => PermissionAnswer = () => ({ kind: 'reject' }),
): Promise<Outcome[]> {
  const composition = await compose({ host: host(), cwd: workspace, flags: {}, demoPace: noPause });
  const handle = await composition.openThread({
    origin: { kind: 'new' },
    model: { provider: 'local', model: 'test-model' },
    isModelAsked: true,
    mode: parsePermissionMode(mode ?? '') ?? null,
    canAsk: true,
  });
  const thread = watch(handle, workspace);
  const requests = new Map<string, PermissionRequest>();
  const answering = (async () => {
    for await (const event of handle.events()) {
      if (event.kind !== 'permission-request') continue;
      requests.set(event.request.callId, event.request);
      const answer = reply(event.request);
      handle.submit({ kind: 'answer-permission', requestId: event.request.id, answer });
    }
  })();
  try {
    steps = [{ parts: calls.map(({ tool, input }, index) => ({ call: tool, input, id: `call_${index}` })) }];
    await thread.prompt('go');
    expect(server.violations).toEqual([]);
    const parts = callParts(thread.state().messages);
    expect(parts).toHaveLength(calls.length);
    return parts.map((part): Outcome => {
      const request = requests.get(part.callId);
      if (request) return { asked: request.reasons };
      const { status } = part.result ?? {};
      return status === 'ok' ? 'ran' : { refused: resultText(part), isError: status === 'error' };
    });
  } finally {
    await thread.close();
    await answering;
  }
}

/** What must become of a call that was answered so. */
function outcomeOf({ decision, reasons }: Answer): Outcome {
  switch (decision) {
    case 'allow':
      return 'ran';
    case 'ask':
      return { asked: reasons };
    case 'deny': {
      const [first] = reasons;
      if (first?.check === 'invalid-input') return { refused: first.text, isError: true };
      const noFile = noFileResult(reasons)?.forModel[0];
      if (noFile?.kind === 'text') return { refused: noFile.text, isError: true };
      // Two checks may say the same words; the model reads them once.
      const texts = new Set(reasons.map(({ text, rule }) => (rule ? `${text} (rule ${rule})` : text)));
      const why = [...texts].join('; ');
      return { refused: `Not permitted: ${why}. Do not try to get around this.`, isError: false };
    }
  }
}

const places = ['user', 'project', 'local', 'grants', 'claudeUser', 'claudeProject'] as const;
type Place = (typeof places)[number];

function ruleFiles(): Record<Place, string> {
  return {
    user: path.join(home, 'config.json'),
    project: path.join(workspace, '.llmcode', 'config.json'),
    local: path.join(workspace, '.llmcode', 'config.local.json'),
    grants: grantsFile(home, workspace),
    claudeUser: path.join(userHome, '.claude', 'settings.json'),
    claudeProject: path.join(workspace, '.claude', 'settings.json'),
  };
}

function writeConfigs(rules: Partial<Record<Place, Rules>>, permissions: Record<string, unknown>): void {
  for (const [place, file] of Object.entries(ruleFiles()) as [Place, string][]) {
    const own = rules[place] ?? { allow: [], ask: [], deny: [] };
    if (place === 'grants') put(file, JSON.stringify({ schema_version: 1, ...own }));
    else if (place === 'user')
      put(file, JSON.stringify({ ...provider(), permissions: { ...own, ...permissions } }));
    else put(file, JSON.stringify({ permissions: own }));
  }
}

function provider() {
  const models = { 'test-model': { context_window: 200_000, output_limit: 8_000, tools: true } };
  const local = { type: 'openai-compatible', base_url: server.url, api_key: 'test-key', models };
  return { local_servers: false, providers: { local } };
}

function host(): Host {
  const env = { PATH: process.env['PATH'], HOME: userHome, LLMCODE_HOME: home };
  return { ...hostOf([], process), env, cwd: workspace };
}

function put(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const spelledModes = [...permissionModes, 'default', 'acceptEdits', 'auto', 'bypassPermissions'];

function situation() {
  return fc.record({
    mode: fc.constantFrom(...spelledModes),
    isModeConfigured: fc.boolean(),
    rules: fc.record(
      Object.fromEntries(places.map((place) => [place, rulesOf()])) as Record<Place, fc.Arbitrary<Rules>>,
    ),
    moreRoots: fc.boolean(),
    calls: fc.uniqueArray(anyCall(), {
      minLength: 6,
      maxLength: 12,
      selector: (call) => JSON.stringify(call),
    }),
  });
}

function rulesOf(): fc.Arbitrary<Rules> {
  const some = (maxLength: number) => fc.array(fc.constantFrom(...ruleTexts()), { maxLength });
  return fc.record({ allow: some(3), ask: some(1), deny: some(1) });
}

function ruleTexts(): string[] {
  return [
    ...[
      'Bash(npm test)',
      'Bash(npm:*)',
      'Bash(git *)',
      'Bash(rm:*)',
      'Bash(ls:*)',
      'Bash(curl *)',
      'Bash(make)',
    ],
    ...['Bash(npm run build && npm test)', 'Bash(* | sh)', 'Bash(echo:*)', 'Bash(', 'Bash', ''],
    ...['Read(src/**)', 'Read(./.env)', 'Read(~/.ssh/**)', `Read(/${outside}/**)`, 'Read(//etc/**)', 'Read'],
    ...[
      'Edit(src/**)',
      'Edit(*.md)',
      'Edit(/src/a.ts)',
      'Write(new/**)',
      `Edit(/${outside}/**)`,
      'write_file',
    ],
    ...['Grep', 'Glob(**/*.ts)', 'TodoWrite', 'AskUserQuestion', 'WebFetch(domain:example.com)', 'mcp__x__*'],
  ];
}

function anyCall(): fc.Arbitrary<Call> {
  const file = fc.constantFrom(
    ...['README.md', 'src/a.ts', './src/../README.md', 'new/deep/file.ts', '.env', '.git/config', 'two', '.'],
    ...[
      '.git/hooks/pre-commit',
      '.llmcode/config.json',
      '.claude/settings.json',
      'link-out/x.txt',
      '../other/x.txt',
    ],
    ...['~/.ssh/id_rsa', '/etc/passwd', '/usr/include/stdio.h', '/dev/null', 'no\u202ething', 'a\nb'],
    ...[path.join(outside, 'x.txt'), path.join(userHome, '.ssh/id_rsa'), path.join(home, 'config.json')],
  );
  const folder = fc.constantFrom('src', '.', '..', 'link-out', '/etc', outside, userHome);
  const fileCall = (tool: string, input: (file: string) => Call['input']) =>
    file.map((name): Call => ({ tool, input: input(name) }));
  const simple = fc.constantFrom(...commands);
  const joined = fc
    .tuple(simple, fc.constantFrom(' && ', ' | ', '; ', '\n', ' || ', ' & '), simple)
    .map((words) => words.join(''));
  const command = fc.oneof({ weight: 3, arbitrary: simple }, joined);
  return fc.oneof(
    { weight: 6, arbitrary: command.map((text): Call => ({ tool: 'bash', input: { command: text } })) },
    fc.tuple(command, folder).map(([text, cwd]): Call => ({ tool: 'Bash', input: { command: text, cwd } })),
    fileCall('read_file', (name) => ({ path: name })),
    fileCall('Read', (name) => ({ file_path: name, limit: '5' })),
    fileCall('write_file', (name) => ({ path: name, content: 'x' })),
    fileCall('Write', (name) => ({ file_path: name, content: 'x' })),
    fileCall('append_file', (name) => ({ path: name, content: 'x' })),
    fileCall('edit_file', (name) => ({ path: name, old_string: 'a', new_string: 'b' })),
    folder.map((name): Call => ({ tool: 'grep_search', input: { pattern: 'x', path: name } })),
    folder.map((name): Call => ({ tool: 'Grep', input: { pattern: 'x', glob: `${name}/*.ts` } })),
    folder.map((name): Call => ({ tool: 'glob_search', input: { pattern: `${name}/**` } })),
    folder.map((name): Call => ({ tool: 'list_directory', input: { path: name } })),
    fc.constantFrom<Call>(
      { tool: 'todo_write', input: { todos: [] } },
      { tool: 'bash', input: {} },
      { tool: 'read_file', input: { path: 3 } },
      { tool: 'edit_file', input: { path: 'README.md' } },
    ),
  );
}

const commands = [
  ...[
    'ls -la',
    'cat README.md',
    'git status',
    'git log --oneline',
    'git -c core.pager=x log',
    'git push --force',
  ],
  ...['npm test', 'npm run build', 'make', 'node x.js', 'rm -rf dist', 'rm -rf /', 'rm -rf ~', 'sudo ls'],
  ...['echo hi > out.txt', 'echo hi > ../other/x', 'echo hi > .git/hooks/pre-commit', 'echo hi > two'],
  ...[
    'curl https://example.com',
    'cat .env',
    'cat ~/.ssh/id_rsa',
    'cat /etc/passwd',
    'env',
    'date',
    'printf x',
  ],
  ...['find . -name "*.ts"', 'find . -delete', 'find src -exec cat {} +', 'ls | xargs rm', 'grep -r x src'],
  ...[
    'for f in *; do cat "$f"; done',
    'echo $(rm x)',
    'cd .. && ls',
    'sed -i s/a/b/ src/a.ts',
    'sed -n 1p README.md',
  ],
  ...["cat <<'END'\nrm -rf /\nEND", ':(){ :|:& };:', 'eval "$X"', 'if [', 'echo "unclosed', 'ls # rm -rf /'],
  ...[
    'dd if=/dev/zero of=/dev/sda',
    'chmod -R 777 .',
    'git commit -m "a b"',
    'bash -c "rm x"',
    'ls link-out',
  ],
];

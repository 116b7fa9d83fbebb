import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Composition, compose } from '#app/compose.ts';
import { noPause } from '#app/demo/model.ts';
import { runToolCall } from '#engine/turn/tool-call.ts';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { permissionModes } from '#protocol/permission-mode.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { fakeHost, jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';

const started = headlessTests();

type Call = { tool: string; input: JsonValue };

const calls: readonly Call[] = [
  ...[
    'git status',
    'ls src',
    'npm test',
    'rm -rf src',
    'rm -rf /',
    'cat .env',
    'git push --force',
    'echo hi > a.txt',
  ].map((command) => ({ tool: 'bash', input: { command } })),
  ...['src/total.mjs', '../outside.txt', '.git/config', '/etc/passwd'].flatMap((file) => [
    { tool: 'read_file', input: { path: file } },
    { tool: 'write_file', input: { path: file, content: 'x' } },
    { tool: 'Edit', input: { file_path: file, old_string: 'a', new_string: 'b' } },
  ]),
  { tool: 'grep_search', input: { pattern: 'x', path: 'src' } },
  { tool: 'todo_write', input: { todos: [] } },
  { tool: 'bash', input: {} },
];

const rules = [
  'Bash',
  'Bash(npm test)',
  'Bash(git *)',
  'Edit',
  'Edit(src/**)',
  'Read(src/**)',
  'Read(//etc/**)',
  'Write',
];
const someRules = fc.subarray(rules, { maxLength: 3 });

/** What becomes of a call in the engine's own pipeline; the tools do nothing when they run. */
async function inEngine(composition: Composition, { mode, call }: { mode: PermissionMode; call: Call }) {
  const ids = createIdSource();
  let isAsked = false;
  const outcome = await runToolCall(
    {
      // Without a preview: whether an edit can work is another question than whether it may be made.
      tools: composition.tools.map(({ preview: _preview, ...tool }) => ({
        ...tool,
        run: async () => ({ status: 'ok' as const, forModel: [] }),
      })),
      gate: composition.createGate(),
      hooks: composition.createHooks(() => 'test'),
      asker: {
        wait: async () => {
          isAsked = true;
          return { kind: 'answered', answer: { kind: 'reject' } };
        },
        decideAgain: () => undefined,
      },
      mode: () => mode,
      cwd: composition.cwd,
      roots: composition.roots,
      filesDir: path.join(composition.home, 'files'),
      childEnv: {},
      requireRead: false,
      ledger: { seen: () => undefined },
      services: { askPerson: async () => null, setTodos: () => undefined },
      clock: systemClock,
      ids,
      maxResultChars: () => 1_000,
      timeoutMs: 5_000,
      imagesDir: null,
      emit: async () => undefined,
      beforeRun: async () => undefined,
      supervise: () => undefined,
    },
    { messageId: 'm', callId: ids(), ...call },
    { signal: new AbortController().signal },
  );
  if (isAsked) return 'ask';
  return outcome.ran ? 'allow' : 'deny';
}

describe('permissions check', () => {
  it('gives the answer of the engine for every call, mode and set of rules', async () => {
    const { home, cwd } = await started([]);
    const file = path.join(home, 'config.json');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...permissionModes),
        someRules,
        someRules,
        someRules,
        async (mode, allow, ask, deny) => {
          writeFileSync(file, JSON.stringify({ local_servers: false, permissions: { allow, ask, deny } }));
          const stdin = calls.map((call, id) => JSON.stringify({ id, ...call })).join('\n');
          const { stdout } = await runLlmcode(['permissions', 'check', '--mode', mode], { home, cwd, stdin });
          const checked = jsonLines(stdout).map((line) => line['decision']);
          const { host } = fakeHost([], { home, cwd });
          const composition = await compose({ host, cwd, flags: {}, demoPace: noPause });
          const decided = await Promise.all(calls.map((call) => inEngine(composition, { mode, call })));
          expect(checked).toEqual(decided);
        },
      ),
      { numRuns: 20 },
    );
  });
});

import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compose } from '#app/compose.ts';
import { noPause } from '#app/demo/model.ts';
import type { Host } from '#app/host.ts';
import { grantsFile } from '#permissions/grants.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { DecisionReason, PermissionAnswer, PermissionMode } from '#protocol/permission.ts';
import { permissionModes, parsePermissionMode } from '#protocol/permission-mode.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { headlessTests } from '../../support/app/headless.ts';
import { jsonLines, runLlmcode } from '../../support/app/run-llmcode.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import { callParts, openTestThread, resultText } from '../../support/engine/test-thread.ts';
import { text } from '../../support/engine/test-tools.ts';

type Call = { tool: string; input: { [key: string]: JsonValue } };
type Rules = { allow: string[]; ask: string[]; deny: string[] };
type RuleSets = Record<'user' | 'project' | 'grants' | 'claudeUser' | 'claudeProject', Rules>;
type Answer = { decision: 'allow' | 'ask' | 'deny'; reasons: DecisionReason[] };

let base: string;
let workspace: string;
let home: string;
let outside: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-same-')));
  const userHome = path.join(base, 'user');
  vi.stubEnv('HOME', userHome);
  workspace = path.join(userHome, 'code', 'project');
  outside = path.join(userHome, 'code', 'other');
  home = path.join(userHome, '.llmcode');
  const files = ['README.md', 'package.json', 'src/a.ts', '.env', '.git/config', '.git/hooks/pre-commit', 'one'];
  for (const file of files) put(path.join(workspace, file), 'text\n');
  for (const file of [path.join(outside, 'x.txt'), path.join(userHome, '.ssh/id_rsa')]) put(file, 'text\n');
  linkSync(path.join(workspace, 'one'), path.join(workspace, 'two'));
  symlinkSync(outside, path.join(workspace, 'link-out'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const setUpHeadless = headlessTests();

const seen = { allow: 0, ask: 0, deny: 0, checks: new Set<string>(), sources: new Set<string>() };

test('permissions check and the engine give the same answer for the same call', async () => {
  const modes = fc.constantFrom(...permissionModes);
  const spelled = fc.constantFrom('acceptEdits', 'default', 'yolo', 'auto', 'ask');
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        mode: fc.oneof({ weight: 4, arbitrary: modes }, spelled),
        isModeInConfig: fc.boolean(),
        rules: ruleSets(),
        hasMoreRoots: fc.boolean(),
        calls: fc.uniqueArray(anyCall(), { minLength: 6, maxLength: 12, selector: (one) => JSON.stringify(one) }),
      }),
      async ({ mode, isModeInConfig, rules, hasMoreRoots, calls: wanted }) => {
        writeRules(rules, {
          ...(isModeInConfig ? { mode } : {}),
          ...(hasMoreRoots ? { additional_directories: [outside] } : {}),
        });
        const known = parsePermissionMode(mode) ?? 'prompt';
        // The screen asks for `full_access` to be confirmed once; from a file it needs that here too.
        put(path.join(home, 'choices.json'), JSON.stringify({ fullAccess: true }));
        const told = await checked(wanted, isModeInConfig ? [] : ['--mode', mode]);
        const done = await observed(wanted, isModeInConfig ? null : known);
        expect(done).toEqual(told);
        for (const { decision, reasons } of told) {
          seen[decision] += 1;
          for (const { check, source } of reasons) {
            seen.checks.add(check);
            if (source !== undefined) seen.sources.add(path.basename(source));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
  // The property says something only when all kinds of decisions were among them.
  expect(Math.min(seen.allow, seen.ask, seen.deny)).toBeGreaterThan(30);
  expect(seen.checks.size).toBeGreaterThan(15);
  expect([...seen.checks]).toEqual(expect.arrayContaining(['rule-allow', 'rule-ask', 'rule-deny']));
  expect([...seen.sources]).toEqual(
    expect.arrayContaining(['config.json', 'permissions.json', 'settings.json']),
  );
  console.log(seen);
}, 60_000);

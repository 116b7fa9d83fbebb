import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { HookRuns } from '../../../src/hooks/hook-runs.ts';
import { createHookRunner, type HookRunnerOptions } from '../../../src/hooks/run-hooks.ts';
import { hookSettings } from '../../../src/hooks/settings.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { HookEvent, HookOutcome, HookRunner } from '../../../src/protocol/hook.ts';
import type { JsonValue } from '../../../src/protocol/json.ts';

/** A temp folder for each test, and hooks that run in it. */
export function hookBench() {
  let cwd = '';
  let runs = new HookRuns();
  beforeEach(() => {
    runs = new HookRuns();
    cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-hooks-')));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const file = (name: string) => path.join(cwd, name);
  const runner = (
    hooks: unknown,
    env: Record<string, string> = {},
    more: Partial<HookRunnerOptions> = {},
  ): HookRunner =>
    createHookRunner({
      sources: [{ file: 'config.json', ...hookSettings.parse({ hooks }) }],
      runs,
      network: fetch,
      cwd,
      threadId: () => 'thread-1',
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
      clock: systemClock,
      ...more,
    });
  /** Whose the decision is has a test of its own. */
  const fire = async (hooks: unknown, event: HookEvent, signal = new AbortController().signal) => {
    const { deciders: _, ...outcome } = await runner(hooks).fire(event, { signal });
    return outcome;
  };

  return {
    get cwd() {
      return cwd;
    },
    file,
    runs: () => runs.list(),
    runner,
    fire,
    read: (name: string) => readFileSync(file(name), 'utf8'),
    json: (name: string): unknown => JSON.parse(readFileSync(file(name), 'utf8')),
    /** Writes a bash script and returns the command that runs it. */
    script(name: string, text: string): string {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      writeFileSync(file(name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
      return file(name);
    },
  };
}

export function toolBefore(tool: string, input: JsonValue): HookEvent {
  return { event: 'tool-before', callId: 'call-1', tool, input };
}

export function toolAfter(tool: string, status: 'ok' | 'error', output: string): HookEvent {
  const result = { status, forModel: [{ kind: 'text' as const, text: output }] };
  return { event: 'tool-after', callId: 'call-1', tool, input: { path: 'a.ts' }, result };
}

/** Claude's form with one hook. */
export function claude(event: string, hook: object | string, matcher = ''): unknown {
  const entry = typeof hook === 'string' ? { command: hook } : hook;
  return { [event]: [{ matcher, hooks: [{ type: 'command', ...entry }] }] };
}

export const nothing: HookOutcome = { decision: 'continue', notices: [] };

import { existsSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runToolCall } from '#engine/turn/tool-call.ts';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { createPermissionGate } from '#permissions/gate.ts';
import { permissionSettings } from '#permissions/settings.ts';
import type { HookEvent, HookOutcome } from '#protocol/hook.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { DecisionEnd } from '#protocol/permission-gate.ts';
import { createTools } from '#tools/index.ts';
import { hooksThat, tempFolder } from '../../support/engine/test-thread.ts';

type Answers = Partial<Record<HookEvent['event'], Partial<HookOutcome>>>;

/** One `write_file` of `notes.txt` where nobody can be asked, with these rules, mode and hooks. */
async function write(
  answers: Answers,
  { rules = {}, mode = 'prompt' }: { rules?: Record<string, string[]>; mode?: PermissionMode } = {},
) {
  const cwd = await realpath(await tempFolder());
  const hooks = hooksThat((event) => answers[event.event]);
  const gate = createPermissionGate({
    settings: { ...permissionSettings.parse({}) },
    sources: [{ file: 'config.json', origin: 'user', allow: [], ask: [], deny: [], ...rules }],
    cwd,
    roots: [cwd],
    home: path.join(cwd, '..', 'none'),
    userHome: path.join(cwd, '..', 'nobody'),
  });
  const noted: DecisionEnd[] = [];
  gate.note = (_call, end) => noted.push(end);
  const ids = createIdSource();
  const call = {
    messageId: ids(),
    callId: ids(),
    tool: 'write_file',
    input: { path: 'notes.txt', content: 'x' },
  };
  const resources = [{ kind: 'path', path: path.join(cwd, 'notes.txt'), access: 'write' }] as const;
  const alone = gate.decide({ tool: 'write_file', effect: 'write', input: call.input, resources, mode });
  const { result, halt } = await runToolCall(
    {
      tools: createTools(),
      offered: [],
      gate,
      hooks,
      asker: null,
      mode: () => mode,
      cwd,
      roots: [cwd],
      filesDir: path.join(cwd, 'files'),
      childEnv: {},
      requireRead: false,
      ledger: { seen: () => undefined },
      services: {
        askPerson: async () => null,
        setTodos: () => undefined,
        setNotes: () => undefined,
        isSecretFile: () => false,
        recall: { search: async () => ({ finds: [], total: 0 }), fetch: async () => undefined },
      },
      clock: systemClock,
      ids,
      maxResultChars: () => 10_000,
      timeoutMs: 10_000,
      imagesDir: null,
      emit: async () => undefined,
      beforeRun: async () => undefined,
      supervise: () => undefined,
    },
    call,
    { signal: new AbortController().signal },
  );
  const written = (name: string) => existsSync(path.join(cwd, name));
  const content = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
  const fired = hooks.fired.map(({ event }) => event);
  return { rules: alone.decision, result, halt, written, content, fired, noted };
}

const rule = 'Edit(notes.txt)';
const ruleSets = { none: {}, allow: { allow: [rule] }, ask: { ask: [rule] }, deny: { deny: [rule] } };
const modes: PermissionMode[] = ['plan', 'read_only', 'prompt', 'workspace_write', 'full_access'];
const decisions = ['continue', 'allow', 'ask', 'deny', 'halt'] as const;

describe.each(Object.entries(ruleSets))('with a rule to %s', (name, rules) => {
  it.each(modes)('in the mode %s the strictest of rules and hooks decides', async (mode) => {
    for (const before of decisions)
      for (const request of ['continue', 'allow', 'deny'] as const) {
        const end = await write(
          { 'tool-before': { decision: before }, 'permission-request': { decision: request } },
          { rules, mode },
        );
        const label = `${name} ${mode} ${before} ${request}`;
        if (name === 'deny') expect(end.rules, label).toBe('deny');
        const isAsked = before === 'ask' || (end.rules === 'ask' && before !== 'allow');
        const isAllowed = !isAsked || (request === 'allow' && before !== 'ask');
        const runs = end.rules !== 'deny' && before !== 'deny' && before !== 'halt' && isAllowed;
        expect(end.written('notes.txt'), label).toBe(runs);
        expect(end.result.status, label).toBe(runs ? 'ok' : 'denied');
        expect(end.halt === undefined, label).toBe(before !== 'halt');
        expect(end.fired.includes('tool-denied'), label).toBe(!runs);
        expect(end.fired.includes('tool-after'), label).toBe(runs);
      }
  });
});

it.each([
  ['tool-before', 'deny', { decision: 'deny', outcome: 'refused', by: 'hook' }],
  ['tool-before', 'halt', { decision: 'deny', outcome: 'refused', by: 'hook' }],
  ['tool-before', 'allow', { decision: 'ask', outcome: 'allowed', by: 'hook' }],
  ['tool-before', 'ask', { decision: 'ask', outcome: 'refused', by: 'nobody' }],
  ['permission-request', 'deny', { decision: 'ask', outcome: 'refused', by: 'hook' }],
  ['permission-request', 'allow', { decision: 'ask', outcome: 'allowed', by: 'hook' }],
] as const)(
  'of a hook for %s that says %s the log of decisions names the file',
  async (event, decision, end) => {
    const deciders = [{ hook: './check.sh', file: '/home/hooks.json' }];
    const { noted } = await write({ [event]: { decision, reason: 'why', deciders } } as Answers);
    expect(noted).toMatchObject([{ ...end, reasons: expect.anything() }]);
    const check = decision === 'halt' ? 'hook-deny' : `hook-${decision}`;
    expect(noted[0]?.reasons[0]).toEqual({
      check,
      text: 'why',
      hook: './check.sh',
      source: '/home/hooks.json',
    });
  },
);

it.each(['tool-before', 'permission-request'] as const)(
  'an input that a hook for %s changed is judged again',
  async (event) => {
    const other = { path: 'secret.txt', content: 'y' };
    const answers = { [event]: { decision: 'allow', input: other } } as Answers;
    const refused = await write(answers, { rules: { deny: ['Edit(secret.txt)'] } });
    expect(refused.result.status).toBe('denied');
    expect(refused.written('secret.txt') || refused.written('notes.txt')).toBe(false);
    const ran = await write(answers);
    expect([ran.written('notes.txt'), ran.content('secret.txt')]).toEqual([false, 'y']);
    expect(JSON.stringify(ran.result.forModel)).toContain('A hook changed the input');
  },
);

it('what a hook adds after a write reaches the model with the result', async () => {
  const answers: Answers = { 'tool-after': { context: 'notes.txt:1: no newline at the end' } };
  const { result } = await write(answers, { mode: 'workspace_write' });
  expect(result.status).toBe('ok');
  expect(result.forModel.at(-1)).toEqual({ kind: 'text', text: 'notes.txt:1: no newline at the end' });
});

it('a hook can put something else in the place of a result, and the model is told so', async () => {
  const { result } = await write(
    { 'tool-after': { output: 'Written, key hidden.' } },
    { mode: 'full_access' },
  );
  expect(result.forModel).toEqual([
    { kind: 'text', text: 'Written, key hidden.' },
    { kind: 'text', text: 'A hook replaced this result.' },
  ]);
});

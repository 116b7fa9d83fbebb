import { expect, test } from 'vitest';
import { type CommandGrant, type CommandSandbox, sandboxedCode } from '#protocol/sandbox.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { answer, call, calls } from '../../support/engine/scripted-model.ts';
import {
  callParts,
  openGate,
  openTestThread,
  resultText,
  type TestThreadOptions,
} from '../../support/engine/test-thread.ts';
import { pokeTool, text } from '../../support/engine/test-tools.ts';

const blocked = { status: 'error' as const, code: sandboxedCode, summary: 'Read-only file system' };

/** A command that fails in the sandbox and works outside. */
function confinedThread(options: TestThreadOptions = {}) {
  const grants: CommandGrant[] = [];
  const sandbox: CommandSandbox = {
    async placeFor({ grant }) {
      grants.push(grant);
      return {
        kind: 'inside',
        confinement: { argv: [], env: {}, ownsProcesses: false },
        obstacle: () => undefined,
        mayLeave: true,
      };
    },
  };
  const tool: ToolDef = {
    ...pokeTool(),
    effect: 'exec',
    run: async (_input, ctx) => {
      const place = await ctx.placeFor?.(ctx.cwd, { isTerminal: false });
      return place?.kind === 'inside' ? text('it was held', blocked) : text('it ran outside');
    },
  };
  const opened = openTestThread({
    tools: [tool],
    sandbox,
    gate: openGate(() => 'allow'),
    script: [calls(call('poke', { path: 'x' })), answer('Done.')],
    ...options,
  });
  return opened.then((thread) => ({ thread, grants }));
}

test.each([
  ['once' as const, 'it ran outside', 'ok'],
  ['reject' as const, 'it was held', 'error'],
])(
  'a command that the sandbox made fail runs once more outside when the person says %s',
  async (kind, said, status) => {
    const { thread } = await confinedThread();
    const ended = thread.prompt('go');
    const { request } = await thread.next('permission-request');
    expect(request).toMatchObject({ tool: 'poke', reasons: [{ check: 'outside-sandbox' }] });
    expect(request.reasons[0]?.text).toContain('Read-only file system');
    expect(request.suggestedRule).toBeUndefined();
    thread.handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind } });
    await ended;
    const [part] = callParts(thread.state().messages);
    expect([resultText(part), part?.result?.status]).toEqual([said, status]);
  },
);

test('where nobody can be asked the model is told, and it runs no second time', async () => {
  const { thread, grants } = await confinedThread({ canAsk: false });
  await thread.prompt('go');
  expect(resultText(callParts(thread.state().messages)[0])).toBe('it was held');
  expect(grants).toEqual([{ isGranted: false, needsOutside: false }]);
});

test('the permission that a command got reaches the sandbox', async () => {
  const gate = openGate(() => 'allow');
  const grant = { isGranted: true, needsOutside: false };
  const { thread, grants } = await confinedThread({
    canAsk: false,
    gate: { ...gate, decide: (asked) => ({ ...gate.decide(asked), grant }) },
  });
  await thread.prompt('go');
  expect(grants).toEqual([grant]);
});

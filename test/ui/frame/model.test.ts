import { expect, test } from 'vitest';
import { guardMs } from '#ui/dialogs/typing-guard.ts';
import { createFakePort, fakePreflight } from '../../support/ui/fake-port.ts';
import { mountScreen } from '../../support/ui/mounted-screen.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const model = { provider: 'ollama', model: 'qwen3-coder:30b' };
const standIn = { provider: 'ollama', model: 'other-model' };

test('alt+p chooses a model over a draft, which stays, and a card asks before a switch that means something', async () => {
  const chosen: unknown[] = [];
  const port = createFakePort({
    preflight: async (ref) => fakePreflight(ref, { isWorthAsking: true, firstCallUsd: 0.12, images: 2 }),
    chooseModel: async (ref, options) => {
      chosen.push(ref, options);
      return { kind: 'none' };
    },
  });
  const { terminal } = await mountScreen({ port });
  await terminal.shows('qwen3-coder:30b · ollama');
  terminal.type('half a thought');
  await terminal.shows('❯ half a thought');
  terminal.type('\x1bp');
  await terminal.shows('1 of 3');
  terminal.type('ollama/other');
  await terminal.shows('not in the list of its provider');
  terminal.type('\r');
  await terminal.shows('switch to ollama/other');
  expect(terminal.text()).toContain('about $0.12, nothing cached');
  // A key that was on its way answers nothing.
  const isAskedSince = Date.now();
  await waitFor(() => Date.now() - isAskedSince > guardMs);
  terminal.type('\x1b');
  await terminal.shows('not in the list of its provider');
  terminal.type('\x1bp');
  await terminal.shows('❯ half a thought');
  expect(chosen).toEqual([]);
});

test('at 80 cells model, cost and fill are on the screen in every state', async () => {
  const { terminal, port } = await mountScreen();
  const facts = [/qwen3-coder:30b/, /price \?/, /ctx ▓\S+ 34%|ctx 34%|ctx \S+ 34%/];
  const standing = async (mark: string | RegExp) => {
    await terminal.shows(mark);
    for (const fact of facts) await terminal.shows(fact);
  };
  port.handle.emit({ kind: 'model-switched', model, contextWindow: 32_000, price: 'unknown' });
  port.handle.emit({ kind: 'mode-changed', mode: 'workspace_write' });
  port.handle.emit({
    kind: 'message-end',
    messageId: 'none',
    finish: 'stop',
    usage: { input: 10_880, output: 0, cacheRead: null, cacheWrite: null, reasoning: null },
    costUsd: null,
  });
  await standing('? help');
  port.handle.emit({ kind: 'turn-start' }, { kind: 'message-start', messageId: 'm', model });
  port.handle.emit({ kind: 'text-start', messageId: 'm', partId: 't' });
  await standing('writing');
  port.handle.emit(
    { kind: 'text-end', messageId: 'm', part: { kind: 'text', id: 't', text: 'Looking.' } },
    {
      kind: 'tool-call-end',
      messageId: 'm',
      part: { id: 'c', kind: 'tool-call', callId: 'k', tool: 'bash', input: {}, title: 'npm test' },
    },
    { kind: 'tool-run-start', messageId: 'm', callId: 'k' },
  );
  await standing('running npm test');
  terminal.type('\x1bp');
  await standing('type to filter');
  terminal.type('\x1bp');
  port.handle.emit({
    kind: 'retry-wait',
    attempt: 2,
    maxAttempts: 5,
    until: Date.now() + 60_000,
    error: { class: 'rate-limit', retryable: true, message: 'slow', advice: '', status: 429 },
  });
  await standing('429 rate limit');
  port.handle.emit({ kind: 'retry-end' }, { kind: 'compaction-start', automatic: true });
  await standing(/compacting|summari/i);
  port.handle.emit(
    { kind: 'compaction-end' },
    {
      kind: 'permission-request',
      request: {
        id: 'p',
        callId: 'k',
        tool: 'bash',
        input: { command: 'npm test' },
        title: 'npm test',
        cwd: '/work',
        reasons: [{ check: 'test', text: 'a test' }],
      },
    },
  );
  await standing(/allow|once/i);
  port.handle.emit(
    { kind: 'permission-response', requestId: 'p', answer: { kind: 'once' } },
    { kind: 'turn-end', reason: 'done', steps: 1, durationMs: 5 },
    { kind: 'model-switched', model: standIn, contextWindow: 32_000, price: 'unknown', reason: 'fallback' },
  );
  facts[0] = /other-model/;
  await standing('? help');
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldLog, openCalls, settleCrash } from '#engine/thread/fold.ts';
import { readLog } from '#engine/thread/log-reader.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { projectKey } from '#lib/project-key.ts';
import { applyEvent } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { UserAction } from '#protocol/user-action.ts';
import {
  call,
  done,
  modelError,
  requestProblems,
  type ScriptStep,
  say,
  think,
} from '../../support/engine/scripted-model.ts';
import { expectSound } from '../../support/engine/strict-thread.ts';
import { openGate, openTestThread, tempFolder } from '../../support/engine/test-thread.ts';
import { askTool, peekTool, pokeTool, shellTool, text, todoTool } from '../../support/engine/test-tools.ts';

type Piece = 'text' | 'thought' | 'read' | 'write' | 'exec' | 'ask' | 'unknown' | 'bad' | 'todo' | 'retry';
type Ending = 'stop' | 'length' | 'error' | 'nothing' | 'empty';
type Step = { pieces: Piece[]; ending: Ending };

const stepOf: fc.Arbitrary<Step> = fc.record({
  pieces: fc.array(
    fc.constantFrom<Piece>(
      'text',
      'thought',
      'read',
      'read',
      'write',
      'exec',
      'ask',
      'unknown',
      'bad',
      'todo',
      'retry',
    ),
    { maxLength: 5 },
  ),
  ending: fc.constantFrom<Ending>('stop', 'stop', 'stop', 'length', 'error', 'nothing', 'empty'),
});
const disturbance = fc.record({
  /** After this many events. */
  at: fc.integer({ min: 1, max: 90 }),
  what: fc.constantFrom('interrupt', 'interrupt', 'steer', 'queue', 'mode', 'shell', 'compact', 'continue'),
});

let counter = 0;

function partsOf({ pieces, ending }: Step): StepPart[] {
  const parts = ending === 'empty' ? [] : pieces.flatMap(pieceParts);
  switch (ending) {
    case 'empty':
      return done();
    case 'error':
      return [...parts, { kind: 'error', error: modelError() }];
    case 'nothing':
      return parts;
    case 'length':
      return [...parts, ...done('length')];
    case 'stop':
      return [...parts, ...done(pieces.some((piece) => piece !== 'text') ? 'tool-calls' : 'stop')];
  }
}

/** What one piece of a step sends. */
function pieceParts(piece: Piece): StepPart[] {
  counter += 1;
  const path = `f${counter}`;
  switch (piece) {
    case 'text':
      return say('Some words here.');
    case 'thought':
      return think('Hm.');
    case 'read':
      return call('peek', { path }, { vendorCallId: `v${counter % 3}` });
    case 'write':
      return call('poke', { path });
    case 'exec':
      return call('bash', { command: path });
    case 'ask':
      return call('ask_user', { question: 'which?' });
    case 'unknown':
      return call('hologram', {});
    case 'bad':
      return call('peek', {}, { rawInput: '{"path' });
    case 'todo':
      return call('todo_write', { todos: [{ content: path, status: 'pending' }] });
    case 'retry':
      return [
        { kind: 'retry', attempt: 1, maxAttempts: 2, until: 0, error: modelError() },
        { kind: 'attempt' },
      ];
  }
}

const slowTools = () => [
  peekTool({ run: async ({ path }) => pause(1).then(() => text(`saw ${path}`)) }),
  pokeTool({
    run: async ({ path }, { progress }) => {
      progress({ kind: 'text', text: 'half' });
      await pause(1);
      return text(`changed ${path}`);
    },
  }),
  // It does not care about its signal.
  shellTool({ run: async ({ command }) => pause(3).then(() => text(`ran ${command}`)) }),
  askTool(),
  todoTool(),
];

function pause(ticks: number): Promise<void> {
  return new Promise((resolve) => (ticks === 0 ? resolve() : setImmediate(() => resolve(pause(ticks - 1)))));
}

function actionOf(what: string): UserAction {
  switch (what) {
    case 'steer':
    case 'queue':
      return { kind: 'prompt', text: what, images: [], delivery: what };
    case 'mode':
      return { kind: 'set-mode', mode: counter % 2 ? 'plan' : 'auto_accept' };
    case 'shell':
      return { kind: 'shell', command: 'date' };
    case 'compact':
      return { kind: 'compact' };
    case 'continue':
      return { kind: 'continue' };
    default:
      return { kind: 'interrupt' };
  }
}

/** A whole session under disturbance, until it is at rest and closed. */
async function session(steps: Step[], disturbances: { at: number; what: string }[]) {
  const script: ScriptStep[] = steps.map(partsOf);
  const thread = await openTestThread({
    tools: slowTools(),
    gate: openGate(({ tool, mode }) => (tool === 'poke' && mode !== 'auto_accept' ? 'ask' : 'allow')),
    script,
  });
  const { handle } = thread;
  let seen = 0;
  const answering = (async () => {
    for await (const event of handle.events()) {
      seen += 1;
      for (const { at, what } of disturbances) if (at === seen) handle.submit(actionOf(what));
      if (event.kind === 'permission-request')
        handle.submit({ kind: 'answer-permission', requestId: event.request.id, answer: { kind: 'once' } });
      if (event.kind === 'question-request')
        handle.submit({ kind: 'answer-question', requestId: event.request.id, answer: [['a']] });
    }
  })();
  await thread.prompt('begin');
  await pause(5);
  await thread.close();
  await answering;
  return thread;
}

test('whatever is interrupted when: one result per call, one end per turn, and deltas change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepOf, { minLength: 1, maxLength: 6 }),
      fc.array(disturbance, { maxLength: 4 }),
      async (steps, disturbances) => {
        const thread = await session(steps, disturbances);
        expectSound(thread.events);
        for (const request of thread.model.requests) expect(requestProblems(request)).toEqual([]);
        const file = path.join(
          thread.home,
          'threads',
          projectKey(thread.cwd),
          `${thread.handle.threadId}.jsonl`,
        );
        const { header, events } = await readLog(file, { damage: 'reject' });
        const { seq: _logged, ...fromLog } = foldLog({ header, events });
        const { seq: _seen, ...live } = thread.state();
        expect(fromLog).toEqual(live);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
}, 60_000);

/** A log with everything in it. */
async function richLog(): Promise<{ bytes: Buffer; name: string }> {
  const everything: Step = {
    pieces: ['text', 'thought', 'read', 'write', 'exec', 'ask', 'bad'],
    ending: 'stop',
  };
  const thread = await session(
    [everything, { pieces: ['todo', 'read', 'read'], ending: 'stop' }, { pieces: ['text'], ending: 'stop' }],
    [
      { at: 12, what: 'steer' },
      { at: 30, what: 'queue' },
      { at: 40, what: 'shell' },
    ],
  );
  const name = `${thread.handle.threadId}.jsonl`;
  return { bytes: readFileSync(path.join(thread.home, 'threads', projectKey(thread.cwd), name)), name };
}

test('a thread that was killed at any byte of its log loads, and every call has its result', async () => {
  const { bytes, name } = await richLog();
  const folder = await tempFolder();
  const file = path.join(folder, name);
  const headerEnd = bytes.indexOf('\n') + 1;
  for (let length = 0; length <= bytes.length; length += 19) {
    writeFileSync(file, bytes.subarray(0, length));
    if (length < headerEnd) {
      await expect(readLog(file, { damage: 'reject' })).rejects.toSatisfy(LlmcodeError.isInstance);
      continue;
    }
    const { header, events, goodLength } = await readLog(file, { damage: 'reject' });
    expect(goodLength).toBeLessThanOrEqual(length);
    const state = foldLog({ header, events });
    const settled = settleCrash(state).reduce(
      (before, body) =>
        applyEvent(before, {
          ...body,
          threadId: state.threadId,
          turnId: state.turnId,
          seq: before.seq + 1,
          at: 0,
        } as EngineEvent),
      state,
    );
    expect(openCalls(settled)).toEqual([]);
    expect(settled).toMatchObject({
      live: null,
      turnId: null,
      activeRuns: {},
      permissions: [],
      questions: [],
    });
  }
});

test('a thread that was killed at any moment goes on with a valid request', async () => {
  const { bytes, name } = await richLog();
  const home = await tempFolder();
  const folder = path.join(home, 'threads', projectKey(home));
  mkdirSync(folder, { recursive: true });
  const threadId = name.replace('.jsonl', '');
  const start = bytes.indexOf('\n') + 1;
  for (let run = 0; run < 30; run += 1) {
    const length = start + Math.floor(((bytes.length - start) * run) / 29);
    writeFileSync(path.join(folder, name), bytes.subarray(0, length));
    const thread = await openTestThread({
      home,
      origin: { kind: 'resume', threadId },
      script: [say('Fine.').concat(done()), say('Fine.').concat(done())],
    });
    await thread.next('thread-snapshot');
    const end = await thread.prompt('go on');
    expect(end.reason).toBe('done');
    expect(thread.model.problems).toEqual([]);
    await thread.close();
    const { events } = await readLog(path.join(folder, name), { damage: 'reject' });
    expect(events.length).toBeGreaterThan(0);
  }
});

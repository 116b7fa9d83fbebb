import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type OpenThreadOptions, openThread } from '#engine/open-thread.ts';
import { engineSettings } from '#engine/settings.ts';
import { systemClock } from '#lib/clock.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { HookEvent, HookOutcome, HookRunner } from '#protocol/hook.ts';
import type { Message, ToolCallPart } from '#protocol/message.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import type { PermissionCall, PermissionGate } from '#protocol/permission-gate.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { type ScriptedModel, type ScriptStep, scriptedModel, testRef } from './scripted-model.ts';
import { testTools } from './test-tools.ts';

export type TestThread = {
  handle: EngineHandle;
  /** The fold of all events so far. */
  state(): ThreadState;
  events: EngineEvent[];
  /** Resolves with the first event, past or coming, that fits. */
  next<Kind extends EngineEvent['kind']>(
    kind: Kind,
    fits?: (event: Extract<EngineEvent, { kind: Kind }>) => boolean,
  ): Promise<Extract<EngineEvent, { kind: Kind }>>;
  /** Submits a prompt and resolves with the end of the turn that it starts. */
  prompt(text: string): Promise<Extract<EngineEvent, { kind: 'turn-end' }>>;
  /** Resolves when this many turns have ended. */
  turnEnds(count: number): Promise<void>;
  /** Resolves as soon as the state fits. */
  until(fits: (state: ThreadState) => boolean): Promise<void>;
  close(): Promise<void>;
};

export type TestThreadOptions = Partial<OpenThreadOptions> & {
  script?: readonly ScriptStep[];
  model?: OpenThreadOptions['model'];
};

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llmcode-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The real engine with a scripted model, in a folder of its own; closed when the test ends. */
export async function openTestThread(
  options: TestThreadOptions = {},
): Promise<TestThread & { model: ScriptedModel; home: string; cwd: string }> {
  const { script = [], ...given } = options;
  const home = given.home ?? (await tempFolder());
  const cwd = given.cwd ?? home;
  const model = scriptedModel(script);
  const handle = await openThread({
    home,
    cwd,
    roots: [cwd],
    origin: { kind: 'new' },
    persist: true,
    model: testRef,
    mode: 'prompt',
    directory: model.directory,
    tools: testTools(),
    gate: openGate(),
    hooks: hooksThat(() => undefined),
    instructions: [],
    childEnv: {},
    clock: systemClock,
    settings: engineSettings.parse({}),
    canAsk: true,
    version: '0.0.0-test',
    ...given,
  });
  const watched = watch(handle, cwd);
  onTestFinished(() => handle.close());
  return { ...watched, model, home, cwd };
}

export function watch(handle: EngineHandle, cwd = '/ws'): TestThread {
  const events: EngineEvent[] = [];
  let state = emptyThreadState({ threadId: handle.threadId, cwd, mode: 'prompt' });
  let wake = Promise.withResolvers<void>();
  let isOver = false;
  const reading = (async () => {
    for await (const event of handle.events()) {
      events.push(event);
      state = applyEvent(state, event);
      wake.resolve();
      wake = Promise.withResolvers();
    }
    isOver = true;
    wake.resolve();
  })();
  const untilTrue = async (fits: () => boolean) => {
    while (!fits()) {
      if (isOver) throw new Error('The thread was closed before it came to that.');
      await wake.promise;
    }
  };
  const endings = () => events.filter(({ kind }) => kind === 'turn-end').length;
  return {
    handle,
    events,
    state: () => state,
    next: async (kind, fits = () => true) => {
      const found = () =>
        events.find(
          (event): event is Extract<EngineEvent, { kind: typeof kind }> =>
            event.kind === kind && fits(event as Extract<EngineEvent, { kind: typeof kind }>),
        );
      await untilTrue(() => found() !== undefined);
      return found() as Extract<EngineEvent, { kind: typeof kind }>;
    },
    prompt: async (text) => {
      const before = endings();
      handle.submit({ kind: 'prompt', text, images: [], delivery: 'steer' });
      await untilTrue(() => endings() > before);
      return events.findLast((event) => event.kind === 'turn-end') as Extract<
        EngineEvent,
        { kind: 'turn-end' }
      >;
    },
    turnEnds: (count) => untilTrue(() => endings() >= count),
    until: (fits) => untilTrue(() => fits(state)),
    close: async () => {
      await handle.close();
      await reading;
    },
  };
}

/** Everything is allowed, except what `decide` says otherwise. */
export function openGate(
  decide: (call: PermissionCall) => PermissionDecision['decision'] | PermissionDecision | undefined = () =>
    undefined,
): PermissionGate & { rules: { rule: string; scope: string }[] } {
  const rules: { rule: string; scope: string }[] = [];
  return {
    rules,
    decide: (call) => {
      if (rules.some(({ rule }) => rule === `${call.tool}(*)`)) return decision('allow');
      const answer = decide(call) ?? 'allow';
      return typeof answer === 'string' ? decision(answer) : answer;
    },
    allow: async (rule, scope) => {
      rules.push({ rule, scope });
    },
    allowReading: () => undefined,
  };
}

export function decision(kind: PermissionDecision['decision']): PermissionDecision {
  return { decision: kind, reasons: [{ check: `test-${kind}`, text: `the test says ${kind}` }] };
}

export function hooksThat(
  answer: (event: HookEvent) => Partial<HookOutcome> | undefined | Promise<Partial<HookOutcome>>,
): HookRunner & { fired: HookEvent[] } {
  const fired: HookEvent[] = [];
  return {
    fired,
    fire: async (event) => {
      fired.push(event);
      return { decision: 'continue', notices: [], ...(await answer(event)) };
    },
  };
}

export function callParts(messages: readonly Message[]): ToolCallPart[] {
  return messages.flatMap((message) => message.parts).filter((part) => part.kind === 'tool-call');
}

export function resultText(part: ToolCallPart | undefined): string {
  return (part?.result?.forModel ?? [])
    .map((content) => (content.kind === 'text' ? content.text : '[image]'))
    .join('\n');
}

export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

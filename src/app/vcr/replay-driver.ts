import type { Clock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { UserAction } from '#protocol/user-action.ts';
import type { CassetteLine } from '#providers/vcr/cassette.ts';
import type { Pace } from '#providers/vcr/pace.ts';

/** Events that tell how far a session is. Others depend on the machine, e.g. when a model was opened. */
const milestones = new Set<EngineEvent['kind']>([
  'turn-start',
  'turn-end',
  'message-added',
  'message-start',
  'message-end',
  'text-end',
  'reasoning-end',
  'tool-call-end',
  'tool-run-start',
  'tool-run-end',
  'permission-request',
  'permission-response',
  'question-request',
  'question-response',
  'compaction-end',
]);

/** Without any sign of life for this long, what was waited for does not come. Real time, in milliseconds. */
const standstillMs = 2_000;

type Step = {
  action: UserAction;
  at: number /** How far the thread was. */;
  milestones: number;
  gapMs: number;
};

export type ReplayEnd =
  | { kind: 'done' }
  /** The thread did not come as far as it did then. */
  | { kind: 'stuck'; what: string };

/** Does again what the person did in a recorded session, each time when the thread is as far as it was then. */
export class ReplayDriver {
  readonly #handle: EngineHandle;
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #steps: Step[];
  readonly #goal: { milestones: number; turns: number };
  /** Ids in the order in which they were first named, then and now. */
  readonly #idsThen: Ids = { permission: [], question: [], pending: [] };
  readonly #idsNow: Ids = { permission: [], question: [], pending: [] };
  #reached = 0;
  #turns = 0;
  #isTurnOpen = false;
  #isOver = false;
  #signs = 0;
  #wake = Promise.withResolvers<void>();

  constructor(
    handle: EngineHandle,
    { lines, pace, clock }: { lines: readonly CassetteLine[]; pace: Pace; clock: Clock },
  ) {
    this.#handle = handle;
    this.#pace = pace;
    this.#clock = clock;
    const { steps, goal } = this.#plan(lines);
    this.#steps = steps;
    this.#goal = goal;
    pace.setBarrier(steps[0]?.at ?? Number.POSITIVE_INFINITY);
  }

  /** Resolves when everything was done and the thread is at rest. Never rejects. */
  async run(signal: AbortSignal): Promise<ReplayEnd> {
    const stop = () => {
      this.#isOver = true;
      this.#notice();
    };
    signal.addEventListener('abort', stop, { once: true });
    const following = this.#follow().catch((error: unknown) => log('a replay lost its thread:', error));
    void following;
    for (const [index, step] of this.#steps.entries()) {
      if (this.#isOver || signal.aborted) break;
      await this.#until(() => this.#reached >= step.milestones && this.#isKnown(step.action));
      if (this.#isOver) break;
      await this.#pace.wait(step.gapMs, { signal });
      if (!this.#isOver) this.#handle.submit(this.#withIdsOfNow(step.action));
      this.#pace.setBarrier(this.#steps[index + 1]?.at ?? Number.POSITIVE_INFINITY);
    }
    this.#pace.setBarrier(Number.POSITIVE_INFINITY);
    const isDone = await this.#until(() => this.#turns >= this.#goal.turns && !this.#isTurnOpen);
    signal.removeEventListener('abort', stop);
    return isDone
      ? { kind: 'done' }
      : { kind: 'stuck', what: `${this.#turns} of ${this.#goal.turns} turns ended as they did then` };
  }

  #plan(lines: readonly CassetteLine[]): { steps: Step[]; goal: { milestones: number; turns: number } } {
    const steps: Step[] = [];
    let reached = 0;
    let turns = 0;
    let before = lines.find((line) => line.kind === 'session')?.at ?? 0;
    for (const line of lines) {
      if (line.kind === 'action') {
        steps.push({ action: line.action, at: line.at, milestones: reached, gapMs: line.at - before });
        before = line.at;
      }
      if (line.kind !== 'event') continue;
      noteIds(line.event, this.#idsThen);
      if (milestones.has(line.event.kind)) reached += 1;
      if (line.event.kind === 'turn-start') turns += 1;
      before = line.at;
    }
    return { steps, goal: { milestones: reached, turns } };
  }

  async #follow(): Promise<void> {
    try {
      for await (const event of this.#handle.events()) {
        this.#signs += 1;
        noteIds(event, this.#idsNow);
        if (milestones.has(event.kind)) this.#reached += 1;
        if (event.kind === 'turn-start') this.#isTurnOpen = true;
        if (event.kind === 'turn-end') {
          this.#isTurnOpen = false;
          this.#turns += 1;
        }
        this.#notice();
        if (this.#isOver) return;
      }
    } finally {
      this.#isOver = true;
      this.#notice();
    }
  }

  #notice(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  /** False: it came to a standstill before, or the thread was closed. */
  async #until(isTrue: () => boolean): Promise<boolean> {
    while (!isTrue()) {
      if (this.#isOver) return false;
      const signs = this.#signs;
      const limit = new AbortController();
      await Promise.race([this.#wake.promise, this.#clock.wait(standstillMs, { signal: limit.signal })]);
      limit.abort();
      if (!this.#isOver && signs === this.#signs && !this.#pace.isWaiting && !isTrue()) return false;
    }
    return true;
  }

  #isKnown(action: UserAction): boolean {
    const named = idOf(action);
    if (!named) return true;
    const index = this.#idsThen[named.kind].indexOf(named.id);
    return index < 0 || this.#idsNow[named.kind][index] !== undefined;
  }

  #withIdsOfNow(action: UserAction): UserAction {
    const named = idOf(action);
    if (!named) return action;
    const now = this.#idsNow[named.kind][this.#idsThen[named.kind].indexOf(named.id)];
    if (now === undefined) return action;
    return action.kind === 'take-back'
      ? { ...action, pendingId: now }
      : ({ ...action, requestId: now } as UserAction);
  }
}

type Ids = { permission: string[]; question: string[]; pending: string[] };

function idOf(action: UserAction): { kind: keyof Ids; id: string } | undefined {
  switch (action.kind) {
    case 'answer-permission':
      return { kind: 'permission', id: action.requestId };
    case 'answer-question':
      return { kind: 'question', id: action.requestId };
    case 'take-back':
      return { kind: 'pending', id: action.pendingId };
    default:
      return undefined;
  }
}

function noteIds(event: EngineEvent, ids: Ids): void {
  const add = (kind: keyof Ids, id: string) => {
    if (!ids[kind].includes(id)) ids[kind].push(id);
  };
  if (event.kind === 'permission-request') add('permission', event.request.id);
  if (event.kind === 'question-request') add('question', event.request.id);
  if (event.kind === 'pending-changed') for (const { id } of event.pending) add('pending', id);
}

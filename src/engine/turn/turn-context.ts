import type { TurnEndReason } from '#protocol/event.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { LastCall } from '../context/budget.ts';
import type { EventChannel } from './event-channel.ts';
import type { RepeatGuard } from './repeat-guard.ts';
import type { TurnDeps } from './turn-deps.ts';

/** One running turn. The counters bound everything that a turn does again by itself. */
export type TurnContext = {
  deps: TurnDeps;
  channel: EventChannel;
  signal: AbortSignal;
  guard: RepeatGuard;
  steps: number;
  /** Empty answers in a row. */
  empties: number;
  /** Answers in a row that the output limit cut. */
  cuts: number;
  overflows: number;
  /** Answers in a row that broke off after some of their calls had run. */
  losses: number;
  /** The first model that another one took over from in this turn, and how it failed. */
  replaced: { ref: ModelRef; error: ModelError } | undefined;
  /** What the model was told of calls that could not be read, in answers in a row. */
  unreadable: string[];
  /** Times that a hook did not let the turn end. */
  resumedByHook: number;
  last: LastCall | undefined;
};

export type TurnOutcome = { reason: TurnEndReason; text?: string; error?: ModelError };

export async function addNotice(
  { channel, deps }: Pick<TurnContext, 'channel' | 'deps'>,
  level: 'info' | 'warning' | 'error',
  text: string,
): Promise<void> {
  await channel.send({ kind: 'notice-added', notice: { id: deps.ids(), kind: 'notice', level, text } });
}

/** A message of llmcode itself to the model. It is part of the thread, so that the request's prefix stays. */
export async function addNote({ channel, deps }: TurnContext, text: string): Promise<void> {
  const note = `<engine-note>\n${text}\n</engine-note>`;
  await channel.send({
    kind: 'message-added',
    message: {
      id: deps.ids(),
      role: 'user',
      origin: 'engine',
      parts: [{ id: deps.ids(), kind: 'text', text: note }],
      createdAt: deps.clock.now(),
    },
  });
}

import { type Clock, systemClock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { NoticePart } from '#protocol/message.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { EventFollower } from './event-follower.ts';

export type Notice = { level: NoticePart['level']; text: string };

/**
 * The thread as the screen holds it from its first frame on. The thread behind it may still be opening: actions
 * wait in order, events begin when it is there. When it cannot be opened the reason stands on the screen, what
 * the person said is kept, and the next prompt tries again. It also carries notices of the program itself, which
 * are neither logged nor sent to a model.
 */
export class ScreenHandle implements EngineHandle {
  readonly #open: () => Promise<EngineHandle>;
  readonly #placeholder: { cwd: string; mode: PermissionMode };
  readonly #clock: Clock;
  readonly #followers = new Set<EventFollower>();
  #opening: Promise<EngineHandle> | undefined;
  #inner: EngineHandle | undefined;
  #waiting: UserAction[] = [];
  #notices: Notice[] = [];
  #failure: string | undefined;
  #isClosed = false;
  #noticeCount = 0;

  constructor(
    open: () => Promise<EngineHandle>,
    placeholder: { cwd: string; mode: PermissionMode; clock?: Clock },
  ) {
    this.#open = open;
    this.#placeholder = placeholder;
    this.#clock = placeholder.clock ?? systemClock;
  }

  /** Empty until the thread is open. */
  get threadId(): string {
    return this.#inner?.threadId ?? '';
  }

  /** Opens the thread unless that was begun already; rejects with why it cannot be opened. */
  opened(): Promise<EngineHandle> {
    this.#opening ??= this.#start();
    return this.#opening;
  }

  submit(action: UserAction): void {
    if (this.#isClosed) return;
    if (this.#inner) {
      this.#inner.submit(action);
      return;
    }
    this.#waiting.push(action);
    if (this.#failure !== undefined && (action.kind === 'prompt' || action.kind === 'shell')) this.#begin();
  }

  events(sinceSeq?: number): AsyncIterable<EngineEvent> {
    return {
      [Symbol.asyncIterator]: () => {
        const follower = new EventFollower({ onEnd: () => this.#followers.delete(follower) });
        this.#followers.add(follower);
        if (this.#isClosed) follower.end();
        else if (this.#inner) follower.follow(this.#inner.events(sinceSeq));
        else if (this.#failure !== undefined) follower.push(this.#failureSnapshot());
        for (const notice of this.#notices) follower.push(this.#noticeEvent(notice));
        return follower;
      },
    };
  }

  /** Shows a line in the transcript, also one that comes before the thread is open. */
  notify(notice: Notice): void {
    if (this.#followers.size === 0) this.#notices.push(notice);
    for (const follower of this.#followers) follower.push(this.#noticeEvent(notice));
  }

  async close(reason?: 'clear' | 'resume' | 'exit'): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined); // Why it could not be opened was shown.
    await this.#inner?.close(reason);
    for (const follower of [...this.#followers]) follower.end();
  }

  #begin(): void {
    this.opened().catch((error: unknown) => log('the thread could not be opened:', error));
  }

  async #start(): Promise<EngineHandle> {
    try {
      const inner = await this.#open();
      this.#inner = inner;
      this.#failure = undefined;
      for (const follower of this.#followers) follower.follow(inner.events());
      for (const action of this.#waiting.splice(0)) inner.submit(action);
      return inner;
    } catch (error) {
      this.#opening = undefined;
      this.#failure = LlmcodeError.isInstance(error) ? error.message : `internal error: ${errorText(error)}`;
      const snapshot = this.#failureSnapshot();
      for (const follower of this.#followers) follower.push(snapshot);
      throw error;
    }
  }

  #failureSnapshot(): EngineEvent {
    const { cwd, mode } = this.#placeholder;
    const kept = this.#waiting.some((action) => action.kind === 'prompt');
    const advice = kept
      ? 'Your message is kept; it goes out with the next one once this is put right.'
      : 'Put this right and send your message; nothing else has to be started again.';
    const notice = this.#noticeEvent({ level: 'error', text: `${this.#failure}\n${advice}` });
    const state = emptyThreadState({ threadId: '', cwd, mode });
    const message = {
      id: notice.notice.id,
      role: 'notice' as const,
      parts: [notice.notice],
      createdAt: notice.at,
    };
    return { ...stampOf(notice), kind: 'thread-snapshot', state: { ...state, messages: [message] } };
  }

  #noticeEvent(notice: Notice): Extract<EngineEvent, { kind: 'notice-added' }> {
    this.#noticeCount += 1;
    const part: NoticePart = { id: `app-notice-${this.#noticeCount}`, kind: 'notice', ...notice };
    // `seq` is set by the follower: a notice takes no number of the thread's own.
    return {
      kind: 'notice-added',
      threadId: this.threadId,
      turnId: null,
      seq: 0,
      at: this.#clock.now(),
      notice: part,
    };
  }
}

function stampOf({ threadId, turnId, seq, at }: EngineEvent) {
  return { threadId, turnId, seq, at };
}

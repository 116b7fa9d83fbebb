import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent, EventBody } from '#protocol/event.ts';
import type { FinishReason, ToolResultRecord } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { ToolView } from '#protocol/tool-view.ts';

/** A thread told event by event, as an engine would. */
export class Scene {
  state: ThreadState;
  readonly events: EngineEvent[] = [];
  #next = 1;
  #message = '';
  #listener: ((event: EngineEvent) => void) | undefined;

  constructor(options: { threadId?: string; onEvent?: (event: EngineEvent) => void } = {}) {
    this.state = emptyThreadState({ threadId: options.threadId ?? 'thread', cwd: '/work', mode: 'prompt' });
    this.#listener = options.onEvent;
  }

  send(body: EventBody): this {
    const event = {
      ...body,
      threadId: this.state.threadId,
      turnId: 'turn',
      seq: this.state.seq + 1,
      at: Date.now(),
    } as EngineEvent;
    this.state = applyEvent(this.state, event);
    this.events.push(event);
    this.#listener?.(event);
    return this;
  }

  id(kind: string): string {
    const id = `${kind}${this.#next}`;
    this.#next += 1;
    return id;
  }

  user(text: string, options: { origin?: 'person' | 'steer' | 'shell' | 'engine' } = {}): this {
    const id = this.id('user');
    return this.send({
      kind: 'message-added',
      message: {
        id,
        role: 'user',
        parts: [{ kind: 'text', id: `${id}-text`, text }],
        createdAt: 1_000,
        ...options,
      },
    });
  }

  turn(): this {
    return this.send({ kind: 'turn-start' });
  }

  turnEnd(reason: 'done' | 'aborted' | 'error' = 'done', text?: string): this {
    return this.send({
      kind: 'turn-end',
      reason,
      steps: 1,
      durationMs: 5,
      ...(text === undefined ? {} : { text }),
    });
  }

  begin(): this {
    this.#message = this.id('message');
    return this.send({
      kind: 'message-start',
      messageId: this.#message,
      model: { provider: 'demo', model: 'demo' },
    });
  }

  end(finish: FinishReason = 'stop'): this {
    return this.send({ kind: 'message-end', messageId: this.#message, finish, usage: null, costUsd: null });
  }

  text(text: string): this {
    return this.textStart().delta(text).textEnd(text);
  }

  #part = '';

  textStart(): this {
    this.#part = this.id('part');
    return this.send({ kind: 'text-start', messageId: this.#message, partId: this.#part });
  }

  delta(text: string): this {
    return this.send({ kind: 'text-delta', messageId: this.#message, partId: this.#part, text });
  }

  textEnd(text: string): this {
    return this.send({
      kind: 'text-end',
      messageId: this.#message,
      part: { kind: 'text', id: this.#part, text },
    });
  }

  thought(text: string, durationMs = 8_000): this {
    const id = this.id('part');
    this.send({ kind: 'reasoning-start', messageId: this.#message, partId: id });
    return this.send({
      kind: 'reasoning-end',
      messageId: this.#message,
      part: { kind: 'reasoning', id, text, durationMs },
    });
  }

  /** A call without a result; returns its id. */
  call(tool: string, title: string): string {
    const id = this.id('call');
    this.send({
      kind: 'tool-call-end',
      messageId: this.#message,
      part: { kind: 'tool-call', id, callId: id, tool, input: { title }, title },
    });
    return id;
  }

  run(callId: string): this {
    return this.send({ kind: 'tool-run-start', messageId: this.#message, callId });
  }

  progress(callId: string, view: ToolView): this {
    return this.send({ kind: 'tool-run-progress', messageId: this.#message, callId, view });
  }

  result(callId: string, result: Partial<ToolResultRecord>): this {
    return this.send({
      kind: 'tool-run-end',
      messageId: this.#message,
      callId,
      result: { status: 'ok', forModel: [], durationMs: 20, ...result },
    });
  }

  tool(tool: string, title: string, result: Partial<ToolResultRecord>): this {
    return this.result(this.call(tool, title), result);
  }
}

export function terminal(
  output: string,
  options: Partial<Extract<ToolView, { kind: 'terminal' }>> = {},
): ToolView {
  return {
    kind: 'terminal',
    command: 'cmd',
    output,
    omittedLines: 0,
    exitCode: 0,
    signal: null,
    running: false,
    ...options,
  };
}

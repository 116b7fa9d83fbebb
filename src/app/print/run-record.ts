import { applyEvent } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { FinishReason, Message, ToolCallPart } from '#protocol/message.ts';
import type { ModelError } from '#protocol/model-error.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { claudeToolName } from '#protocol/tool-names.ts';
import type { Usage } from '#protocol/usage.ts';
import { addPeerRound, addUsage, emptyTotals } from '#protocol/usage-totals.ts';
import { claudeInput } from './claude-input.ts';
import type { Denial } from './schemas.ts';

type Totals = typeof emptyTotals;
export type TurnEnd = Extract<EngineEvent, { kind: 'turn-end' }>;

/** What one headless run did, folded from its events; what a resumed thread did before does not count. */
export class RunRecord {
  state: ThreadState | undefined;
  totals: Totals = emptyTotals;
  readonly totalsByModel = new Map<string, { totals: Totals; contextWindow: number | null }>();
  readonly denials: Denial[] = [];
  readonly errors: string[] = [];
  lastError: ModelError | undefined;
  turnEnd: TurnEnd | undefined;
  finish: FinishReason | undefined;
  apiMs = 0;
  steps = 0;
  #firstNewMessage = 0;
  /** Since when the run waits for the model; undefined while tools run. */
  #waitingSince: number | undefined;

  /** Each event once, in order, the snapshot first. */
  add(event: EngineEvent): void {
    if (event.kind === 'thread-snapshot') {
      this.state = event.state;
      this.#firstNewMessage = event.state.messages.length;
      return;
    }
    if (!this.state) return;
    this.state = applyEvent(this.state, event);
    switch (event.kind) {
      case 'turn-start':
        this.turnEnd = undefined;
        this.#waitingSince = event.at;
        break;
      case 'message-end':
        this.#endMessage(event);
        break;
      case 'compaction-end':
        if (event.usage) this.#count(event.model ?? this.state.model, event.usage, event.costUsd ?? null);
        break;
      case 'tool-run-end':
        this.#endRun(event);
        break;
      case 'turn-end':
        this.turnEnd = event;
        if (event.error) this.lastError = event.error;
        break;
      default:
        break;
    }
  }

  /** The last thing that the model said in this run, as far as it came. */
  answer(): string {
    const { state } = this;
    if (!state) return '';
    const messages = [...state.messages.slice(this.#firstNewMessage), ...(state.live ? [state.live] : [])];
    for (const message of messages.toReversed()) {
      const text = message.role === 'assistant' ? textOf(message) : '';
      if (text !== '') return text;
    }
    return '';
  }

  findCall(callId: string): ToolCallPart | undefined {
    const { state } = this;
    if (!state) return undefined;
    const messages = state.live ? [...state.messages, state.live] : state.messages;
    for (const message of messages.toReversed())
      for (const part of message.parts) if (part.kind === 'tool-call' && part.callId === callId) return part;
    return undefined;
  }

  #endMessage(event: Extract<EngineEvent, { kind: 'message-end' }>): void {
    this.steps += 1;
    this.finish = event.finish;
    if (this.#waitingSince !== undefined) this.apiMs += Math.max(0, event.at - this.#waitingSince);
    this.#waitingSince = undefined;
    if (!event.usage) return;
    const message = this.state?.messages.findLast(({ id }) => id === event.messageId);
    this.#count(message?.model ?? this.state?.model, event.usage, event.costUsd);
  }

  #count(model: ModelRef | null | undefined, usage: Usage, costUsd: number | null): void {
    if (!model) return;
    this.totals = addUsage(this.totals, usage, costUsd);
    const name = formatModelRef(model);
    const known = this.totalsByModel.get(name)?.totals ?? emptyTotals;
    this.totalsByModel.set(name, {
      totals: addUsage(known, usage, costUsd),
      contextWindow: this.state?.contextWindow ?? null,
    });
  }

  #endRun(event: Extract<EngineEvent, { kind: 'tool-run-end' }>): void {
    this.#waitingSince = event.at;
    const { peerCostUsd } = event.result;
    if (peerCostUsd !== undefined) this.totals = addPeerRound(this.totals, peerCostUsd);
    if (event.result.status !== 'denied') return;
    const call = this.findCall(event.callId);
    this.denials.push({
      tool_name: call ? claudeToolName(call.tool) : '',
      tool_use_id: event.callId,
      tool_input: call ? claudeInput(call.tool, call.input) : {},
      reason: event.result.forModel.map((each) => (each.kind === 'text' ? each.text : '')).join('\n'),
    });
  }
}

export function textOf(message: Message): string {
  return message.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
}

import type { Clock } from '#lib/clock.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { FinishReason, PrivateData, ToolCallPart } from '#protocol/message.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ToolDef, ToolScope } from '#protocol/tool.ts';
import type { CacheMiss, Usage } from '#protocol/usage.ts';
import type { EventChannel } from './event-channel.ts';
import type { ToolBatch } from './tool-batch.ts';
import { findTool, readCall } from './tool-input.ts';

export type ContentPart = Exclude<StepPart, { kind: 'retry' | 'attempt' | 'finish' | 'error' }>;

type OpenPart = { id: string; kind: 'text' | 'reasoning'; text: string; startedAt: number };

export type AssistantMessageDeps = {
  model: ModelRef;
  tools: readonly ToolDef[];
  scope: ToolScope;
  channel: EventChannel;
  batch: ToolBatch;
  vendorCallIds: Set<string>;
  clock: Clock;
  ids: IdSource;
};

/** The assistant message that streams: turns step parts into events, each `-end` with the whole part. */
export class AssistantMessage {
  readonly #deps: AssistantMessageDeps;
  readonly #open = new Map<string, OpenPart>();
  /** Calls of which only the start is known, by the vendor's part id. */
  readonly #begun = new Map<string, { id: string; callId: string }>();
  readonly #vendorCallIds = new Set<string>();
  #id: string | undefined;
  #text = '';
  #hasReasoning = false;
  #calls = 0;

  constructor(deps: AssistantMessageDeps) {
    this.#deps = deps;
  }

  /** All finished text. */
  get text(): string {
    return this.#text;
  }

  /** Anything that is worth keeping when the message breaks off. */
  get hasContent(): boolean {
    return this.#calls > 0 || this.#text.trim() !== '' || this.#hasReasoning;
  }

  async take(part: ContentPart): Promise<void> {
    switch (part.kind) {
      case 'text-start':
        await this.#begin(part.partId, 'text');
        return;
      case 'reasoning-start':
        await this.#begin(part.partId, 'reasoning');
        return;
      case 'text-delta':
      case 'reasoning-delta':
        return this.#append(part);
      case 'text-end':
        return this.#endPart(await this.#begin(part.partId, 'text'), part);
      case 'reasoning-end':
        return this.#endPart(await this.#begin(part.partId, 'reasoning'), part);
      case 'tool-call-start':
        await this.#beginCall(part.partId, part.tool);
        return;
      case 'tool-call-delta': {
        const begun = this.#begun.get(part.partId);
        if (begun && this.#id !== undefined)
          this.#deps.channel.push({
            kind: 'tool-call-delta',
            messageId: this.#id,
            partId: begun.id,
            text: part.text,
          });
        return;
      }
      case 'tool-call':
        return this.#endCall(part);
    }
  }

  /** Parts whose end did not come end with what they have. */
  async endParts(): Promise<void> {
    for (const [partId, { kind, text }] of [...this.#open])
      await this.#endPart(await this.#begin(partId, kind), { partId, text });
  }

  /** A message without anything in it still counts: it says that the model said nothing. */
  async end(ending: {
    finish: FinishReason;
    usage: Usage | null;
    costUsd: number | null;
    cacheMiss?: CacheMiss;
  }): Promise<void> {
    await this.endParts();
    const messageId = await this.#message();
    for (const id of this.#vendorCallIds) this.#deps.vendorCallIds.add(id);
    await this.#deps.channel.send({ kind: 'message-end', messageId, ...ending });
  }

  /** The message is void. */
  async discard(): Promise<void> {
    if (this.#id !== undefined)
      await this.#deps.channel.send({ kind: 'message-discarded', messageId: this.#id });
  }

  async #message(): Promise<string> {
    if (this.#id !== undefined) return this.#id;
    this.#id = this.#deps.ids();
    await this.#deps.channel.send({ kind: 'message-start', messageId: this.#id, model: this.#deps.model });
    return this.#id;
  }

  async #begin(partId: string, kind: OpenPart['kind']): Promise<OpenPart> {
    const known = this.#open.get(partId);
    if (known) return known;
    const messageId = await this.#message();
    const part: OpenPart = { id: this.#deps.ids(), kind, text: '', startedAt: this.#deps.clock.now() };
    this.#open.set(partId, part);
    await this.#deps.channel.send({ kind: `${kind}-start`, messageId, partId: part.id });
    return part;
  }

  async #append({ kind, partId, text }: Extract<ContentPart, { kind: 'text-delta' | 'reasoning-delta' }>) {
    const known = this.#open.get(partId);
    const part = known ?? (await this.#begin(partId, kind === 'text-delta' ? 'text' : 'reasoning'));
    part.text += text;
    if (this.#id !== undefined) this.#deps.channel.push({ kind, messageId: this.#id, partId: part.id, text });
  }

  async #endPart(
    open: OpenPart,
    {
      partId,
      text,
      private: privateData,
    }: { partId: string; text: string; private?: PrivateData | undefined },
  ): Promise<void> {
    this.#open.delete(partId);
    const messageId = await this.#message();
    const common = { id: open.id, text, ...(privateData ? { private: privateData } : {}) };
    if (open.kind === 'text') {
      this.#text += text;
      await this.#deps.channel.send({ kind: 'text-end', messageId, part: { kind: 'text', ...common } });
      return;
    }
    this.#hasReasoning ||= text.trim() !== '';
    const durationMs = Math.max(0, this.#deps.clock.now() - open.startedAt);
    await this.#deps.channel.send({
      kind: 'reasoning-end',
      messageId,
      part: { kind: 'reasoning', ...common, durationMs },
    });
  }

  async #beginCall(partId: string, tool: string): Promise<{ id: string; callId: string }> {
    const known = this.#begun.get(partId);
    if (known) return known;
    const messageId = await this.#message();
    const begun = { id: this.#deps.ids(), callId: `call_${this.#deps.ids()}` };
    this.#begun.set(partId, begun);
    const name = findTool(this.#deps.tools, tool)?.name ?? tool;
    await this.#deps.channel.send({
      kind: 'tool-call-start',
      messageId,
      partId: begun.id,
      callId: begun.callId,
      tool: name,
    });
    return begun;
  }

  async #endCall(part: Extract<ContentPart, { kind: 'tool-call' }>): Promise<void> {
    const { id, callId } = await this.#beginCall(part.partId, part.tool);
    this.#begun.delete(part.partId);
    const messageId = await this.#message();
    const call: ToolCallPart = {
      kind: 'tool-call',
      id,
      callId,
      tool: findTool(this.#deps.tools, part.tool)?.name ?? part.tool,
      input: part.input,
      // No arguments at all are an empty object.
      ...(part.rawInput?.trim() ? { rawInput: part.rawInput } : {}),
      ...(this.#isNewVendorId(part.vendorCallId) ? { vendorCallId: part.vendorCallId } : {}),
      ...(part.private ? { private: part.private } : {}),
    };
    const title = this.#title(call);
    this.#calls += 1;
    const titled = title === undefined ? call : { ...call, title };
    await this.#deps.channel.send({ kind: 'tool-call-end', messageId, part: titled });
    this.#deps.batch.offer(messageId, titled);
  }

  /** An id that comes twice in a thread cannot tell calls apart; then only ours does. */
  #isNewVendorId(id: string): boolean {
    if (id === '' || this.#vendorCallIds.has(id) || this.#deps.vendorCallIds.has(id)) return false;
    this.#vendorCallIds.add(id);
    return true;
  }

  #title(call: ToolCallPart): string | undefined {
    const ready = readCall({ tools: this.#deps.tools, offered: [] }, call);
    if (typeof ready === 'string') return undefined;
    try {
      return ready.tool.title(ready.input, this.#deps.scope);
    } catch (error) {
      log('no title:', error);
      return undefined;
    }
  }
}

import type { PrivateData } from '#protocol/message.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { ProviderFamily } from '#protocol/model-ref.ts';
import type { SdkPart } from './language-model.ts';
import { isSecret, keepPrivate } from './private-data.ts';
import { ThinkTagSplitter } from './think-tags.ts';
import { readArguments } from './tool-arguments.ts';
import type { WireDialect } from './wire/dialect.ts';
import type { WireFacts } from './wire/facts.ts';
import type { JsonObject } from './wire/json.ts';

type Kind = 'text' | 'reasoning';
type OpenPart = { kind: Kind; partId: string; text: string };
/** One block as the SDK names it; think tags may make several parts of it. */
type Block = {
  kind: Kind;
  open: OpenPart | undefined;
  metadata: JsonObject;
  splitter: ThinkTagSplitter | undefined;
};
type FinishedCall = Extract<SdkPart, { type: 'tool-call' }>;

type MapperOptions = {
  dialect: WireDialect;
  facts: WireFacts;
  family: ProviderFamily;
  nextId: () => string;
};

/** Turns the SDK's stream parts into ours. Holds the state of one attempt. */
export class StepMapper {
  hasCalls = false;
  readonly #options: MapperOptions;
  readonly #blocks = new Map<string, Block>();
  /** Part ids of calls whose arguments still stream, by the SDK's id. */
  readonly #calls = new Map<string, string>();
  #held: FinishedCall[] = [];
  #hasReasoning = false;
  #parts: StepPart[] = [];

  constructor(options: MapperOptions) {
    this.#options = options;
  }

  map(part: SdkPart): StepPart[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#block(part.type === 'text-start' ? 'text' : 'reasoning', part);
        break;
      case 'text-delta':
        this.#delta(this.#block('text', part), part.delta);
        break;
      case 'reasoning-delta':
        this.#delta(this.#block('reasoning', part), part.delta);
        break;
      case 'text-end':
      case 'reasoning-end':
        this.#endBlock(part.id, this.#block(part.type === 'text-end' ? 'text' : 'reasoning', part));
        break;
      case 'tool-input-start':
        if (part.providerExecuted) break;
        this.#endTexts();
        this.#startCall(part.id, part.toolName);
        break;
      case 'tool-input-delta': {
        const partId = this.#calls.get(part.id);
        if (partId && part.delta !== '')
          this.#parts.push({ kind: 'tool-call-delta', partId, text: part.delta });
        break;
      }
      case 'tool-call':
        if (!part.providerExecuted) this.#call(part);
        break;
      default:
        break; // Sources, files, metadata, pings and the SDK's idea of the end.
    }
    return this.#take();
  }

  /** The rest, once the answer is known to be whole. */
  end(): StepPart[] {
    for (const [id, block] of this.#blocks) this.#endBlock(id, block);
    for (const call of this.#held) this.#finishCall(call);
    this.#held = [];
    this.#looseDetails();
    return this.#take();
  }

  #take(): StepPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  #block(kind: Kind, part: { id: string; providerMetadata?: unknown }): Block {
    let block = this.#blocks.get(part.id);
    if (block?.kind !== kind) {
      const canSplit = kind === 'text' && this.#options.family === 'openai-compatible';
      const splitter = canSplit ? new ThinkTagSplitter() : undefined;
      block = { kind, open: undefined, metadata: {}, splitter };
      this.#blocks.set(part.id, block);
    }
    if (part.providerMetadata) mergeMetadata(block.metadata, part.providerMetadata as JsonObject);
    return block;
  }

  #delta(block: Block, text: string): void {
    if (text === '') return;
    if (!block.splitter) {
      this.#append(block, block.kind, text);
      return;
    }
    this.#segments(block, block.splitter.push(text));
  }

  #segments(block: Block, segments: ReturnType<ThinkTagSplitter['push']>): void {
    for (const segment of segments) {
      if (segment.kind === 'retract') this.#retract(block);
      else this.#append(block, segment.kind, segment.text);
    }
  }

  #append(block: Block, kind: Kind, text: string): void {
    if (block.open && block.open.kind !== kind) this.#close(block);
    if (!block.open) {
      block.open = { kind, partId: this.#options.nextId(), text: '' };
      if (kind === 'reasoning') this.#hasReasoning = true;
      this.#parts.push({ kind: `${kind}-start`, partId: block.open.partId });
    }
    block.open.text += text;
    this.#parts.push({ kind: `${kind}-delta`, partId: block.open.partId, text });
  }

  /** What was shown as text turns out to be reasoning: the text part ends empty, the reasoning follows whole. */
  #retract(block: Block): void {
    const { open } = block;
    if (!open) return;
    const text = open.text.trim();
    open.text = '';
    this.#close(block);
    if (text === '') return;
    this.#append(block, 'reasoning', text);
    this.#close(block);
  }

  #endBlock(id: string, block: Block): void {
    if (block.splitter) this.#segments(block, block.splitter.end());
    if (!block.open && isSecret(block.metadata)) {
      block.open = { kind: block.kind, partId: this.#options.nextId(), text: '' };
      this.#parts.push({ kind: `${block.kind}-start`, partId: block.open.partId });
    }
    this.#close(block);
    this.#blocks.delete(id);
  }

  #endTexts(): void {
    for (const [id, block] of this.#blocks) if (block.kind === 'text') this.#endBlock(id, block);
  }

  #close(block: Block): void {
    const { open } = block;
    if (!open) return;
    block.open = undefined;
    const data = this.#privateOf(open.kind, block.metadata);
    const { partId, text } = open;
    this.#parts.push({ kind: `${open.kind}-end`, partId, text, ...(data ? { private: data } : {}) });
  }

  #privateOf(kind: Kind | 'tool-call', metadata: JsonObject): PrivateData | undefined {
    const { family, facts } = this.#options;
    if (kind === 'reasoning' && facts.reasoningField) {
      const details = facts.reasoningDetails;
      const data: JsonObject = { field: facts.reasoningField, ...(details.length > 0 ? { details } : {}) };
      return { family, data };
    }
    const data = keepPrivate(kind, metadata);
    return data ? { family, data } : undefined;
  }

  #startCall(id: string, tool: string): string {
    const partId = this.#options.nextId();
    this.#calls.set(id, partId);
    this.#parts.push({ kind: 'tool-call-start', partId, tool });
    return partId;
  }

  #call(call: FinishedCall): void {
    this.hasCalls = true;
    // Chat Completions has no mark for the end of one call: its calls are whole when the answer is.
    const { dialect, facts } = this.#options;
    if (dialect.endsCallsAtClose && !dialect.isComplete(facts)) this.#held.push(call);
    else this.#finishCall(call);
  }

  #finishCall(call: FinishedCall): void {
    const partId = this.#calls.get(call.toolCallId) ?? this.#startCall(call.toolCallId, call.toolName);
    this.#calls.delete(call.toolCallId);
    const data = call.providerMetadata && this.#privateOf('tool-call', call.providerMetadata as JsonObject);
    this.#parts.push({
      kind: 'tool-call',
      partId,
      vendorCallId: call.toolCallId,
      tool: call.toolName,
      ...readArguments(call.input),
      ...(data ? { private: data } : {}),
    });
  }

  /** Signed details that came without any reasoning text still have to go back. */
  #looseDetails(): void {
    const { facts, family, nextId } = this.#options;
    if (this.#hasReasoning || facts.reasoningDetails.length === 0) return;
    const partId = nextId();
    const data: JsonObject = { field: facts.reasoningField ?? 'reasoning', details: facts.reasoningDetails };
    this.#parts.push(
      { kind: 'reasoning-start', partId },
      { kind: 'reasoning-end', partId, text: '', private: { family, data } },
    );
  }
}

function mergeMetadata(known: JsonObject, more: JsonObject): void {
  for (const [vendor, fields] of Object.entries(more)) {
    const before = known[vendor];
    known[vendor] =
      typeof before === 'object' && before !== null && typeof fields === 'object' && fields !== null
        ? { ...before, ...fields }
        : fields;
  }
}

import type { PrivateData } from '#protocol/message.ts';
import type { StepPart } from '#protocol/model-client.ts';
import type { ProviderFamily } from '#protocol/model-ref.ts';
import type { SdkPart } from './language-model.ts';
import { isSecret, keepPrivate } from './private-data.ts';
import { fencedCall } from './text-calls/fenced-call.ts';
import type { CallProblem } from './text-calls/reading.ts';
import { type TextCallOptions, TextCallParser, type WrittenCalls } from './text-calls/text-call-parser.ts';
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
  written: TextCallParser | undefined;
};
type FinishedCall = Extract<SdkPart, { type: 'tool-call' }>;

type MapperOptions = {
  dialect: WireDialect;
  facts: WireFacts;
  family: ProviderFamily;
  nextId: () => string;
  /** Set where the model may write its calls into the text. */
  textCalls?: TextCallOptions | undefined;
};

/** Turns the SDK's stream parts into ours. Holds the state of one attempt. */
export class StepMapper {
  calls: 'native' | 'written' | 'none' = 'none';
  readonly #options: MapperOptions;
  readonly #blocks = new Map<string, Block>();
  /** Part ids of calls whose arguments still stream, by the SDK's id. */
  readonly #calls = new Map<string, string>();
  #held: FinishedCall[] = [];
  /** What the texts that have ended hold of calls. */
  readonly #written: WrittenCalls[] = [];
  /** A call in the code block that the last text ends with. */
  #fenced: CallProblem | undefined;
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
    this.#finishWritten();
    return this.#take();
  }

  get hasCalls(): boolean {
    return this.calls !== 'none';
  }

  /** A call in the text that is not run: nothing of the text is when one cannot be read. */
  get problem(): CallProblem | undefined {
    return this.calls === 'native' ? undefined : (this.#unreadable ?? this.#fenced);
  }

  get #unreadable(): CallProblem | undefined {
    return this.#written.find(({ problem }) => problem)?.problem;
  }

  #take(): StepPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  #block(kind: Kind, part: { id: string; providerMetadata?: unknown }): Block {
    let block = this.#blocks.get(part.id);
    if (block?.kind !== kind) {
      const { family, textCalls } = this.#options;
      const canSplit = kind === 'text' && (family === 'openai-compatible' || textCalls !== undefined);
      const splitter = canSplit ? new ThinkTagSplitter() : undefined;
      const written = kind === 'text' && textCalls ? new TextCallParser(textCalls) : undefined;
      block = { kind, open: undefined, metadata: {}, splitter, written };
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
      else if (segment.kind === 'text' && block.written)
        this.#pieces(block, block.written.push(segment.text));
      else this.#append(block, segment.kind, segment.text);
    }
  }

  #pieces(block: Block, pieces: ReturnType<TextCallParser['push']>): void {
    for (const { kind, text } of pieces) if (text !== '') this.#append(block, kind, text);
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
    const { open, written } = block;
    const text = `${open?.text ?? ''}${written?.leftover() ?? ''}`.trim();
    if (written && this.#options.textCalls) block.written = new TextCallParser(this.#options.textCalls);
    if (open) open.text = '';
    this.#close(block);
    if (text === '') return;
    this.#append(block, 'reasoning', text);
    this.#close(block);
  }

  #endBlock(id: string, block: Block): void {
    if (block.splitter) this.#segments(block, block.splitter.end());
    if (block.written) {
      this.#pieces(block, block.written.end());
      this.#written.push(block.written.found);
      const { textCalls } = this.#options;
      if (textCalls?.isLoose && block.open?.kind === 'text')
        this.#fenced = fencedCall(block.open.text, textCalls);
    }
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
    this.calls = 'native';
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

  /** Calls in the text are whole when the answer is. Beside real calls they are a copy, and only shown. */
  #finishWritten(): void {
    const found = this.#written.filter(({ calls }) => calls.length > 0);
    if (this.#unreadable) return;
    for (const { calls, source } of found) {
      const partId = this.#options.nextId();
      if (this.calls === 'native') {
        this.#parts.push({ kind: 'text-start', partId }, { kind: 'text-end', partId, text: source });
        continue;
      }
      for (const { tool, input } of calls) this.#writtenCall(tool, input);
    }
    if (found.length > 0 && this.calls === 'none') this.calls = 'written';
  }

  #writtenCall(tool: string, input: JsonObject): void {
    const partId = this.#options.nextId();
    this.#parts.push(
      { kind: 'tool-call-start', partId, tool },
      { kind: 'tool-call-delta', partId, text: JSON.stringify(input) },
      // No vendor knows of it, so it has no id of a vendor's.
      { kind: 'tool-call', partId, vendorCallId: '', tool, input },
    );
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

import type { JsonValue } from '#protocol/json.ts';
import type { ToolCallPart } from '#protocol/message.ts';
import { repeatedCheck } from './refusal.ts';
import type { RepeatGuard } from './repeat-guard.ts';
import { runToolCall, type ToolCallDeps, type ToolCallOptions, type ToolCallOutcome } from './tool-call.ts';
import { findTool } from './tool-input.ts';

/** Calls that read at the same time, at most. */
const parallelReads = 8;

type Entry = {
  messageId: string;
  part: ToolCallPart;
  isRead: boolean;
  outcome?: Promise<ToolCallOutcome>;
};

const cutText =
  'It was not run: your message was cut at the output limit in the middle of this call. Call it again with smaller ' +
  'arguments; write a long file in several parts.';

/**
 * The calls of one message. Reads run side by side, everything else alone and in order. A read with nothing but
 * reads before it starts while the message still streams; if it would have to be asked about, it waits for the
 * end of the message.
 */
export class ToolBatch {
  readonly #deps: ToolCallDeps;
  readonly #guard: RepeatGuard;
  readonly #signal: AbortSignal;
  #entries: Entry[] = [];
  #early = new AbortController();
  #hasCutCall = false;
  #ended = Promise.withResolvers<string | undefined>();
  #reading = 0;
  #readers: (() => void)[] = [];
  #halt: string | undefined;
  readonly #ran = new Set<string>();

  constructor({
    deps,
    guard,
    signal,
  }: {
    deps: ToolCallDeps;
    guard: RepeatGuard;
    signal: AbortSignal;
  }) {
    const emit: ToolCallDeps['emit'] = (body) => {
      if (body.kind === 'tool-run-start') this.#ran.add(body.callId);
      return deps.emit(body);
    };
    this.#deps = { ...deps, emit };
    this.#guard = guard;
    this.#signal = signal;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The calls with how each ended. */
  async results(): Promise<{ callId: string; tool: string; input: JsonValue; status: string }[]> {
    const outcomes = await Promise.all(this.#entries.map(({ outcome }) => outcome));
    return this.#entries.map(({ part: { callId, tool, input } }, index) => {
      const status = outcomes[index]?.result.status ?? 'aborted';
      return { callId, tool: findTool(this.#deps.tools, tool)?.name ?? tool, input, status };
    });
  }

  /** Some call has begun to run, so that the message cannot be taken back. */
  get hasRun(): boolean {
    return this.#entries.some(({ part }) => this.#ran.has(part.callId));
  }

  /** The output limit cut the last call, and it did not run. */
  get hasCutCall(): boolean {
    return this.#hasCutCall;
  }

  /** Some call does more than read. */
  get hasEffects(): boolean {
    return this.#entries.some(({ isRead }) => !isRead);
  }

  /** A call whose arguments are complete, in a message that still streams. */
  offer(messageId: string, part: ToolCallPart): void {
    const tool = findTool(this.#deps.tools, part.tool);
    const entry: Entry = { messageId, part, isRead: tool?.effect === 'read' };
    const isFirstAmongReads = this.#entries.every(({ isRead }) => isRead);
    this.#entries.push(entry);
    if (entry.isRead && isFirstAmongReads && !mayBeCut(part))
      this.#start(entry, {
        signal: AbortSignal.any([this.#signal, this.#early.signal]),
        beforeAsk: this.#ended.promise,
      });
  }

  /**
   * The message has ended: runs the rest, but for a last call that the output limit cut. A text means that the turn
   * must end, for that reason.
   */
  async finish({ isCut = false }: { isCut?: boolean } = {}): Promise<string | undefined> {
    this.#ended.resolve(undefined);
    const last = this.#entries.at(-1);
    this.#hasCutCall = isCut && last !== undefined && !last.outcome && mayBeCut(last.part);
    if (this.#hasCutCall && last) last.outcome = this.#skip(last, cutText);
    let reads: Promise<unknown>[] = [];
    for (const entry of this.#entries) {
      if (!entry.isRead) {
        await Promise.all(reads);
        reads = [];
      }
      if (!entry.outcome) this.#start(entry, { signal: this.#signal });
      if (entry.isRead) reads.push(entry.outcome ?? Promise.resolve());
      else await entry.outcome;
    }
    await Promise.all(reads);
    return this.#halt;
  }

  /** The message is void and comes again: what started early is stopped and forgotten. */
  async discard(): Promise<void> {
    this.#early.abort();
    this.#ended.resolve(undefined);
    await Promise.all(this.#entries.map(({ outcome }) => outcome));
    this.#entries = [];
    this.#early = new AbortController();
    this.#ended = Promise.withResolvers();
  }

  /** The message broke off: what has not begun will not run, what has comes to its end; every call gets its result. */
  async abandon(why: string): Promise<void> {
    this.#ended.resolve(why);
    await Promise.all(this.#entries.map((entry) => entry.outcome ?? this.#skip(entry, why)));
  }

  #start(entry: Entry, options: ToolCallOptions): void {
    entry.outcome = entry.isRead ? this.#inTurn(() => this.#run(entry, options)) : this.#run(entry, options);
  }

  async #run(entry: Entry, options: ToolCallOptions): Promise<ToolCallOutcome> {
    if (this.#halt !== undefined)
      return this.#skip(entry, `It was not run because the turn was ended: ${this.#halt}`);
    const { messageId, part } = entry;
    const { callId, tool, input, rawInput } = part;
    const identity = rawInput === undefined ? input : { rawInput };
    const verdict = this.#guard.check(tool, identity);
    if (verdict === 'stop') {
      this.#halt = `the model made the same call of ${tool} again and again, with the same result each time`;
      return this.#skip(entry, 'The same call was just refused because it is repeated. The turn ends here.');
    }
    const outcome = await runToolCall(
      this.#deps,
      { messageId, callId, tool, input, rawInput },
      verdict === 'ask' ? { ...options, mustAsk: repetition(tool) } : options,
    );
    if (verdict === 'ask' && !outcome.ran) this.#guard.refuse();
    else this.#guard.record(tool, identity, outcome.result);
    this.#halt ??= outcome.halt;
    return outcome;
  }

  async #skip({ messageId, part }: Entry, why: string): Promise<ToolCallOutcome> {
    const result = {
      status: 'aborted' as const,
      forModel: [{ kind: 'text' as const, text: why }],
      durationMs: 0,
    };
    await this.#deps.emit({ kind: 'tool-run-end', messageId, callId: part.callId, result });
    return { result, ran: false };
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reading >= parallelReads) await new Promise<void>((resolve) => this.#readers.push(resolve));
    this.#reading += 1;
    try {
      return await work();
    } finally {
      this.#reading -= 1;
      this.#readers.shift()?.();
    }
  }
}

/** Half a call, or one that could be cut before its first argument. */
function mayBeCut({ input, rawInput }: ToolCallPart): boolean {
  return rawInput !== undefined || JSON.stringify(input) === '{}';
}

function repetition(tool: string) {
  return {
    check: repeatedCheck,
    text: `this is the third time in a row that the model makes this call of ${tool}, with the same result each time`,
  };
}

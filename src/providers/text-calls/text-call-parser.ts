import type { ToolSchema } from '#protocol/tool.ts';
import type { JsonObject } from '../wire/json.ts';
import { CodeTracker } from './code-tracker.ts';
import { readFunctionTag } from './formats/function-tag.ts';
import { readGemmaCall, readGemmaChannel } from './formats/gemma.ts';
import { readHarmony } from './formats/harmony.ts';
import { invokeReaders } from './formats/invoke-tag.ts';
import { readMistral } from './formats/mistral.ts';
import { readPythonList } from './formats/python-list.ts';
import { readPythonTag } from './formats/python-tag.ts';
import { tokenReaders } from './formats/token-calls.ts';
import { readToolCallTag } from './formats/tool-call-tag.ts';
import { readWholeMessage } from './formats/whole-message.ts';
import { OfferedTools } from './offered-tools.ts';
import { type CallProblem, type Reader, type Reading, reasons, type WrittenCall } from './reading.ts';
import { Source } from './source.ts';

export type TextPiece = { kind: 'text' | 'reasoning'; text: string };

export type TextCallOptions = {
  tools: readonly ToolSchema[];
  /** Also takes calls without marks of their own: bare or fenced JSON, lists in Python. */
  isLoose: boolean;
};

/** What a whole text held beside what is shown. */
export type WrittenCalls = {
  /** In the order of the text; [] when one of them cannot be read, since later ones may build on it. */
  calls: readonly WrittenCall[];
  problem: CallProblem | undefined;
  /** The text of the calls, for the case that they must not count. */
  source: string;
};

/** Strict formats by the mark that opens them. */
const readers = new Map<string, Reader>([
  ['<tool_call>', readToolCallTag],
  ['<function=', readFunctionTag],
  ...invokeReaders,
  ...tokenReaders,
  ['[TOOL_CALLS]', readMistral],
  ['<|python_tag|>', readPythonTag],
  ['<|tool_call>', readGemmaCall],
  ['<|channel>', readGemmaChannel],
  ['<|channel|>', readHarmony],
  ['<|start|>', readHarmony],
]);
const openers = [...readers.keys()];
const closers = [
  '</tool_call>',
  '</tool_calls>',
  '</function_calls>',
  '[/TOOL_CALLS]',
  '<|tool_calls_section_end|>',
  '<|eom_id|>',
  '<|eot_id|>',
  '<|im_end|>',
  '</s>',
  '<｜end▁of▁sentence｜>',
  '<|end▁of▁sentence|>',
];
/** Models that do not stop after a call make up its result. */
const madeUp = ['<tool_response', '<function_results', '<tool_result'];
/** Where a mark may begin. */
const candidate = /[<[]/g;
/** What may stand between calls without being said. */
const gap = /^[\s;,→]*$/u;

/**
 * Takes tool calls out of a text that streams. Where the text is cut makes no difference; what is no call goes on at
 * once but for an end that may be the beginning of a mark. Code and quotations are never calls.
 */
export class TextCallParser {
  readonly #source = new Source();
  readonly #code = new CodeTracker();
  readonly #tools: OfferedTools;
  readonly #isLoose: boolean;
  readonly #work: Generator<void, void>;
  readonly #calls: WrittenCall[] = [];
  #problem: CallProblem | undefined;
  /** Text of the calls so far, and what lies after the last of them. */
  #held: string[] = [];
  #gap = '';
  #isAfterCall = false;
  #pieces: TextPiece[] = [];

  constructor({ tools, isLoose }: TextCallOptions) {
    this.#tools = new OfferedTools(tools);
    this.#isLoose = isLoose;
    this.#work = this.#read();
  }

  push(piece: string): TextPiece[] {
    this.#source.feed(piece);
    this.#work.next();
    return this.#takePieces();
  }

  end(): TextPiece[] {
    this.#source.finish();
    this.#work.next();
    return this.#takePieces();
  }

  /** What was found; final only after `end`. */
  get found(): WrittenCalls {
    const calls = this.#problem ? [] : this.#calls;
    return { calls, problem: this.#problem, source: this.#held.join('') };
  }

  /** All that was not given out, for the case that it turns out to be no answer at all. */
  leftover(): string {
    return `${this.#held.join('')}${this.#gap}${this.#source.leftover()}`;
  }

  #takePieces(): TextPiece[] {
    const pieces = this.#pieces;
    if (pieces.length > 0) this.#pieces = [];
    return pieces;
  }

  *#read(): Generator<void, void> {
    const source = this.#source;
    if (this.#isLoose) yield* this.#readWhole();
    while (yield* source.has()) {
      if (this.#problem) this.#say(source.take(source.available));
      else {
        this.#say(source.takePlain(candidate));
        if (source.available > 0) yield* this.#atCandidate();
      }
    }
  }

  *#readWhole(): Generator<void, void> {
    const source = this.#source;
    this.#say(yield* source.blank());
    if (yield* source.isNext(/[{[`]/)) yield* this.#block(readWholeMessage);
  }

  *#atCandidate(): Generator<void, void> {
    const source = this.#source;
    if (this.#code.isQuoting) {
      this.#say(source.take(1));
      return;
    }
    if (this.#calls.length > 0) {
      if (yield* source.skip(...closers)) return;
      if (yield* source.match(madeUp)) {
        while (yield* source.has()) source.take(source.available);
        return;
      }
    }
    const opener = yield* source.match(openers);
    const reader = opener === undefined ? undefined : readers.get(opener);
    if (opener !== undefined && reader) yield* this.#block(reader, opener);
    else if (this.#isLoose && source.char() === '[') yield* this.#block(readPythonList, '[');
    else this.#say(source.take(1));
  }

  *#block(reader: Reader, opener = ''): Generator<void, void> {
    const source = this.#source;
    const calls: WrittenCall[] = [];
    let problem: CallProblem | undefined;
    const reading: Reading = {
      tools: this.#tools,
      call: (tool: string, input: JsonObject) => calls.push({ tool, input }),
      problem: (reason, tool) => {
        problem ??= { reason, tool };
      },
      unknown: (name) => {
        const unknown = name.trim().slice(0, 80);
        problem ??= { reason: `there is no tool "${unknown}"`, unknown };
      },
      show: (kind, text) => {
        if (kind === 'text') this.#say(text);
        else this.#pieces.push({ kind, text });
      },
    };
    source.record();
    source.take(opener.length);
    const isCall = yield* reader(source, reading);
    const text = source.recorded();
    if (!isCall) {
      this.#say(text);
      return;
    }
    if (problem) {
      this.#problem = {
        ...problem,
        reason: explained(problem.reason, text),
        tool: problem.tool ?? this.#named(text),
      };
      const whole = [...this.#held, this.#gap, text].join('');
      this.#held = [];
      this.#gap = '';
      this.#pieces.push({ kind: 'text', text: whole });
      return;
    }
    if (calls.length === 0) return;
    this.#calls.push(...calls);
    this.#held.push(this.#gap, text);
    this.#gap = '';
    this.#isAfterCall = true;
  }

  /** The tool that a broken block names. */
  #named(block: string): string | undefined {
    const name = /"(?:name|tool|tool_name|function)"\s*:\s*"([^"\n]{1,128})"/.exec(block)?.[1];
    return name === undefined ? undefined : this.#tools.find(name);
  }

  #say(text: string): void {
    if (text === '') return;
    if (this.#isAfterCall && gap.test(text)) {
      this.#gap += text;
      return;
    }
    const shown = this.#gap + text;
    this.#gap = '';
    this.#isAfterCall = false;
    this.#code.push(shown);
    this.#pieces.push({ kind: 'text', text: shown });
  }
}

/** Paths and patterns are where models forget that JSON wants a backslash twice. */
function explained(reason: string, block: string): string {
  return reason === reasons.json && block.includes('\\')
    ? `${reason} (a backslash in JSON is written \\\\)`
    : reason;
}

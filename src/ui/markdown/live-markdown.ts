import { cleanText, isCleanText, unfinishedLength } from '#lib/terminal-text.ts';
import { type BlockEdge, renderBlock, type SpanRow } from './blocks.ts';
import { plainCodeRows } from './code-block.ts';
import { lexMarkdown, type MarkedToken } from './lex.ts';
import type { MarkdownContext, PlainCode } from './markdown-context.ts';
import { type Missed, noteMissed } from './missed-code.ts';

/** Rows of a text that still grows. */
export interface LiveMarkdown {
  /**
   * Rows of `text`, which begins with the text of the call before. Finished blocks keep their rows; only the last
   * one is read anew, so the cost of a call does not grow with the text.
   */
  update(text: string): readonly string[];
  /** Finished blocks with code that had no colours are rendered again. */
  refreshCode(): void;
  /** The code that has no colours yet. */
  plainCode(): readonly PlainCode[];
}

type WaitingBlock = { token: MarkedToken; edge: BlockEdge; at: number; missed: readonly PlainCode[] };
type OpenFence = { mark: string; indent: number; scannedTo: number; rows: string[] };

export function createLiveMarkdown(options: {
  context: MarkdownContext;
  /** The last step of a row; `index` counts from the first row of the text. */
  finishRow: (row: SpanRow, index: number) => string;
}): LiveMarkdown {
  return new LiveText(options.context, options.finishRow);
}

class LiveText implements LiveMarkdown {
  readonly #context: MarkdownContext;
  readonly #finishRow: (row: SpanRow, index: number) => string;
  #isClean = true;
  #checkedTo = 0;
  #stableText = '';
  #stableTo = 0;
  #stableRows: string[] = [];
  #edge: BlockEdge;
  #fence: OpenFence | undefined;
  #waiting: WaitingBlock[] = [];
  #waitingTail: PlainCode[] = [];
  #missed: Missed[] = [];

  constructor(context: MarkdownContext, finishRow: (row: SpanRow, index: number) => string) {
    this.#context = noteMissed(context, (missed) => this.#missed.push(missed));
    this.#finishRow = finishRow;
  }

  update(text: string): readonly string[] {
    const source = this.#clean(text);
    this.#waitingTail = [];
    if (this.#fence) {
      const rows = this.#readFence(source, this.#fence);
      if (rows) return rows;
      this.#fence = undefined;
    }
    return this.#readTail(source);
  }

  refreshCode(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const block of waiting) {
      const { rows, missed } = this.#render(block.token, block.edge, block.at);
      this.#stableRows.splice(block.at, rows.length, ...rows);
      if (missed.length > 0) this.#waiting.push({ ...block, missed });
    }
  }

  plainCode(): readonly PlainCode[] {
    return [...this.#waiting.flatMap((block) => block.missed), ...this.#waitingTail];
  }

  /** Only what is new is looked at; a text with a control in it goes the slow way from then on. */
  #clean(text: string): string {
    const whole = text.slice(0, text.length - unfinishedLength(text));
    if (this.#isClean) {
      this.#isClean = isCleanText(whole.slice(this.#checkedTo));
      this.#checkedTo = whole.length;
    }
    if (this.#isClean) return whole;
    const clean = cleanText(whole);
    if (!clean.startsWith(this.#stableText)) this.#restart();
    return clean;
  }

  #restart(): void {
    this.#stableText = '';
    this.#stableTo = 0;
    this.#stableRows = [];
    this.#edge = undefined;
    this.#fence = undefined;
    this.#waiting = [];
  }

  #readTail(source: string): readonly string[] {
    const tail = source.slice(this.#stableTo);
    const tokens = lexMarkdown(tail);
    const lastIndex = openFrom(tokens);
    let at = 0;
    for (const [index, token] of tokens.entries()) {
      if (index >= lastIndex || !tail.startsWith(token.raw, at)) break;
      this.#keep(token);
      at += token.raw.length;
    }
    this.#stableTo += at;
    if (!this.#isClean) this.#stableText = source.slice(0, this.#stableTo);
    const open = tokens.slice(Math.max(0, lastIndex));
    const [last] = open;
    if (!last) return this.#stableRows;
    const fence = openFence(source, this.#stableTo, last);
    const fenceRows = fence && this.#readFence(source, fence);
    if (fenceRows) {
      this.#fence = fence;
      return fenceRows;
    }
    const rows = [...this.#stableRows];
    let edge = this.#edge;
    for (const token of open) {
      const block = this.#render(token, edge, rows.length);
      rows.push(...block.rows);
      this.#waitingTail.push(...block.missed);
      edge = block.edge;
    }
    return rows;
  }

  #keep(token: MarkedToken): void {
    const at = this.#stableRows.length;
    const edgeBefore = this.#edge;
    const { rows, edge, missed } = this.#render(token, edgeBefore, at);
    if (missed.length > 0) this.#waiting.push({ token, edge: edgeBefore, at, missed });
    this.#stableRows.push(...rows);
    this.#edge = edge;
  }

  #render(
    token: MarkedToken,
    edge: BlockEdge,
    at: number,
  ): { rows: string[]; edge: BlockEdge; missed: readonly PlainCode[] } {
    this.#missed = [];
    const block = renderBlock(token, { edge, context: this.#context });
    const rows = block.rows.map((row, index) => this.#finishRow(row, at + index));
    const missed = this.#missed.map((code) => ({ ...code, from: at, to: at + rows.length }));
    return { rows, edge: block.edge, missed };
  }

  /** Code that streams: each line is rendered once. undefined when the fence is closed. */
  #readFence(source: string, fence: OpenFence): readonly string[] | undefined {
    let end = source.indexOf('\n', fence.scannedTo);
    while (end >= 0) {
      const line = source.slice(fence.scannedTo, end);
      if (closesFence(line, fence.mark)) return undefined;
      fence.rows.push(...this.#fenceRows(line, fence));
      fence.scannedTo = end + 1;
      end = source.indexOf('\n', fence.scannedTo);
    }
    const rest = source.slice(fence.scannedTo);
    if (closesFence(rest, fence.mark)) return undefined;
    const isMark = rest !== '' && /^ {0,3}[`~]+$/.test(rest);
    return [
      ...this.#stableRows,
      ...fence.rows,
      ...(rest === '' || isMark ? [] : this.#fenceRows(rest, fence)),
    ];
  }

  #fenceRows(line: string, fence: OpenFence): string[] {
    const isFirst = fence.rows.length === 0;
    const code = line.replace(new RegExp(`^ {0,${fence.indent}}`), '');
    const rows = plainCodeRows(code, this.#context);
    const parted: SpanRow[] = isFirst && this.#stableRows.length > 0 ? [[], ...rows] : rows;
    const at = this.#stableRows.length + fence.rows.length;
    return parted.map((row, index) => this.#finishRow(row, at + index));
  }
}

/** Index of the first block that what comes next may still change; -1 when there is none. */
function openFrom(tokens: readonly MarkedToken[]): number {
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  // `1` on the last line may become `1. item` and so belong to the list above it.
  const isPerhapsItem = tokens[last]?.type === 'paragraph' && /^ {0,3}\d{1,9}[.)]?$/.test(tokens[last].raw);
  if (!isPerhapsItem) return last;
  const before = tokens.findLastIndex((token, index) => index < last && token.type !== 'space');
  return tokens[before]?.type === 'list' ? before : last;
}

/** A fence whose end has not come; it is the last block, and its first line is complete. */
function openFence(source: string, at: number, last: MarkedToken): OpenFence | undefined {
  if (last.type !== 'code' || last.codeBlockStyle === 'indented') return undefined;
  const start = /^( {0,3})(`{3,}|~{3,})[^\n]*\n/.exec(source.slice(at));
  if (!start) return undefined;
  return {
    mark: start[2] ?? '```',
    indent: start[1]?.length ?? 0,
    scannedTo: at + start[0].length,
    rows: [],
  };
}

function closesFence(line: string, mark: string): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return end !== undefined && end[0] === mark[0] && end.length >= mark.length;
}

import type { Message } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { TranscriptNote, ViewState } from '../store/view-state.ts';
import { type Cell, isSameCell, noteCell } from './cell.ts';
import { type Entry, toEntries } from './entries.ts';
import { isSettled, messageCells, shellCells } from './message-cells.ts';

type Segment = { message: Message; cells: readonly Cell[]; isSettled: boolean };

/**
 * The transcript as a list of cells, kept up to date with the thread. What is above the last prompt does not change
 * any more and is not looked at again: a step costs the same in a long thread as in a short one.
 */
export class EntryList {
  #segments: Segment[] = [];
  #live: Segment | undefined;
  #messages: readonly Message[] = [];
  #notes: readonly TranscriptNote[] = [];
  /** Notes by the message that they stand behind. */
  #notesBehind = new Map<string | null, TranscriptNote[]>();
  /** Entries of the first `#frozenTo` segments, and where each cell of them is. */
  #frozen: Entry[] = [];
  #frozenAt = new Map<string, number>();
  #frozenTo = 0;
  #tail: readonly Entry[] = [];

  get length(): number {
    return this.#frozen.length + this.#tail.length;
  }

  at(index: number): Entry | undefined {
    return index < this.#frozen.length ? this.#frozen[index] : this.#tail[index - this.#frozen.length];
  }

  /** All of them, oldest first. */
  cells(): Cell[] {
    return [...this.#frozen, ...this.#tail].map((entry) => entry.cell);
  }

  /** Where the cell is, or the one that it was folded into; -1 when there is neither. */
  indexOf(cellId: string): number {
    const inTail = this.#tail.findIndex(({ cell, folds }) => cell.id === cellId || folds?.includes(cellId));
    if (inTail >= 0) return this.#frozen.length + inTail;
    return this.#frozenAt.get(cellId) ?? -1;
  }

  sync(thread: ThreadState, view: Pick<ViewState, 'notes'>): void {
    if (view.notes !== this.#notes) {
      this.#thaw();
      this.#notes = view.notes;
      this.#notesBehind = Map.groupBy(view.notes, (note) => note.afterId);
    }
    this.#syncMessages(thread);
    this.#freeze();
    const cells = [
      ...(this.#frozenTo === 0 ? this.#notesAfter(null) : []),
      ...this.#segments.slice(this.#frozenTo).flatMap((segment) => this.#cellsWithNotes(segment)),
      ...(this.#live ? this.#cellsWithNotes(this.#live) : []),
    ];
    cells.push(...shellCells(cells, thread.activeRuns));
    this.#tail = toEntries(cells, { before: this.#frozen.at(-1)?.cell, isOpen: thread.turnId !== null });
  }

  #syncMessages(thread: ThreadState): void {
    const { messages, live } = thread;
    const start = this.#firstChange(messages);
    if (start < this.#frozenTo) this.#thaw();
    // In place: the segments above are as many as the conversation is long.
    const before = this.#segments.splice(start);
    for (let index = start; index < messages.length; index += 1) {
      const message = messages[index];
      if (!message) continue;
      const was = before[index - start];
      const known = was?.message.id === message.id ? was : this.#liveSegment(message.id);
      this.#segments.push(this.#segment(message, { known, thread, isLive: false }));
    }
    const wasLive = this.#live;
    this.#messages = messages;
    this.#live = live
      ? this.#segment(live, {
          known: wasLive?.message.id === live.id ? wasLive : undefined,
          thread,
          isLive: true,
        })
      : undefined;
  }

  /** Behind the messages that are still the same and whose cells can no longer change. */
  #firstChange(messages: readonly Message[]): number {
    if (messages === this.#messages) return this.#firstOpen() ?? messages.length;
    let index = 0;
    while (index < messages.length) {
      const segment = this.#segments[index];
      if (segment?.message !== messages[index] || !segment?.isSettled) break;
      index += 1;
    }
    return index;
  }

  /** The first segment that may still change; undefined when there is none. */
  #firstOpen(): number | undefined {
    for (let index = this.#frozenTo; index < this.#segments.length; index += 1)
      if (!this.#segments[index]?.isSettled) return index;
    return undefined;
  }

  #liveSegment(messageId: string): Segment | undefined {
    return this.#live?.message.id === messageId ? this.#live : undefined;
  }

  #segment(
    message: Message,
    { known, thread, isLive }: { known: Segment | undefined; thread: ThreadState; isLive: boolean },
  ): Segment {
    const cells = messageCells(message, { isLive, calls: thread }).map((cell, index) => {
      const before = known?.cells[index];
      return before && isSameCell(before, cell) ? before : cell;
    });
    return { message, cells, isSettled: !isLive && isSettled(message) };
  }

  /** Everything above the newest prompt is done with. */
  #freeze(): void {
    let upTo = this.#segments.findLastIndex((segment) => segment.message.role === 'user');
    upTo = Math.min(upTo, this.#firstOpen() ?? upTo);
    if (upTo <= this.#frozenTo) return;
    if (this.#segments[upTo]?.message.role !== 'user') return;
    const cells = [
      ...(this.#frozenTo === 0 ? this.#notesAfter(null) : []),
      ...this.#segments.slice(this.#frozenTo, upTo).flatMap((segment) => this.#cellsWithNotes(segment)),
    ];
    for (const entry of toEntries(cells, { before: this.#frozen.at(-1)?.cell, isOpen: false })) {
      for (const id of [entry.cell.id, ...(entry.folds ?? [])]) this.#frozenAt.set(id, this.#frozen.length);
      this.#frozen.push(entry);
    }
    this.#frozenTo = upTo;
  }

  #thaw(): void {
    this.#frozen = [];
    this.#frozenAt = new Map();
    this.#frozenTo = 0;
  }

  #cellsWithNotes({ message, cells }: Segment): readonly Cell[] {
    const notes = this.#notesAfter(message.id);
    return notes.length === 0 ? cells : [...cells, ...notes];
  }

  #notesAfter(messageId: string | null): Cell[] {
    return (this.#notesBehind.get(messageId) ?? []).map(noteCell);
  }
}

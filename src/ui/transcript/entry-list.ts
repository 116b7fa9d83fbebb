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
  /** Entries of the first `#frozenTo` segments. */
  #frozen: Entry[] = [];
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

  /** -1 when there is no such cell. */
  indexOf(cellId: string): number {
    const inTail = this.#tail.findIndex((entry) => entry.cell.id === cellId);
    if (inTail >= 0) return this.#frozen.length + inTail;
    return this.#frozen.findLastIndex((entry) => entry.cell.id === cellId);
  }

  sync(thread: ThreadState, view: Pick<ViewState, 'notes'>): void {
    if (view.notes !== this.#notes) {
      this.#thaw();
      this.#notes = view.notes;
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
    const before = this.#segments;
    const segments = before.slice(0, start);
    for (let index = start; index < messages.length; index += 1) {
      const message = messages[index];
      if (!message) continue;
      const known = before[index]?.message.id === message.id ? before[index] : this.#liveSegment(message.id);
      segments.push(this.#segment(message, { known, thread, isLive: false }));
    }
    const wasLive = this.#live;
    this.#segments = segments;
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
    if (messages === this.#messages) {
      const open = this.#segments.findIndex(
        (segment, index) => index >= this.#frozenTo && !segment.isSettled,
      );
      return open < 0 ? messages.length : open;
    }
    let index = 0;
    while (index < messages.length) {
      const segment = this.#segments[index];
      if (segment?.message !== messages[index] || !segment?.isSettled) break;
      index += 1;
    }
    return index;
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
    const firstOpen = this.#segments.findIndex(
      (segment, index) => index >= this.#frozenTo && !segment.isSettled,
    );
    if (firstOpen >= 0) upTo = Math.min(upTo, firstOpen);
    if (upTo <= this.#frozenTo) return;
    if (this.#segments[upTo]?.message.role !== 'user') return;
    const cells = [
      ...(this.#frozenTo === 0 ? this.#notesAfter(null) : []),
      ...this.#segments.slice(this.#frozenTo, upTo).flatMap((segment) => this.#cellsWithNotes(segment)),
    ];
    this.#frozen.push(...toEntries(cells, { before: this.#frozen.at(-1)?.cell, isOpen: false }));
    this.#frozenTo = upTo;
  }

  #thaw(): void {
    this.#frozen = [];
    this.#frozenTo = 0;
  }

  #cellsWithNotes({ message, cells }: Segment): readonly Cell[] {
    const notes = this.#notesAfter(message.id);
    return notes.length === 0 ? cells : [...cells, ...notes];
  }

  #notesAfter(messageId: string | null): Cell[] {
    return this.#notes.filter((note) => note.afterId === messageId).map(noteCell);
  }
}

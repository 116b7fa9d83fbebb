import { type Clock, systemClock } from '#lib/clock.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { FrameClock } from './frame-clock.ts';
import { type NoteBody, noteOf, notesOf } from './thread-notes.ts';
import { startView, type TranscriptNote, type ViewState } from './view-state.ts';

/** The screen's state outside React: the fold of the thread's events, and what the person sees of it. */
export interface UiStore {
  /** As last published; the same object until the next publish. */
  getThread(): ThreadState;
  getView(): ViewState;
  /** Calls back after each publish. Returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Takes in one event; it is published at the pace of the frame clock, or at once when a person waits for it. */
  apply(event: EngineEvent): void;
  /** Shows another thread: the view starts anew. Published at once. */
  attach(state: ThreadState): void;
  /** Published at once: it answers a key. What the thread's events changed waits for its own frame. */
  updateView(change: (view: ViewState) => ViewState): void;
  /** Says something in the transcript that no model sees. `text` is markdown. */
  addNotice(notice: { level: 'info' | 'warning' | 'error'; text: string }): void;
  /** Publishes what waits for a frame. */
  publishNow(): void;
  /** Milliseconds that the last paint took; slow paints slow the frame clock down. */
  reportPaint(paintMs: number): void;
  /** No publish comes after this. */
  close(): void;
}

export function createUiStore(options: { clock?: Clock; thread?: ThreadState } = {}): UiStore {
  return new Store(options.clock ?? systemClock, options.thread);
}

class Store implements UiStore {
  readonly #listeners = new Set<() => void>();
  readonly #frames: FrameClock;
  #latest: ThreadState;
  #published: ThreadState;
  #view: ViewState = startView;
  #nextNote = 1;

  constructor(clock: Clock, thread = emptyThreadState({ threadId: '', cwd: '', mode: 'prompt' })) {
    this.#latest = thread;
    this.#published = thread;
    this.#frames = new FrameClock({ clock, publish: () => this.#publish() });
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getThread(): ThreadState {
    return this.#published;
  }

  getView(): ViewState {
    return this.#view;
  }

  apply(event: EngineEvent): void {
    // A snapshot of the thread that is on the screen leaves scroll, opened cells and notes alone.
    if (event.kind === 'thread-snapshot') {
      if (event.state.threadId !== this.#latest.threadId) {
        this.attach(event.state);
        return;
      }
      if (this.#latest.seq === 0) for (const note of notesOf(event.state)) this.#addNote(note);
    }
    const note = noteOf(this.#latest, event);
    if (note) this.#addNote(note);
    this.#latest = applyEvent(this.#latest, event);
    if (isAwaited(event)) this.#frames.flush();
    else this.#frames.request();
  }

  attach(state: ThreadState): void {
    this.#frames.stop();
    this.#latest = state;
    this.#published = state;
    this.#view = startView;
    for (const note of notesOf(state)) this.#addNote(note);
    this.#notify();
  }

  updateView(change: (view: ViewState) => ViewState): void {
    const changed = change(this.#view);
    if (changed === this.#view) return;
    this.#view = changed;
    this.#notify();
  }

  addNotice(notice: { level: 'info' | 'warning' | 'error'; text: string }): void {
    const { live, messages } = this.#latest;
    this.#addNote({ kind: 'notice', ...notice, afterId: live?.id ?? messages.at(-1)?.id ?? null });
    this.#notify();
  }

  publishNow(): void {
    this.#frames.flush();
  }

  reportPaint(paintMs: number): void {
    this.#frames.reportPaint(paintMs);
  }

  close(): void {
    this.#frames.stop();
    this.#listeners.clear();
  }

  #publish(): void {
    if (this.#published === this.#latest) return;
    this.#published = this.#latest;
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #addNote(body: NoteBody): void {
    const note: TranscriptNote = { ...body, id: `note:${this.#nextNote}` };
    this.#nextNote += 1;
    this.#view = { ...this.#view, notes: [...this.#view.notes, note] };
  }
}

/** What answers a key of the person, or asks for one, waits for no frame: frames can be far apart on a slow machine. */
function isAwaited({ kind }: EngineEvent): boolean {
  switch (kind) {
    case 'message-added':
    case 'turn-end':
    case 'permission-request':
    case 'question-request':
      return true;
    default:
      return false;
  }
}

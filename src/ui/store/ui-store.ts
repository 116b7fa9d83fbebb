import { type Clock, systemClock } from '#lib/clock.ts';
import { applyEvent, emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { FrameClock } from './frame-clock.ts';
import { keepAcross, noteOf } from './thread-notes.ts';
import { startView, type TranscriptNote, type ViewState } from './view-state.ts';

export type { TranscriptNote, ViewState } from './view-state.ts';

/** The screen's state outside React: the fold of the thread's events, and what the person sees of it. */
export interface UiStore {
  /** As last published; the same object until the next publish. */
  getThread(): ThreadState;
  getView(): ViewState;
  /** Calls back after each publish. Returns how to stop. */
  subscribe(listener: () => void): () => void;
  /** Takes in one event; it is published at the pace of the frame clock. */
  apply(event: EngineEvent): void;
  /** Shows another thread: the view starts anew. Published at once. */
  attach(state: ThreadState): void;
  /** Published at once: it answers a key. What the thread's events changed waits for its own frame. */
  updateView(change: (view: ViewState) => ViewState): void;
  /** Says something in the transcript that no model sees. */
  addNotice(notice: { level: 'info' | 'warning' | 'error'; text: string }): void;
  /** Publishes what waits for a frame. */
  publishNow(): void;
  /** Milliseconds that the last paint took; slow paints slow the frame clock down. */
  reportPaint(paintMs: number): void;
  /** No publish comes after this. */
  close(): void;
}

export function createUiStore(options: { clock?: Clock; thread?: ThreadState } = {}): UiStore {
  const listeners = new Set<() => void>();
  const clock = options.clock ?? systemClock;
  let latest = options.thread ?? emptyThreadState({ threadId: '', cwd: '', mode: 'prompt' });
  let published = latest;
  let view = startView;
  let nextNote = 1;

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const frames = new FrameClock({
    clock,
    publish: () => {
      if (published === latest) return;
      published = latest;
      notify();
    },
  });
  const addNote = (note: Omit<TranscriptNote, 'id'> & object) => {
    const id = `note:${nextNote}`;
    nextNote += 1;
    view = { ...view, notes: [...view.notes, { ...note, id } as TranscriptNote] };
  };
  const attach = (state: ThreadState) => {
    latest = state;
    published = state;
    view = startView;
    frames.stop();
    notify();
  };

  return {
    getThread: () => published,
    getView: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    apply(event) {
      if (event.kind === 'thread-snapshot' && !keepAcross(latest, event.state)) {
        attach(event.state);
        return;
      }
      const note = noteOf(latest, event);
      if (note) addNote(note);
      latest = applyEvent(latest, event);
      frames.request();
    },
    attach,
    updateView(change) {
      const changed = change(view);
      if (changed === view) return;
      view = changed;
      notify();
    },
    addNotice(notice) {
      addNote({ kind: 'notice', ...notice, afterId: latest.live?.id ?? latest.messages.at(-1)?.id ?? null });
      notify();
    },
    publishNow: () => frames.flush(),
    reportPaint: (paintMs) => frames.reportPaint(paintMs),
    close() {
      frames.stop();
      listeners.clear();
    },
  };
}

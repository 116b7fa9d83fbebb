import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { CommandOutcome, DialogName } from '#protocol/command.ts';
import type { ConsultReview } from '#protocol/consult-review.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ProviderDraft, ScreenPort } from '#protocol/screen-port.ts';
import type { UserAction } from '#protocol/user-action.ts';
import { type KeyPress, pasteKey } from '../input/key-press.ts';
import { defaultKeymap, type KeyCommand, type Keymap, keyName } from '../input/keymap.ts';
import type { UiStore } from '../store/ui-store.ts';
import { emptyQueue, followThread, waitingCalls, withAnswer } from './ask-queue.ts';
import { openConsult } from './consult/consult-dialog.ts';
import { type Dialog, isAsk, isConfirmation, type OpenedDialog, placeOf, reduceDialog } from './dialog.ts';
import type { DialogEffect, KeyScene } from './dialog-step.ts';
import { fillDialog, type UpdateDialog } from './fill-dialog.ts';
import { lookUpThreads } from './lists/thread-lookups.ts';
import { openCard } from './model/model-dialog.ts';
import { withFailedList, withListed } from './model/provider-models.ts';
import { providerPreview } from './model/provider-preview.ts';
import { openDialog } from './open-dialog.ts';
import { type PaletteEntry, withNewest } from './palette/palette-entries.ts';
import type { RewindDialog } from './rewind/rewind-dialog.ts';
import { createTypingGuard } from './typing-guard.ts';

/** What is on the screen now; the same object until something changes. */
export type DialogsSnapshot = {
  readonly dialog: Dialog | null;
  /** False for a moment after something came up that asks: keys that were on their way do not answer it. */
  readonly isArmed: boolean;
  /** What the engine waits for, with what is on the screen. */
  readonly asks: number;
  /** Calls of the same message that come after those that ask, and may ask too. */
  readonly callsBehind: number;
};

/** What was drawn last, for the keys that depend on it. */
export type DrawnSheet = Omit<KeyScene, 'keymap'>;

/**
 * The dialogs, outside React. What the engine asks opens by itself and closes when it is answered, here or
 * elsewhere; what the person opened lies over it until they close it.
 */
export interface Dialogs {
  readonly port: ScreenPort;
  readonly keymap: Keymap;
  subscribe(listener: () => void): () => void;
  getSnapshot(): DialogsSnapshot;
  isOpen(): boolean;
  open(name: DialogName, filter?: string): void;
  /** Shows what switching to a model means, and switches when the person wants it. */
  confirmModel(preflight: ModelPreflight): void;
  /** Shows what would be sent to peers, and sends it when the person wants it. */
  confirmConsult(review: ConsultReview): void;
  /** Closes what the person opened; what the engine asks stays. */
  close(): void;
  /** Call it for every key, also while nothing is open. False: the key is not for a dialog. */
  handleKey(key: KeyPress): boolean;
  handlePaste(text: string): boolean;
  noteDrawn(drawn: DrawnSheet): void;
}

export type DialogsOptions = {
  port: ScreenPort;
  store: UiStore;
  submit(action: UserAction): void;
  act(outcome: CommandOutcome): void;
  clock: Clock;
  keymap?: Keymap;
  /** What is sent waits until this is done: another thread is being opened. */
  hold?(opening: Promise<void>): void;
  /** Does what a key bound to it would do. */
  run?(command: KeyCommand): void;
  /** Begins a prompt with this text. */
  begin?(text: string): void;
  /** The theme on the screen, by its id. */
  themeId?(): string;
};

export function createDialogs(options: DialogsOptions): Dialogs {
  return new DialogStack(options);
}

class DialogStack implements Dialogs {
  readonly port: ScreenPort;
  readonly keymap: Keymap;
  readonly #options: DialogsOptions;
  readonly #guard;
  readonly #listeners = new Set<() => void>();
  #queue = emptyQueue;
  #opened: OpenedDialog | null = null;
  #filling = new AbortController();
  #drawn: DrawnSheet = { pageRows: 0, maxScroll: 0, width: 80 };
  /** Names what the person is looking at. */
  #place: string | null = null;
  /** Keys on their way were meant for another dialog, not for the prompt. */
  #followsDialog = false;
  /** A key has done something in what the person is looking at. */
  #isTouched = false;
  /** What was chosen in the palette, the newest first. */
  #chosen: readonly string[] = [];
  #cancelArming: () => void = () => undefined;
  #snapshot: DialogsSnapshot = { dialog: null, isArmed: true, asks: 0, callsBehind: 0 };

  constructor(options: DialogsOptions) {
    this.#options = options;
    this.port = options.port;
    this.keymap = options.keymap ?? defaultKeymap;
    this.#guard = createTypingGuard(options.clock);
    options.store.subscribe(this.#followThread);
    this.#followThread();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): DialogsSnapshot => this.#snapshot;

  isOpen = (): boolean => this.#current() !== null;

  open(name: DialogName, filter?: string): void {
    this.#leaveOpened();
    const { port, store, clock } = this.#options;
    this.#opened = openDialog(name, {
      thread: store.getThread(),
      themeIds: port.themeIds,
      themeId: this.#options.themeId?.() ?? port.themeId,
      now: clock.now(),
      filter,
      commands: port.commands,
      keymap: this.keymap,
      chosen: this.#chosen,
    });
    this.#publish();
    this.#fill(this.#opened);
  }

  confirmModel(preflight: ModelPreflight): void {
    this.#leaveOpened();
    this.#opened = openCard(preflight);
    this.#publish();
  }

  confirmConsult(review: ConsultReview): void {
    this.#leaveOpened();
    this.#opened = openConsult(review);
    this.#publish();
  }

  close(): void {
    if (!this.#opened) return;
    this.#leaveOpened();
    this.#publish();
  }

  handleKey(key: KeyPress): boolean {
    const dialog = this.#current();
    if (!dialog) {
      this.#guard.noteKey();
      return false;
    }
    if (this.#guard.remainingMs() > 0) {
      if (isConfirmation(dialog)) {
        this.#guard.noteKey();
        this.#publish();
        return this.#followsDialog;
      }
      // A second Enter behind the one that opened the dialog chooses nothing; behind other keys it is meant.
      if (keyName(key) === 'enter' && !this.#isTouched) return true;
    }
    const next = reduceDialog(dialog, key, { ...this.#drawn, keymap: this.keymap });
    if (next) {
      this.#isTouched = true;
      this.#put(next.state);
      for (const effect of next.effects) this.#run(effect);
    }
    this.#publish();
    return next !== undefined || !isForScreen(key);
  }

  handlePaste(text: string): boolean {
    return this.handleKey(pasteKey(text));
  }

  noteDrawn(drawn: DrawnSheet): void {
    this.#drawn = drawn;
  }

  #current(): Dialog | null {
    return this.#opened ?? this.#queue.ask;
  }

  #followThread = (): void => {
    const queue = followThread(this.#queue, this.#options.store.getThread());
    if (queue === this.#queue) return;
    this.#queue = queue;
    this.#publish();
  };

  #put(dialog: Dialog): void {
    if (isAsk(dialog)) this.#queue = { ...this.#queue, ask: dialog };
    else this.#opened = dialog;
  }

  /** Undecided, as Escape does. */
  #leaveOpened(): void {
    const left = this.#opened;
    this.#drop();
    if (left?.kind === 'theme') this.#run({ kind: 'preview-theme', theme: left.before });
  }

  #drop(): void {
    this.#filling.abort();
    this.#opened = null;
  }

  #fill(dialog: OpenedDialog): void {
    this.#filling.abort();
    this.#filling = new AbortController();
    const { signal } = this.#filling;
    void fillDialog(dialog, { port: this.port, signal, update: this.#update, live: this.#options });
  }

  #update: UpdateDialog = (kind, change) => {
    if (this.#opened?.kind !== kind) return;
    const changed = change(this.#opened as Parameters<typeof change>[0]);
    if (changed === this.#opened) return;
    this.#opened = changed;
    this.#publish();
  };

  #publish(): void {
    const dialog = this.#current();
    const place = dialog && placeOf(dialog);
    if (place !== this.#place) {
      this.#followsDialog = this.#place !== null;
      this.#place = place;
      this.#isTouched = false;
      this.#guard.raise();
    }
    const waitMs = dialog && isConfirmation(dialog) ? this.#guard.remainingMs() : 0;
    this.#cancelArming();
    if (waitMs > 0) this.#cancelArming = this.#options.clock.after(waitMs, () => this.#publish());
    const callsBehind = dialog && isAsk(dialog) ? waitingCalls(this.#options.store.getThread()) : 0;
    this.#snapshot = { dialog, isArmed: waitMs === 0, asks: this.#queue.count, callsBehind };
    for (const listener of [...this.#listeners]) listener();
  }

  #run(effect: DialogEffect): void {
    const { port, submit, act, store } = this.#options;
    switch (effect.kind) {
      case 'close':
        this.#drop();
        break;
      case 'submit':
        if (effect.action.kind === 'answer-permission' || effect.action.kind === 'answer-question')
          this.#queue = withAnswer(this.#queue, store.getThread());
        submit(effect.action);
        break;
      case 'run-command':
        void this.#act(port.runCommand(effect.line));
        break;
      case 'choose-model':
        void this.#act(port.chooseModel(effect.ref, { compactFirst: effect.compactFirst === true }));
        break;
      case 'check-model':
        void this.#checkModel(effect.ref);
        break;
      case 'mark-model':
        void this.#act(port.markFavourite(effect.ref, effect).then(() => ({ kind: 'none' })));
        break;
      case 'list-models':
        void this.#listModels(effect.draft);
        break;
      case 'find-models':
        if (this.#opened) this.#fill(this.#opened);
        break;
      case 'preview-provider': {
        const review = providerPreview(port, effect.draft);
        this.#update('model', (open) => ({ ...open, form: open.form && { ...open.form, review } }));
        break;
      }
      case 'add-provider':
        void this.#act(port.addProvider(effect.draft));
        break;
      case 'start-demo':
        this.#openThread(port.startDemo());
        break;
      case 'open-thread':
        this.#openThread(port.openThread(effect.threadId, effect.words));
        break;
      case 'list-threads':
      case 'search-threads':
      case 'preview-thread':
        void lookUpThreads(effect, port, (change) => this.#update('threads', change));
        break;
      case 'preview-rewind':
        void this.#previewRewind(effect.promptId);
        break;
      case 'choose-entry':
        this.#chosen = withNewest(this.#chosen, effect.entry.id);
        this.#choose(effect.entry, effect.how);
        break;
      case 'draft':
        act({ kind: 'draft', text: effect.text });
        break;
      case 'copy':
        act(effect);
        break;
      case 'preview-theme':
        act({ kind: 'theme', theme: effect.theme });
        break;
      case 'save-theme':
        void this.#act(port.saveTheme(effect.theme).then(() => ({ kind: 'theme', theme: effect.theme })));
        break;
      case 'exit':
        act({ kind: 'exit' });
        break;
    }
  }

  #choose(entry: PaletteEntry, how: 'run' | 'write'): void {
    if (entry.kind === 'action') this.#options.run?.(entry.action);
    else if (how === 'run') void this.#act(this.port.runCommand(entry.line));
    else this.#options.begin?.(`${entry.line} `);
  }

  async #checkModel(ref: ModelRef): Promise<void> {
    const isWanted = () => this.#opened?.kind === 'model' && this.#opened.checking === ref;
    try {
      const card = await this.port.preflight(ref);
      if (!isWanted()) return;
      if (card.isWorthAsking) {
        this.#update('model', (open) => ({ ...open, card }));
        return;
      }
      this.close();
      this.#run({ kind: 'choose-model', ref });
    } catch (error) {
      if (isWanted())
        this.#update('model', (open) => ({ ...open, checking: null, failure: errorText(error) }));
    }
  }

  async #previewRewind(promptId: string): Promise<void> {
    const put = (found: Pick<RewindDialog, 'preview' | 'failure'>) =>
      this.#update('rewind', (open) => (open.point?.promptId === promptId ? { ...open, ...found } : open));
    try {
      const preview = (await this.port.rewindPreview?.(promptId)) ?? { files: [] };
      put({ preview, failure: null });
    } catch (error) {
      put({ preview: null, failure: errorText(error) });
    }
  }

  async #listModels(draft: ProviderDraft): Promise<void> {
    try {
      const ids = await this.port.providerModels(draft, this.#filling.signal);
      this.#update('model', (open) => ({ ...open, form: open.form && withListed(open.form, draft, ids) }));
    } catch (error) {
      const reason = errorText(error);
      this.#update('model', (open) => ({
        ...open,
        form: open.form && withFailedList(open.form, draft, reason),
      }));
    }
  }

  /** Nothing that a dialog starts may be lost when it fails. */
  #openThread(work: Promise<CommandOutcome>): void {
    const opening = this.#act(work);
    this.#options.hold?.(opening);
  }

  #act(work: Promise<CommandOutcome>): Promise<void> {
    const { act } = this.#options;
    return work.then(act, (error: unknown) =>
      act({ kind: 'notice', level: 'error', text: errorText(error) }),
    );
  }
}

/** What no dialog has a use for keeps its meaning: one may scroll the transcript or quit, and loses no paste. */
function isForScreen(key: KeyPress): boolean {
  if (key.ctrl || key.alt || key.name === 'paste') return true;
  return key.name === 'pageup' || key.name === 'pagedown' || (key.shift && /^(up|down)$/.test(key.name));
}

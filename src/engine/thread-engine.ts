import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { EngineEvent, EventBody, TurnEndReason } from '#protocol/event.ts';
import type { ImagePart } from '#protocol/message.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { type UserAction, userActionSchema } from '#protocol/user-action.ts';
import type { Answers } from './answers.ts';
import type { BackgroundShells } from './background-shells.ts';
import { compactNow, undoCompactionNow } from './compact-now.ts';
import { modelMessages } from './context/history.ts';
import type { HookDesk } from './hook-desk.ts';
import type { Inbox } from './inbox.ts';
import type { Ledger } from './ledger.ts';
import type { ModelSeat } from './model-seat.ts';
import { type RewindAction, rewindThread } from './rewind/rewind-thread.ts';
import type { ThreadChanges } from './rewind/thread-changes.ts';
import { runShellCommand } from './shell-command.ts';
import type { Supervisor } from './supervisor.ts';
import { settleCalls } from './thread/fold.ts';
import { imageToFile } from './thread/images.ts';
import type { StartedThread } from './thread/start-thread.ts';
import { pathsOfFiles } from './thread/thread-paths.ts';
import { fireHook } from './turn/fire-hook.ts';
import { lastTold } from './turn/mode-note.ts';
import { runTurn } from './turn/run-turn.ts';
import { findTool } from './turn/tool-input.ts';
import type { IncomingPrompt, TurnDeps } from './turn/turn-deps.ts';
import { untilAbort } from './turn/until-abort.ts';

export type EngineParts = {
  started: StartedThread;
  turnDeps: TurnDeps;
  inbox: Inbox;
  answers: Answers;
  seat: ModelSeat;
  ledger: Ledger;
  hooks: HookDesk;
  supervisor: Supervisor;
  shells: BackgroundShells;
  /** Absent in a thread that is not kept. */
  changes: ThreadChanges | undefined;
  /** Aborts when the thread is closed. */
  lifetime: AbortController;
  persist: boolean;
  clock: Clock;
  ids: IdSource;
};

/** What `close` takes at most for work that winds down and hooks that are told, in milliseconds. */
const closeMs = 900;

type Operation = { controller: AbortController; done: Promise<void> };

/** One open thread at work: takes actions, runs one turn or compaction at a time, and `!` commands beside it. */
export class ThreadEngine implements EngineHandle {
  readonly #parts: EngineParts;
  readonly #shells = new Set<Operation>();
  #main: Operation | undefined;
  /** Images of prompts are being written; prompts behind them keep their order. */
  #intake: Promise<void> | undefined;
  /** What waits is not sent by itself: the person stopped the turn, or it failed. */
  #isHeld: boolean;
  /** Takes over once the model in use has compacted history. */
  #successor: ModelRef | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#isHeld = parts.inbox.hasPending;
  }

  get threadId(): string {
    return this.#thread.state.threadId;
  }

  events(sinceSeq?: number): AsyncIterable<EngineEvent> {
    return this.#thread.events(sinceSeq);
  }

  submit(action: UserAction): void {
    if (this.#closing) return;
    const parsed = userActionSchema.safeParse(action);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      this.#notice(
        'error',
        `llmcode was asked for something it does not know: ${issue?.message ?? 'no action'}.`,
      );
      return;
    }
    try {
      this.#act(parsed.data);
    } catch (error) {
      log('an action failed:', error);
      this.#notice('error', `That did not work: ${errorText(error)}`);
    }
  }

  close(reason: 'clear' | 'resume' | 'exit' = 'exit'): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  get #thread() {
    return this.#parts.started.thread;
  }

  get #isBusy(): boolean {
    return this.#main !== undefined || this.#shells.size > 0;
  }

  #act(action: UserAction): void {
    const { inbox, answers } = this.#parts;
    const { state } = this.#thread;
    switch (action.kind) {
      case 'prompt':
        this.#takeIn(action);
        return;
      case 'continue':
        this.#continue();
        return;
      case 'interrupt':
        this.#interrupt();
        return;
      case 'take-back':
        inbox.takeBack(action.pendingId);
        return;
      case 'answer-permission':
        answers.answerPermission(action.requestId, action.answer);
        return;
      case 'answer-question':
        answers.answerQuestion(action.requestId, action.answer);
        return;
      case 'switch-model':
        if (action.compactFirst) this.#compactThenSwitch(action.model);
        else this.#switch(action.model);
        return;
      case 'set-mode':
        if (state.mode === action.mode) return;
        this.#emit({ kind: 'mode-changed', mode: action.mode });
        answers.decideAgain();
        return;
      case 'shell':
        this.#startShell(action.command);
        return;
      case 'background-run':
        this.#parts.shells.moveToBack(action);
        return;
      case 'shell-task':
        this.#parts.supervisor.add(this.#parts.shells.act(action));
        return;
      case 'look-at-shells':
        this.#parts.shells.look();
        return;
      case 'compact':
        this.#compact(action);
        return;
      case 'undo-compaction':
        this.#notice('info', undoCompactionNow({ thread: this.#thread, ...this.#parts }).text);
        return;
      case 'undo-changes':
      case 'redo-changes':
      case 'rewind':
        this.#rewind(action);
        return;
      case 'rename':
        this.#emit({ kind: 'thread-renamed', name: action.name });
        this.#notice('info', `This thread is "${action.name}" now: /resume ${action.name}`);
        return;
      case 'save-checkpoint':
        this.#emit({ kind: 'checkpoint-saved', name: action.name });
        this.#notice('info', `This point is "${action.name}" now: /checkpoint resume ${action.name}`);
        return;
      case 'consult-started':
        this.#emit({ kind: 'consult-start', consult: action.consult });
        return;
      case 'consult-ended':
        this.#emit({ kind: 'consult-end', part: action.part });
        return;
    }
  }

  #takeIn({ text, images, delivery }: Extract<UserAction, { kind: 'prompt' }>): void {
    if (images.length === 0 && !this.#intake) {
      this.#receive({ text, images, delivery });
      return;
    }
    const { started, persist } = this.#parts;
    const before = this.#intake ?? Promise.resolve();
    const work = before.then(async () => {
      const folder = persist ? started.filesDir : null;
      const stored = await Promise.all(images.map((image) => imageToFile(image, folder)));
      if (this.#intake === work) this.#intake = undefined;
      if (!this.#closing) this.#receive({ text, images: stored, delivery });
    });
    this.#intake = work;
    this.#parts.supervisor.add(work);
  }

  #receive(input: { text: string; images: ImagePart[]; delivery: 'steer' | 'queue' }): void {
    const { inbox } = this.#parts;
    const isEmpty = input.text.trim() === '' && input.images.length === 0;
    if (this.#isBusy) {
      if (isEmpty) return;
      // Said after an interrupt: it is meant to go out as soon as the turn has wound down.
      if (this.#main?.controller.signal.aborted) this.#isHeld = false;
      inbox.add(input);
      return;
    }
    const waiting = inbox.claimAll();
    if (isEmpty && waiting.length === 0) return;
    const { text, images } = input;
    const said: IncomingPrompt[] = isEmpty
      ? []
      : [{ text, images, origin: 'person', onTaken: () => undefined }];
    this.#startTurn([...waiting, ...said]);
  }

  #continue(): void {
    if (this.#isBusy) return;
    const waiting = this.#parts.inbox.claimAll();
    if (waiting.length === 0 && this.#thread.state.messages.every(({ role }) => role === 'notice')) {
      this.#notice('info', 'There is nothing to go on with yet.');
      return;
    }
    this.#startTurn(waiting);
  }

  #interrupt(): void {
    this.#isHeld = this.#parts.inbox.hasPending;
    this.#successor = undefined;
    this.#main?.controller.abort();
    for (const { controller } of this.#shells) controller.abort();
  }

  #startTurn(prompts: readonly IncomingPrompt[]): void {
    const { ids, turnDeps, ledger } = this.#parts;
    const turnId = ids();
    this.#isHeld = false;
    this.#main = this.#operate(async (signal) => {
      const emit = (body: EventBody) => {
        if (body.kind === 'tool-run-end') ledger.record(body.result.fileStates);
        // Over before anybody hears of it: who answers the end with a new prompt finds the thread idle.
        if (body.kind === 'turn-end') this.#endTurn(body.reason, signal);
        this.#thread.emit(body, turnId);
      };
      try {
        for await (const body of runTurn(turnDeps, { prompts }, { signal })) emit(body);
      } catch (error) {
        // An event that the thread does not take. Whoever waits for the end of the turn must not wait for ever.
        log('a turn broke off:', error);
        for (const body of settleCalls(this.#thread.state, 'The turn ended before it ran.')) emit(body);
        const text = `llmcode failed: ${errorText(error)}`;
        emit({ kind: 'turn-end', reason: 'error', text, steps: 0, durationMs: 0 });
      }
    });
  }

  #endTurn(reason: TurnEndReason, signal: AbortSignal): void {
    const { inbox } = this.#parts;
    this.#main = undefined;
    inbox.releaseClaims();
    // After an interrupt it was decided then; a turn that failed would only fail again.
    if (reason !== 'done' && !signal.aborted) this.#isHeld = inbox.hasPending;
  }

  #switch(model: ModelRef): void {
    const { seat, supervisor } = this.#parts;
    this.#successor = undefined;
    supervisor.add(seat.switchTo(model).catch((error: unknown) => this.#notice('error', errorText(error))));
  }

  #compactThenSwitch(model: ModelRef): void {
    this.#successor = model;
    this.#compact({});
  }

  #seatSuccessor(): void {
    if (this.#successor) this.#switch(this.#successor);
  }

  #compact({ focus }: { focus?: string | undefined }): void {
    const onOver = () => this.#seatSuccessor();
    if (this.#main) this.#parts.inbox.wishCompaction({ focus, onOver });
    else
      this.#main = this.#operate(async (signal) => {
        const { turnDeps, seat } = this.#parts;
        const parts = { thread: this.#thread, turnDeps, seat };
        const told = await compactNow(parts, { focus, signal }).finally(onOver);
        this.#notice(told.level, told.text);
      });
  }

  #rewind(action: RewindAction): void {
    const { changes, persist, started, ledger, turnDeps } = this.#parts;
    if (!changes || this.#isBusy) {
      const why = changes ? 'Stop what runs first (Esc), then go back.' : 'Nothing is kept of this thread.';
      this.#notice('error', why);
      return;
    }
    const log = persist ? pathsOfFiles(started.filesDir).log : undefined;
    this.#main = this.#operate(async () => {
      const told = await rewindThread({ thread: this.#thread, changes, log }, action);
      this.#notice(told.level, told.text);
      if (!told.hasRewound) return;
      const { messages } = this.#thread.state;
      ledger.reset(messages);
      turnDeps.memory().told = lastTold(modelMessages(this.#thread.state));
    });
  }

  #startShell(command: string): void {
    const { turnDeps, inbox } = this.#parts;
    if (!findTool(turnDeps.tools.tools, 'bash')) {
      this.#notice('error', 'Commands cannot be run here: there is no bash tool.');
      return;
    }
    const operation = this.#operate(async (signal) => {
      const emit = async (body: EventBody) => void this.#emit(body);
      const maxResultChars = () => turnDeps.settings.max_result_chars;
      const message = await runShellCommand({ ...turnDeps.tools, emit, maxResultChars }, { command, signal });
      inbox.addMessage(message);
    });
    this.#shells.add(operation);
  }

  /** Runs something that an interrupt can stop; what waits goes on when it has ended. */
  #operate(work: (signal: AbortSignal) => Promise<void>): Operation {
    const controller = new AbortController();
    const done = Promise.resolve()
      .then(() => work(controller.signal))
      .catch((error: unknown) => this.#notice('error', errorText(error)))
      .then(() => {
        if (this.#main === operation) this.#main = undefined;
        this.#shells.delete(operation);
        return this.#goOn();
      });
    const operation: Operation = { controller, done };
    this.#parts.supervisor.add(done);
    return operation;
  }

  async #goOn(): Promise<void> {
    const { inbox } = this.#parts;
    if (!this.#main)
      for (const message of inbox.takeMessages()) this.#emit({ kind: 'message-added', message });
    // The turn had no gap left for it.
    if (!this.#main && this.#successor && !this.#closing) {
      inbox.takeCompaction();
      this.#compact({});
    }
    if (!this.#isBusy && !this.#isHeld && !this.#closing) {
      const prompts = inbox.claimNext();
      if (prompts.length > 0) this.#startTurn(prompts);
    }
    await this.#thread.sync();
    this.#tellSaved();
  }

  #tellSaved(): void {
    const { started, persist, hooks } = this.#parts;
    const { messages } = this.#thread.state;
    const file = pathsOfFiles(started.filesDir).log;
    if (persist) hooks.tell({ event: 'session-save', file, messages: messages.length });
  }

  async #close(reason: string): Promise<void> {
    const { hooks, clock, supervisor, started, lifetime } = this.#parts;
    this.#main?.controller.abort();
    for (const { controller } of this.#shells) controller.abort();
    lifetime.abort();
    const limit = new AbortController();
    const cancel = clock.after(closeMs, () => limit.abort());
    await untilAbort(Promise.all([this.#parts.shells.close(), supervisor.idle()]), limit.signal);
    await fireHook(hooks, { event: 'session-end', reason }, { signal: limit.signal });
    cancel();
    await this.#parts.changes?.close();
    hooks.close();
    await started.release();
  }

  #emit(body: EventBody): void {
    this.#thread.emit(body, this.#thread.state.turnId);
  }

  #notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.#emit({ kind: 'notice-added', notice: { id: this.#parts.ids(), kind: 'notice', level, text } });
  }
}

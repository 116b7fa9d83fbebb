import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import { displayPath } from '#lib/paths.ts';
import { projectKey } from '#lib/project-key.ts';
import type { FileChange, KeptChangeSet } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { LiveThread } from '../thread/live-thread.ts';
import { BlobStore } from './blob-store.ts';
import { type CapturedCall, ChangeCapture } from './change-capture.ts';
import { getChanges, putChanges } from './change-lists.ts';
import { planRevert, type RevertStep } from './plan-revert.ts';
import { restore } from './restore.ts';
import { revertText, type ToldRevert } from './revert-text.ts';

export type ChangesOptions = {
  home: string;
  cwd: string;
  roots: readonly string[];
  thread: LiveThread;
  ids: IdSource;
  clock: Clock;
  /** Work that nobody waits for. */
  supervise(work: Promise<unknown>): void;
};

/** What becomes of files that the person changed meanwhile. */
export type Revert = {
  cause: 'undo' | 'redo';
  edited: 'keep' | 'overwrite';
  only?: readonly string[] | undefined;
};

/** The store of a project. It is shared by its threads, so that what did not change is kept once. */
export function changeStore(home: string, cwd: string): BlobStore {
  return new BlobStore(path.join(storeFolder(home, cwd), 'blobs'));
}

/** What the store of a project knows of the files that are there now. */
export function knownFilesFile(home: string, cwd: string): string {
  return path.join(storeFolder(home, cwd), 'files.json');
}

function storeFolder(home: string, cwd: string): string {
  return path.join(home, 'projects', projectKey(cwd), 'rewind');
}

const shownNames = 20;

/** Changes to files in one open thread: what calls do is kept, and can be turned back and forth. */
export class ThreadChanges {
  readonly #options: ChangesOptions;
  readonly #store: BlobStore;
  readonly #capture: ChangeCapture;
  #notes: string[] = [];
  #wasFailureTold = false;
  #wasPruned = false;

  constructor(options: ChangesOptions) {
    const { home, cwd, roots } = options;
    this.#options = options;
    this.#store = changeStore(home, cwd);
    const indexFile = knownFilesFile(home, cwd);
    this.#capture = new ChangeCapture({ roots, store: this.#store, indexFile });
  }

  /**
   * Before a call runs; what it changed is kept when `end` is called. Never rejects: a call is not refused because
   * what it does cannot be kept, but the person is told.
   */
  async begin(
    call: CapturedCall & { callId: string; title: string },
  ): Promise<{ end(): Promise<void> } | undefined> {
    const { callId, title } = call;
    const capture = await this.#orTold(() => this.#capture.begin(call));
    if (!capture) return undefined;
    return {
      end: async () => {
        await this.#orTold(async () => {
          const { changes, notes } = await capture.end();
          for (const note of notes) this.#tell('info', note);
          if (changes.length === 0) return;
          await this.#record(changes, { cause: 'call', callId, title });
          if (!this.#wasPruned) this.#options.supervise(this.#prune());
          this.#wasPruned = true;
        });
      },
    };
  }

  /** What the model has to be told of files that were put back. */
  takeNotes(): string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  /** Turns sets back; resolves with what came of it, for the person. Rejects when what they did is not known any more. */
  async revert(sets: readonly KeptChangeSet[], { cause, edited, only }: Revert): Promise<ToldRevert> {
    const { cwd } = this.#options;
    const steps = await planFor(this.#store, sets);
    const chosen = steps.filter(
      ({ path: file, state }) =>
        (state === 'ready' || (state === 'edited' && edited === 'overwrite')) &&
        (only === undefined || only.includes(file)),
    );
    const left = steps.filter((step) => !chosen.includes(step) && (only?.includes(step.path) ?? true));
    const { done, failed } = await restore(chosen, this.#store);
    const title = `${cause === 'undo' ? 'take back' : 'do again'} ${sets.map((set) => set.title).join(', ')}`;
    // A set that is only partly turned back stays in force, so that the rest can be turned back later.
    const isWhole = left.every(({ state }) => state === 'lost') && failed.length === 0 && only === undefined;
    const reverts = isWhole ? sets.map(({ id }) => id) : [];
    if (done.length > 0 || isWhole) await this.#record(done, { cause, title, reverts });
    if (done.length > 0) this.#notes.push(modelNote(done, { cause, cwd }));
    return revertText({ cause, done, left, failed, cwd });
  }

  async close(): Promise<void> {
    await this.#capture
      .save()
      .catch((error: unknown) => log('the look at the workspace was not kept:', error));
  }

  async #record(
    changes: readonly FileChange[],
    about: { cause: 'call' | 'undo' | 'redo'; title: string; callId?: string; reverts?: string[] },
  ): Promise<void> {
    const { thread, ids } = this.#options;
    const list = await putChanges(this.#store, changes);
    const names = changes.slice(0, shownNames).map((change) => change.path);
    const promptId = lastPrompt(thread.state);
    const set = { id: ids(), ...about, promptId, list, files: changes.length, names };
    thread.emit({ kind: 'files-changed', set }, thread.state.turnId);
  }

  async #prune(): Promise<void> {
    await this.#store
      .prune(this.#capture.kept(), this.#options.clock.now())
      .catch((error: unknown) => log('old contents of files were not let go:', error));
  }

  async #orTold<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      log('what a call changed is not kept:', error);
      if (!this.#wasFailureTold)
        this.#tell('warning', `Changes to files cannot be taken back: ${errorText(error)}`);
      this.#wasFailureTold = true;
      return undefined;
    }
  }

  #tell(level: ToldRevert['level'], text: string): void {
    const { thread, ids } = this.#options;
    thread.emit(
      { kind: 'notice-added', notice: { id: ids(), kind: 'notice', level, text } },
      thread.state.turnId,
    );
  }
}

/** What turning these sets back would do now. Changes nothing. */
export async function planFor(store: BlobStore, sets: readonly KeptChangeSet[]): Promise<RevertStep[]> {
  const lists = [];
  for (const set of sets) lists.push(await getChanges(store, set));
  return planRevert(lists, store);
}

/** Id of the newest message of the person. */
function lastPrompt({ messages }: ThreadState): string | null {
  const isPrompt = ({ role, origin }: ThreadState['messages'][number]) =>
    role === 'user' && (origin === 'person' || origin === undefined);
  return messages.findLast(isPrompt)?.id ?? null;
}

function modelNote(
  done: readonly FileChange[],
  { cause, cwd }: { cause: 'undo' | 'redo'; cwd: string },
): string {
  const names = done.slice(0, shownNames).map(({ path: file }) => displayPath(file, cwd));
  const rest = done.length > names.length ? ` and ${done.length - names.length} more` : '';
  const what = cause === 'undo' ? 'took back changes to' : 'brought back changes to';
  return `The person ${what} these files: ${names.join(', ')}${rest}. Read them again before you rely on them.`;
}

import type { FileState, Message } from '#protocol/message.ts';
import type { FileLedger } from '#protocol/tool.ts';

/** What the model has seen of files in this thread: the fold of what its calls reported, also after a resume. */
export class Ledger implements FileLedger {
  readonly #seen = new Map<string, string | null>();

  static of(messages: readonly Message[]): Ledger {
    const ledger = new Ledger();
    for (const message of messages)
      for (const part of message.parts) if (part.kind === 'tool-call') ledger.record(part.result?.fileStates);
    return ledger;
  }

  /** Forgets what messages say that are no longer there. */
  reset(messages: readonly Message[]): void {
    this.#seen.clear();
    for (const [path, sha256] of Ledger.of(messages).#seen) this.#seen.set(path, sha256);
  }

  record(states: readonly FileState[] | undefined): void {
    for (const { path, sha256 } of states ?? []) this.#seen.set(path, sha256);
  }

  seen(path: string): string | null | undefined {
    return this.#seen.get(path);
  }
}

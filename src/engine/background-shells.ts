import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { scrubSecrets } from '#lib/secrets.ts';
import type { EventBody } from '#protocol/event.ts';
import type { ShellDesk } from '#protocol/shells.ts';
import type { UserAction } from '#protocol/user-action.ts';
import type { LiveThread } from './thread/live-thread.ts';

type Parts = {
  /** undefined where every command runs by itself. */
  desk: ShellDesk | undefined;
  thread: LiveThread;
  ids: IdSource;
};

/** The commands in the background of one thread: what the person sees of them and does with them. */
export class BackgroundShells {
  readonly #parts: Parts;
  #notes: string[];

  constructor(parts: Parts) {
    this.#parts = parts;
    const { desk } = parts;
    const earlier = parts.thread.state.shells ?? [];
    const lost = earlier.filter((shell) => shell.state === 'running' && !shell.isKept);
    this.#notes = lost.map(
      ({ id, command }) => `The background command ${id} (${command}) ended with llmcode.`,
    );
    if (earlier.length > 0) this.#emit({ kind: 'shells-changed', shells: [] });
    desk?.watch((update) => {
      switch (update.kind) {
        case 'list':
          return this.#emit({ kind: 'shells-changed', shells: update.shells.map(withoutSecrets) });
        case 'output':
          return this.#emit({ ...withoutSecrets(update), kind: 'shell-progress' });
        case 'notice':
          return this.#notice(update.level, update.text);
      }
    });
  }

  get desk(): ShellDesk | undefined {
    return this.#parts.desk;
  }

  takeNotes(): string[] {
    const notes = [...this.#notes, ...(this.#parts.desk?.takeNotes() ?? [])];
    this.#notes = [];
    return notes;
  }

  moveToBack({ callId }: Extract<UserAction, { kind: 'background-run' }>): void {
    try {
      if (this.#parts.desk?.toBackground(callId) === undefined)
        this.#notice('info', 'No command runs that could go on in the background.');
    } catch (error) {
      this.#notice('warning', errorText(error));
    }
  }

  async act({ verb, shellId }: Extract<UserAction, { kind: 'shell-task' }>): Promise<void> {
    const { desk } = this.#parts;
    try {
      const shell = verb === 'kill' ? await desk?.kill(shellId, 'person') : desk?.keep(shellId);
      if (!shell) this.#notice('info', `There is no background command ${shellId}.`);
      else if (verb === 'keep' && shell.isKept)
        this.#notice(
          'info',
          `${shellId} goes on when llmcode ends; /tasks shows it in the next session here.`,
        );
    } catch (error) {
      this.#notice('warning', errorText(error));
    }
  }

  look(): void {
    this.#parts.desk?.look();
  }

  async close(): Promise<void> {
    await this.#parts.desk?.close();
  }

  #notice(level: 'info' | 'warning', text: string): void {
    const { ids } = this.#parts;
    this.#emit({ kind: 'notice-added', notice: { id: ids(), kind: 'notice', level, text } });
  }

  #emit(body: EventBody): void {
    const { thread } = this.#parts;
    thread.emit(body, thread.state.turnId);
  }
}

/** What a command prints goes to the log and the screen as the result of a tool does. */
function withoutSecrets<Said extends { tail: string }>(said: Said): Said {
  return { ...said, tail: scrubSecrets(said.tail) };
}

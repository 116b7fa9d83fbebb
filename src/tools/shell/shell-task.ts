import { StringDecoder } from 'node:string_decoder';
import { type ProcessEnd, runProcess, type StartedProcess } from '#lib/spawn.ts';
import type { BackgroundShell, ShellStart } from '#protocol/shells.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { withLastState } from './state-script.ts';
import { UnreadOutput } from './unread-output.ts';

const tailChars = 4_000;

/** Who ended a command. */
export type Ender = 'model' | 'person' | 'session';

/** One command that runs or ran, in the foreground first or in the background. */
export class ShellTask {
  readonly start: ShellStart;
  readonly key: string;
  readonly startedAt: number;
  readonly unread = new UnreadOutput();
  readonly moved = Promise.withResolvers<string>();
  readonly #stop = new AbortController();
  /** Its id once it is in the background. */
  id: string | null = null;
  process: StartedProcess | undefined;
  endedBy: Ender | undefined;
  isKept = false;
  /** The model knows that it has ended. */
  isEndTold = false;
  end: { exitCode: number | null; signal: string | null; at: number; error?: string } | undefined;
  #news = Promise.withResolvers<void>();
  readonly #decoder = new StringDecoder('utf8');
  #hasNoted = false;

  constructor(start: ShellStart, { key, startedAt }: { key: string; startedAt: number }) {
    this.start = start;
    this.key = key;
    this.startedAt = startedAt;
  }

  /** The one place where a command of the model or the person is started. */
  run({
    keepFile,
    onStart,
    onOutput,
  }: {
    keepFile: string | undefined;
    onStart(process: StartedProcess): void;
    onOutput(): void;
  }): Promise<ProcessEnd> {
    const { command, cwd, env, confinement, output } = this.start;
    const take = (chunk: Buffer) => {
      output.push(chunk);
      if (this.id !== null) this.#note(chunk);
      this.wake();
      onOutput();
    };
    const started = (process: StartedProcess) => {
      this.process = process;
      onStart(process);
    };
    const { signal } = this.#stop;
    if (this.start.isTerminal)
      return runInTerminal({
        command,
        cwd,
        env,
        confinement,
        signal,
        onStart: started,
        onOutput: (text) => take(Buffer.from(text)),
      });
    return runProcess({
      command: withLastState(command),
      ...{ cwd, env, signal, confinement, keepFile },
      hasLastWords: true,
      mergeOutput: true,
      onStart: started,
      onBytes: take,
    });
  }

  #note(chunk: Buffer): void {
    // It may move to the background in the middle of a character, whose end means nothing alone.
    let from = 0;
    if (!this.#hasNoted) while (from < 3 && ((chunk[from] ?? 0) & 0xc0) === 0x80) from += 1;
    this.#hasNoted = true;
    const text = this.#decoder.write(chunk.subarray(from));
    if (text !== '') this.unread.push(text);
  }

  stop(by: Ender): void {
    this.endedBy ??= by;
    this.#stop.abort();
  }

  wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Resolves when something is said, or it ends. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  facts(id: string): BackgroundShell {
    const { command, description, output } = this.start;
    const { end } = this;
    const wasKilled = this.endedBy !== undefined;
    return {
      id,
      command,
      ...(description === undefined ? {} : { description }),
      state: end ? (wasKilled ? 'killed' : 'exited') : 'running',
      exitCode: end?.exitCode ?? null,
      signal: end?.signal ?? null,
      startedAt: this.startedAt,
      ...(end ? { endedAt: end.at } : {}),
      lines: output.lineCount(),
      tail: output.tail().output.slice(-tailChars).toWellFormed(),
      isKept: this.isKept,
    };
  }
}

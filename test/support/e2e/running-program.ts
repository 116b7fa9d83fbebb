import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { sessionEnvironment } from '../pty/terminal-session.ts';
import { projectRoot } from '../source-files.ts';

export type ProgramOptions = {
  home: string;
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Written and closed; `open` is a pipe that nothing is written to. Default: nothing to read. */
  stdin?: string | 'open';
};

export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null };
export type ProgramResult = ProgramEnd & { stdout: string; stderr: string };

export const launcher = path.join(projectRoot, 'bin/llmcode.js');

/** The built program as a child process without a terminal. */
export class RunningProgram {
  readonly exited: Promise<ProgramEnd>;
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #stdout = '';
  #stderr = '';
  #end: ProgramEnd | undefined;

  constructor(args: readonly string[], options: ProgramOptions) {
    const { home, cwd, env, stdin = '' } = options;
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd,
      env: sessionEnvironment(home, env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    if (stdin !== 'open') child.stdin.end(stdin);
    // The program may end before it has read its input.
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#wake();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    this.exited = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        this.#end = { code, signal };
        resolve(this.#end);
        this.#wake();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves as soon as standard output is as wanted; fails when the program ends before that. */
  async untilStdout(wanted: (text: string) => boolean, timeoutMs = 20_000): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) =>
      reject(new Error(`${why}\nstdout: ${this.#stdout.slice(-2_000)}\nstderr: ${this.#stderr}`));
    const look = () => {
      if (wanted(this.#stdout)) resolve();
      else if (this.#end) fail('the program ended before that');
    };
    const timer = setTimeout(() => fail(`not there after ${timeoutMs} ms`), timeoutMs);
    this.#watchers.add(look);
    look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

/** Runs the program to its end. */
export async function runProgram(args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const program = new RunningProgram(args, options);
  const end = await program.exited;
  return { ...end, stdout: program.stdout, stderr: program.stderr };
}

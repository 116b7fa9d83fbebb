import { PassThrough, Writable } from 'node:stream';
import type { Host, StopSignal } from '#app/host.ts';
import { run } from '#app/run.ts';

export type RunOptions = {
  home: string;
  cwd: string;
  env?: Record<string, string>;
  /** Undefined = an empty, closed input. */
  stdin?: string;
  /** Gets what was written so far after each write to stdout. */
  onStdout?: (text: string, process: RunningProcess) => void;
};

export type RunningProcess = {
  signal(name: StopSignal): void;
  /** As when the reader of a pipe goes away. */
  closeStdout(): void;
};

export type RunResult = { code: number; stdout: string; stderr: string };

/** The program in this process, with streams of its own; `main.ts` does no more than this around it. */
export async function runLlmcode(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  const { host, stdout, stderr } = fakeHost(argv, options);
  const code = await run(host);
  return { code, stdout: stdout(), stderr: stderr() };
}

export function fakeHost(
  argv: readonly string[],
  options: RunOptions,
): { host: Host; stdout(): string; stderr(): string } {
  const listeners = new Set<(signal: StopSignal) => void>();
  const process: RunningProcess = {
    signal: (name) => {
      for (const listener of [...listeners]) listener(name);
    },
    closeStdout: () =>
      stdout.stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  };
  const stdout = collector((text) => options.onStdout?.(text, process));
  const stderr = collector(() => undefined);
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? '');
  const { PATH } = globalThis.process.env;
  const host: Host = {
    argv,
    env: { PATH, HOME: options.home, LLMCODE_HOME: options.home, ...options.env },
    cwd: options.cwd,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout.stream as unknown as NodeJS.WriteStream,
    stderr: stderr.stream as unknown as NodeJS.WriteStream,
    onSignal: (callback) => {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    onCrash: () => () => undefined,
  };
  return { host, stdout: stdout.text, stderr: stderr.text };
}

export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function collector(onWrite: (text: string) => void): { stream: Writable; text(): string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString();
      onWrite(text);
      done();
    },
  });
  return { stream, text: () => text };
}

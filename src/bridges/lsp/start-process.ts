import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { errorText } from '#lib/errors.ts';
import { createRunMark, endGroup, guardGroup, releaseGroup, runMarkName } from '#lib/process-group.ts';
import { lspError } from './lsp-error.ts';

/** Writes down what runs, so that it is found and ended when this process is killed. */
export interface ProcessBook {
  add(facts: {
    id: string;
    pid: number;
    mark: string;
    command: string;
    project: string;
    startedAt: number;
  }): void;
  remove(id: string): void;
}

export type ServerProcess = {
  child: ChildProcessWithoutNullStreams;
  /** The end of what it said on standard error. */
  lastWords(): string;
  /** Ends it and all that it started. Never rejects. */
  end(): Promise<void>;
};

const graceMs = 300;
const maxLastWords = 600;

/** Starts a server in a group of its own; it does not keep this process alive and ends with it. */
export async function startProcess(options: {
  id: string;
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  book: ProcessBook | undefined;
  now: number;
}): Promise<ServerProcess> {
  const { id, file, args, cwd, book } = options;
  const mark = createRunMark();
  const child = spawn(file, args, {
    cwd,
    env: { ...options.env, [runMarkName]: mark },
    detached: true,
    stdio: 'pipe',
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-maxLastWords);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => stream.destroy());
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.on('error', (error) =>
      reject(lspError('lsp_failed', `${file} could not be started: ${errorText(error)}`, error)),
    );
  });
  const pid = child.pid ?? 0;
  guardGroup(pid);
  child.unref();
  book?.add({ id, pid, mark, command: [file, ...args].join(' '), project: cwd, startedAt: options.now });
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(pid, { graceMs, mark }).then(() => {
      releaseGroup(pid);
      book?.remove(id);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    });
    return ending;
  };
  // What a server that crashed had started must not outlive it.
  child.once('exit', () => void end());
  return { child, lastWords: () => words.trim(), end };
}

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';

export type StopSignal = (typeof stopSignals)[number];

/** The process as the program sees it; a test hands in one of its own. */
export type Host = {
  argv: readonly string[];
  env: Environment;
  cwd: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Takes these signals over until the returned function is called. */
  onSignal(callback: (signal: StopSignal) => void): () => void;
  /**
   * Starts llmcode once more with these arguments, in a process of its own that outlives this one and says nothing.
   * Absent where nothing may outlive it.
   */
  startHelper?(argv: readonly string[], options: { cwd: string }): void;
  /** Gets errors that nothing caught, until the returned function is called. Of several the last one gets them. */
  onCrash(callback: (error: unknown) => void): () => void;
};

/** Those that end a program which does not care for them, as far as it can: the screen has to be put back. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM'] as const;

/** What a shell reports for a program whose reader went away. */
export const closedExitCode = 141;

/** What a shell reports for a program that this signal ended. */
export function exitCodeOfSignal(signal: StopSignal): number {
  return 128 + (constants.signals[signal] ?? 0);
}

export function hostOf(argv: readonly string[], process: NodeJS.Process): Host {
  const crashCallbacks: ((error: unknown) => void)[] = [];
  return {
    argv,
    env: process.env,
    cwd: currentFolder(process),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onSignal: (callback) => {
      const listeners = stopSignals.map((signal) => [signal, () => callback(signal)] as const);
      for (const [signal, listener] of listeners) process.on(signal, listener);
      return () => {
        for (const [signal, listener] of listeners) process.off(signal, listener);
      };
    },
    startHelper: (helperArgv, { cwd }) => {
      const script = process.argv[1];
      if (script === undefined) return;
      const child = spawn(process.execPath, [...process.execArgv, script, ...helperArgv], {
        ...{ cwd, env: process.env, detached: true, stdio: 'ignore' as const, windowsHide: true },
      });
      child.on('error', (error) => log('the helper did not start:', error));
      child.unref();
    },
    onCrash: (callback) => {
      if (crashCallbacks.length === 0)
        process.on('uncaughtException', (error) => crashCallbacks.at(-1)?.(error));
      crashCallbacks.push(callback);
      return () => void crashCallbacks.splice(crashCallbacks.lastIndexOf(callback), 1);
    },
  };
}

/**
 * Empty when the folder that the program was started in is gone; whoever needs it says so. Libraries that ask for it
 * while they load would throw, so the process moves to one that is always there.
 */
function currentFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return '';
  }
}

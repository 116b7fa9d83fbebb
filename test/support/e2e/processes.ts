import { readFileSync } from 'node:fs';

/** True for a process that runs; one that has ended and was not reaped yet is gone. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Process numbers that a script wrote into a file, one a line. */
export function pidsIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return []; // Not written yet.
  }
}

/**
 * How long the main thread of a process has waited for a processor so far, in milliseconds: on a busy machine that
 * is no time of the program's own. 0 where the system does not say.
 */
export function waitedForCpuMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

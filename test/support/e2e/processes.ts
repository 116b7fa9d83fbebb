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

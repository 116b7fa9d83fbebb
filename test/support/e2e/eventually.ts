import { setTimeout as pause } from 'node:timers/promises';

/** Resolves with the first value that is not undefined or false; fails after the time. Milliseconds. */
export async function eventually<Value>(
  look: () => Value | undefined | false,
  { what, timeoutMs = 10_000 }: { what: string; timeoutMs?: number },
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  while (true) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() >= deadline) throw new Error(`not there after ${timeoutMs} ms: ${what}`);
    await pause(10);
  }
}

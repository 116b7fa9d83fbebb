import lockfile from 'proper-lockfile';

/**
 * Holds a folder against the other processes of llmcode; resolves with what lets it go. `staleMs`: a holder that is
 * silent so long is dead. Rejects with `ELOCKED` when it stays held through all `retries`.
 */
export async function lockFolder(
  folder: string,
  { staleMs, retries, waitMs }: { staleMs: number; retries: number; waitMs: number },
): Promise<() => Promise<void>> {
  return lockfile.lock(folder, {
    stale: staleMs,
    retries: { retries, minTimeout: waitMs, maxTimeout: waitMs * 10 },
  });
}

/** Waits until `find` gives something true, and returns it. */
export async function waitFor<T>(find: () => T, { timeoutMs = 4_000 } = {}): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  while (true) {
    const found = find();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Waited in vain for ${find.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Runs a program that has the terminal meanwhile. Resolves with its exit code; rejects when there is no such program. */
export async function runAttached(file: string, args: readonly string[]): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

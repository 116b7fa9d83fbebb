import type { Host } from './host.ts';

/** Does what the command line asks and returns the exit code. Never throws. */
export async function run(host: Host): Promise<number> {
  try {
    if (host.argv.length === 0 && host.stdin.isTTY && host.stdout.isTTY) {
      const { runInteractive } = await import('./modes/interactive.ts');
      return await runInteractive(host, {});
    }
    const { dispatch } = await import('./cli/dispatch.ts');
    return await dispatch(host);
  } catch (error) {
    if (host.stdin.isTTY && host.stdin.isRaw) host.stdin.setRawMode(false);
    const { reportFailure } = await import('./report-failure.ts');
    return reportFailure(host, error);
  }
}

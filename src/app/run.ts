import type { BootScreen } from '#ui/boot/boot-screen.ts';
import type { Host } from './host.ts';

/** Does what the command line asks and returns the exit code. Never throws. */
export async function run(host: Host): Promise<number> {
  let boot: BootScreen | undefined;
  try {
    if (host.argv.length === 0 && host.stdin.isTTY && host.stdout.isTTY) {
      const { loadScreenInSteps, openBoot } = await import('./modes/boot.ts');
      boot = openBoot(host);
      await loadScreenInSteps();
      const { runInteractive } = await import('./modes/interactive.ts');
      return await runInteractive(host, {}, boot);
    }
    const { dispatch } = await import('./cli/dispatch.ts');
    return await dispatch(host);
  } catch (error) {
    boot?.abandon();
    if (host.stdin.isTTY && host.stdin.isRaw) host.stdin.setRawMode(false);
    const { reportFailure } = await import('./report-failure.ts');
    return reportFailure(host, error);
  }
}

// Free of everything that the first frame does not need; the session loads the rest once it is drawn.
import path from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { openLog } from '#lib/log.ts';
import { type Environment, llmcodeHome } from '#lib/paths.ts';
import type { BootScreen } from '#ui/boot/boot-screen.ts';
import { startScreen } from '#ui/screen.tsx';
import type { SessionFlags } from '../cli/flags.ts';
import { usageError } from '../cli/usage-error.ts';
import { workingFolder } from '../cwd.ts';
import { exitCodeOfSignal, type Host, type StopSignal } from '../host.ts';
import { say } from '../say.ts';
import { InteractiveSession } from '../session/interactive-session.ts';
import { createSessionPort } from '../session/session-port.ts';
import { peekSettings } from '../settings/peek-settings.ts';

/** The first keys come with the first frame; loading right then would hold up their echo. */
const loadDelayMs = 50;

/** The fullscreen session. Returns the exit code when the person has left and everything is written. */
export async function runInteractive(host: Host, flags: SessionFlags, boot?: BootScreen): Promise<number> {
  refuseDumbTerminal(host.env);
  if (!host.stdin.isRaw) host.stdin.setRawMode(true);
  const home = llmcodeHome(host.env);
  const cwd = workingFolder(host, flags.cwd);
  const { theme, mode, editorMode, mouse } = peekSettings({ home, env: host.env, flags });
  const session = new InteractiveSession({ host, flags, cwd, mode });
  let signal: StopSignal | undefined;
  const restoreSignals = host.onSignal((received) => {
    signal ??= received;
  });
  const { stdin, stdout, stderr, env } = host;
  let farewell: readonly string[] = [];
  try {
    const port = createSessionPort(session, { theme, mode, editorMode, mouse });
    const screen = startScreen(port, { stdin, stdout, stderr, env, boot });
    screen.catch(() => undefined); // Awaited below; loading goes on meanwhile.
    await systemClock.wait(loadDelayMs);
    openLog(path.join(home, 'logs'));
    session.begin();
    ({ farewell } = await screen);
  } finally {
    await session.close();
    restoreSignals();
  }
  if (farewell.length > 0 && (await session.isKept())) for (const line of farewell) say(stdout, line);
  return signal ? exitCodeOfSignal(signal) : 0;
}

/** It would show the control sequences of the screen as text. Windows names no terminal. */
function refuseDumbTerminal({ TERM: term }: Environment): void {
  if (process.platform === 'win32' || (term && term !== 'dumb')) return;
  const what = term ? 'TERM=dumb is a terminal without a screen' : 'TERM is not set';
  throw usageError(`${what}; use -p for an answer without one, e.g. llmcode -p "fix the tests"`);
}

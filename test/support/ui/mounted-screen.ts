import { onTestFinished } from 'vitest';
import { type ScreenEnd, startScreen } from '#ui/screen.tsx';
import { createFakePort, type FakePort } from './fake-port.ts';
import { createFakeTerminal, type FakeTerminal } from './fake-terminal.ts';

export type MountedScreen = {
  readonly terminal: FakeTerminal;
  readonly port: FakePort;
  readonly end: Promise<ScreenEnd>;
};

/** The real screen in a terminal of this process; it is left when the test is over. */
export async function mountScreen(
  options: {
    columns?: number;
    rows?: number;
    env?: Record<string, string>;
    port?: FakePort;
    /** What the person typed before the screen was there. */
    typedAhead?: string;
  } = {},
): Promise<MountedScreen> {
  const terminal = createFakeTerminal(options);
  const port = options.port ?? createFakePort();
  if (options.typedAhead) terminal.type(options.typedAhead);
  const end = startScreen(port, terminal.streams);
  let isOver = false;
  const settled = end.then(
    () => undefined,
    () => undefined,
  );
  void settled.then(() => {
    isOver = true;
  });
  onTestFinished(async () => {
    while (!isOver) {
      terminal.type('\x03');
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 60))]);
    }
  });
  await terminal.shows(/\S/);
  return { terminal, port, end };
}

import path from 'node:path';
import { type Instance, render } from 'ink';
import { systemClock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { type Environment, llmcodeHome } from '#lib/paths.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { BootScreen } from './boot/boot-screen.ts';
import { compactOutput } from './frame/compact-output.ts';
import { createScreenApp } from './frame/create-screen-app.ts';
import { farewellLines } from './frame/farewell.ts';
import { Root } from './frame/root.tsx';
import { KeySource } from './input/key-source.ts';
import { HandOver } from './terminal/hand-over.ts';
import { InputTap, type TapSource } from './terminal/input-tap.ts';
import { armRestore, restoreTerminal } from './terminal/restore.ts';

/** The terminal. Raw mode may be on already: what was typed before the first frame is kept and read. */
export type ScreenStreams = {
  readonly stdin: TapSource;
  readonly stdout: NodeJS.WriteStream & { readonly fd?: number };
  readonly stderr: NodeJS.WriteStream;
  readonly env: Environment;
  /** What stands on the screen already. */
  readonly boot?: BootScreen | undefined;
};

export type ScreenEnd = {
  /** `signal`: the program was asked to end from outside. */
  readonly exit: 'quit' | 'signal';
  /** What to print once the screen is gone. */
  readonly farewell: string[];
};

/** Lines that follow a resize close together are one: the last one is drawn from a blank screen. */
const settleMs = 120;
/** Keys that the boot stage showed are in the prompt by then, or they did something else. */
const handOverMs = 150;
const homeAndErase = '\x1b[H\x1b[J';

/**
 * Shows the fullscreen session until the person leaves or a signal ends it; the terminal is as before then. Rejects
 * with `screen-failed` when the screen itself broke.
 */
export async function startScreen(port: ScreenPort, streams: ScreenStreams): Promise<ScreenEnd> {
  const { stdout, env, boot } = streams;
  const clock = systemClock;
  boot?.handOver();
  const keys = new KeySource(streams.stdin, { clock });
  const tap = new InputTap(keys as unknown as TapSource);
  const write = (text: string) => void stdout.write(text);
  let instance: Instance | undefined;
  let exit: ScreenEnd['exit'] = 'quit';

  const drawAnew = () => {
    if (!instance) return;
    instance.clear();
    write(homeAndErase);
    instance.rerender(<Root app={app} />);
  };
  const { app, start, redraw, close } = createScreenApp({ port, clock, env, tap, write, redraw: drawAnew });

  const endFromOutside = () => {
    exit = 'signal';
    instance?.unmount();
  };
  let isRestored = false;
  const handOver = boot && new HandOver((text) => !isRestored && write(text), stdout);
  const disarm = armRestore({
    fd: stdout.fd ?? -1,
    process,
    onSignal: endFromOutside,
    onRestore: () => {
      isRestored = true;
    },
  });
  // A terminal that is gone may say so here first. The listener stays: a late write must not end the program.
  stdout.on('error', endFromOutside);
  streams.stdin.on('end', endFromOutside);
  streams.stdin.on('error', endFromOutside);
  let cancelHandOver = (): void => undefined;
  let cancelSettle = (): void => undefined;
  const onResize = () => {
    cancelSettle();
    cancelSettle = clock.after(settleMs, redraw);
  };

  try {
    instance = render(<Root app={app} />, {
      stdin: tap as unknown as NodeJS.ReadStream,
      stdout: compactOutput(stdout, { isMuted: () => isRestored, handOver }),
      stderr: streams.stderr,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      // The frame clock paces what streams. With a pace of its own Ink would hold up the key after each such frame.
      maxFps: 250,
      kittyKeyboard: { mode: 'auto' },
      onRender: ({ renderTime }) => {
        app.store.reportPaint(renderTime);
        // It is called before the frame is written.
        if (boot && app.prompt.getState().editor.text.startsWith(boot.draft))
          setImmediate(() => handOver?.release());
      },
    });
    cancelHandOver = clock.after(handOverMs, () => handOver?.release());
    stdout.on('resize', onResize);
    start();
    await instance.waitUntilExit();
  } catch (error) {
    restoreTerminal(stdout.fd ?? -1);
    log('the screen failed', error);
    const logs = path.join(llmcodeHome(env), 'logs');
    throw new LlmcodeError(
      'screen-failed',
      `The screen failed: ${errorText(error)}. Details are in ${logs}.`,
      {
        cause: error,
      },
    );
  } finally {
    streams.stdin.off('end', endFromOutside);
    streams.stdin.off('error', endFromOutside);
    stdout.off('resize', onResize);
    cancelSettle();
    cancelHandOver();
    handOver?.release();
    close();
    tap.close();
    keys.close();
    disarm();
  }
  return { exit, farewell: farewellLines(app.store.getThread(), port.startCommand) };
}

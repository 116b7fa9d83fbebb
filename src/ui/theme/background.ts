import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/paths.ts';

type Appearance = 'dark' | 'light';

/** Asks the terminal for its background colour; the reply comes through the input. */
export const backgroundQuery = '\x1b]11;?\x1b\\';

/** Reads the reply to `backgroundQuery`, with or without its frame: `rgb:1e1e/1e1e/2e2e`. */
export function parseBackgroundReply(text: string): Appearance | undefined {
  const match = /rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(text);
  if (!match) return undefined;
  const [red, green, blue] = match.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  const brightness = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  return brightness > 0.5 ? 'light' : 'dark';
}

/** `COLORFGBG` is `foreground;background` in palette numbers; some terminals set it, none has to. */
export function appearanceHint(env: Environment): Appearance | undefined {
  const background = Number(env['COLORFGBG']?.split(';').at(-1) || Number.NaN);
  if (!Number.isInteger(background)) return undefined;
  return background === 7 || background >= 9 ? 'light' : 'dark';
}

/**
 * What the terminal says, or undefined when it says nothing in time. `onReply` hands over each operating system
 * command that arrives on the input and returns how to stop.
 */
export function queryBackground(options: {
  write: (text: string) => void;
  onReply: (listener: (reply: string) => void) => () => void;
  clock: Clock;
  timeoutMs: number;
}): Promise<Appearance | undefined> {
  return new Promise((resolve) => {
    const finish = (appearance: Appearance | undefined) => {
      stopListening();
      cancelTimeout();
      resolve(appearance);
    };
    const stopListening = options.onReply((reply) => {
      const appearance = reply.startsWith('11;') ? parseBackgroundReply(reply) : undefined;
      if (appearance) finish(appearance);
    });
    const cancelTimeout = options.clock.after(options.timeoutMs, () => finish(undefined));
    options.write(backgroundQuery);
  });
}

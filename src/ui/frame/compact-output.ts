import type { HandOver } from '../terminal/hand-over.ts';

const frameStart = '\x1b[?2026h';
const frameEnd = '\x1b[?2026l';

/**
 * The same stream, but a run of "next line" steps is written as one. Ink steps over every row that did not change:
 * 3 bytes a row in each frame, which is most of what a key costs. A frame is written in one piece with its marks, not
 * in three: each write is work for the terminal too. Nothing is written while `isMuted`: at the exit of the process
 * Ink draws a last frame, which would wipe out what stands on the screen that was put back by then.
 */
export function compactOutput<Stream extends NodeJS.WriteStream>(
  stream: Stream,
  { isMuted = () => false, handOver }: { isMuted?: () => boolean; handOver?: HandOver | undefined } = {},
): Stream {
  /** A frame from its opening mark on, as far as it has come. */
  let frame = '';
  const write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const isPart = typeof chunk === 'string' && rest.length === 0 && (frame !== '' || chunk === frameStart);
    if (isPart) frame += chunk;
    if (isPart && chunk !== frameEnd) return true;
    const whole = frame;
    frame = '';
    if (isPart) return writeOut(whole);
    if (whole !== '') writeOut(whole);
    return writeOut(chunk, ...rest);
  };
  const writeOut = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const isKept = !isMuted() && handOver?.takes(chunk);
    const bytes = isMuted() || isKept ? '' : compacted(chunk);
    return (stream.write as (...args: unknown[]) => boolean)(bytes, ...rest);
  };
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function compacted(frame: string | Uint8Array): string | Uint8Array {
  if (typeof frame !== 'string') return frame;
  return frame.replaceAll(/(?:\x1b\[E){2,}/g, (steps) => `\x1b[${steps.length / 3}E`);
}

/**
 * The same stream, but a run of "next line" steps is written as one. Ink steps over every row that did not change:
 * 3 bytes a row in each frame, which is most of what a key costs. Nothing is written while `isMuted`: at the exit of
 * the process Ink draws a last frame, which would wipe out what stands on the screen that was put back by then.
 */
export function compactOutput<Stream extends NodeJS.WriteStream>(
  stream: Stream,
  { isMuted = () => false }: { isMuted?: () => boolean } = {},
): Stream {
  const write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    (stream.write as (...args: unknown[]) => boolean)(isMuted() ? '' : compacted(chunk), ...rest);
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

import { cleanText } from '#lib/terminal-text.ts';

/** Writes a line for a person. Part of it may be untrusted, so nothing in it reaches the terminal raw. */
export function say(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${cleanText(text)}\n`);
}

/** So far a line end may be from where a text is cut, in characters; in a long text a fifth of what stays. */
const nearChars = 200;

/** The last line end before `at`, when one is near; else `at`. */
export function lineBefore(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at);
  return end > at - Math.max(nearChars, at * 0.2) && end > 0 ? end : at;
}

/** The beginning of the first line behind `at`, when one is near; else `at`. */
export function lineAfter(text: string, at: number): number {
  const start = text.indexOf('\n', at) + 1;
  return start > 0 && start - at < Math.max(nearChars, (text.length - at) * 0.2) && start < text.length
    ? start
    : at;
}

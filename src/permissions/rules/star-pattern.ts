/** Text with `*` for anything: the pieces between the stars. One piece means the text itself. */
export type StarPattern = readonly string[];

export function starPattern(text: string): StarPattern {
  return text.split(/\*+/);
}

/** Takes time in proportion to the lengths, whatever the pattern: no regular expression. */
export function starMatches(pattern: StarPattern, text: string): boolean {
  const [first = '', ...rest] = pattern;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

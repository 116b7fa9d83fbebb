/**
 * False only when no line of the text can fit the pattern, whichever dialect of regular expressions it is in. Looks
 * for the plain words that a match would have to hold, without regard to case.
 */
export function mayFind(pattern: string, text: string): boolean {
  // A group that may be missing, and classes that stand for what is not written out.
  if (/\)\s*\\?[?*{]|\\\)\\?[?*{]|\(\?/.test(pattern)) return true;
  const lower = Buffer.from(text, 'latin1').toString('utf8').toLowerCase();
  return pattern.split(/\\?\||\n/).some((choice) => plainRuns(choice).every((run) => lower.includes(run)));
}

/** The runs of letters, digits and `_` that each match holds as they are. */
function plainRuns(choice: string): string[] {
  const text = choice
    .replaceAll(/\[\^?\]?(\[:\w+:\]|[^\]])*\]/g, '\u0000')
    // A sign that may be missing or come again, and its count.
    .replaceAll(/\\?.\\?\{[^}]*\}?/gsu, '\u0000')
    .replaceAll(/(\\.|.)\\?[?*]/gsu, '\u0000')
    .replaceAll(/\\[pP]\{?[^}]*\}?|\\x\{?[0-9a-f]*\}?|\\u\{?[0-9a-f]*\}?|\\[^\W_]|\\./gi, '\u0000');
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

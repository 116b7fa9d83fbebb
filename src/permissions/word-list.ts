/** A long list of names without blanks in them, written as prose. */
export function wordList(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

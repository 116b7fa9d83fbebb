/** What is written as `@path` in a text: plain up to the next blank, or in quotes when the path holds blanks. */
export function mentionsIn(text: string): string[] {
  const found: string[] = [];
  for (const [, quoted, plain] of text.matchAll(/(?<![^\s([{<'"])@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    const path = quoted ?? plain;
    if (path !== undefined && !found.includes(path)) found.push(path);
  }
  return found;
}

/** The path with and without what may be the sentence's own punctuation, the longer first. */
export function mentionSpellings(mention: string): string[] {
  const bare = mention.replace(/[),.:;!?\]}>'"]+$/, '');
  return bare === mention || bare === '' ? [mention] : [mention, bare];
}

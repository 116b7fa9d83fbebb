/**
 * Claude's matcher: empty or `*` takes everything; of letters, digits, `_`, `-`, blanks, `,` and `|` only it is a
 * list of exact names; anything else is a regular expression that may match anywhere in a name.
 */
export function matcherTest(matcher: string): (names: readonly string[]) => boolean {
  const text = matcher.trim();
  if (text === '' || text === '*') return () => true;
  if (isList(text)) {
    const wanted = text.split(/[|,]/).map((name) => name.trim());
    return (names) => names.some((name) => wanted.includes(name));
  }
  const expression = new RegExp(text);
  return (names) => names.some((name) => expression.test(name));
}

/** Why a text is no matcher. */
export function matcherProblem(matcher: string): string | undefined {
  try {
    matcherTest(matcher);
    return undefined;
  } catch {
    return 'this is neither a list of names nor a regular expression';
  }
}

function isList(text: string): boolean {
  return /^[\w\- ,|]+$/.test(text);
}

import { Lexer, type MarkedToken, type Token, Tokenizer } from 'marked';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';

export type { MarkedToken, Tokens } from 'marked';

/** A document with deeper nesting or a longer block than this is no prose; it is shown as it is. */
const maxNesting = 60;
const maxBlockLength = 60_000;

/**
 * Blocks of a clean markdown text. Never throws: what cannot be read is one plain block. `literal` leaves alone what
 * a name may look like: `__proto__` is no bold word then.
 */
export function lexMarkdown(text: string, { literal = false } = {}): MarkedToken[] {
  if (isHostile(text)) return [verbatim(text)];
  try {
    const tokenizer = literal ? literalTokenizer() : null;
    return known(new Lexer({ gfm: true, breaks: true, tokenizer }).lex(text));
  } catch (error) {
    log('markdown: shown as plain text:', errorText(error));
    return [verbatim(text)];
  }
}

/** Tokens of no extension but our own (there is none) are `Generic`; all others are known. */
export function known(tokens: readonly Token[]): MarkedToken[] {
  return tokens as MarkedToken[];
}

/** Knows code, lists and tables, but none of the marks inside a line. */
function literalTokenizer(): Tokenizer {
  const none = () => undefined;
  return Object.assign(new Tokenizer(), {
    emStrong: none,
    del: none,
    link: none,
    reflink: none,
    escape: none,
    def: none,
  });
}

function verbatim(text: string): MarkedToken {
  return { type: 'code', raw: text, text, codeBlockStyle: 'indented' };
}

const deep = new RegExp(
  `^(?:[ \\t]*>){${maxNesting}}|^(?:[ \\t]*[-*+]){${maxNesting}} |(?:[\\[*_]){${maxNesting * 4}}`,
  'm',
);

function isHostile(text: string): boolean {
  if (deep.test(text)) return true;
  return (
    text.length > maxBlockLength &&
    text.split(/\n[ \t]*\n/).some((block) => block.length > maxBlockLength * 4)
  );
}

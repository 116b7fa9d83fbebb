// The only file that knows the parser. Everything else sees the nodes as plain types.
import { forEachChild, parse, type Script, type SyntaxNode } from 'unbash';

export type {
  ArithmeticExpression,
  Assignment,
  Redirection,
  Script,
  SyntaxNode,
  Word,
  WordPart,
} from 'unbash';
export { forEachChild } from 'unbash';

export type ParsedShell = {
  script: Script;
  /** What the grammar could not read, at any depth; undefined when it read everything. */
  error: string | undefined;
};

/** Reads Bash source. Never throws: with an `error` the script is what could be made out. */
export function parseShell(source: string): ParsedShell {
  try {
    const script = parse(source);
    return { script, error: firstError(script) };
  } catch (error) {
    const script: Script = { type: 'Script', pos: 0, end: 0, shebang: undefined, commands: [] };
    return { script, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Nested scripts report their own errors; word parts are made on first access, so only a walk finds all. */
function firstError(root: SyntaxNode): string | undefined {
  const waiting: SyntaxNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Script' && 'errors' in node) {
      const errors = node.errors;
      if (errors?.[0]) return errors[0].message;
    }
    forEachChild(node, (child) => waiting.push(child));
  }
  return undefined;
}

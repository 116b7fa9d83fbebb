// The only file that knows the parser. Everything else sees the nodes as plain types.
import { forEachChild, parse, type Script, type SyntaxNode } from 'unbash';

export type {
  ArithmeticExpression,
  Assignment,
  Redirection,
  Script,
  SyntaxNode,
  TestExpression,
  Word,
  WordPart,
} from 'unbash';
export { forEachChild } from 'unbash';

type ParsedShell = {
  script: Script;
  /** What the grammar could not read, at any depth; undefined when it read everything. */
  error: string | undefined;
};

/** Deeper nodes than this are not walked: every walk here is recursive. */
const maxDepth = 400;

const nothing: Script = { type: 'Script', pos: 0, end: 0, shebang: undefined, commands: [] };

/** Reads Bash source. Never throws: with an `error` the script is what could be made out. */
export function parseShell(source: string): ParsedShell {
  try {
    const script = parse(source);
    const { error, isTooDeep } = inspect(script);
    return isTooDeep ? { script: nothing, error: 'nested too deeply' } : { script, error };
  } catch (error) {
    return { script: nothing, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Nested scripts report their own errors; word parts are made on first access, so only a walk finds all. */
function inspect(root: SyntaxNode): { error: string | undefined; isTooDeep: boolean } {
  let error: string | undefined;
  let level: SyntaxNode[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return { error, isTooDeep: true };
    const next: SyntaxNode[] = [];
    for (const node of level) {
      if (node.type === 'Script' && 'errors' in node) error ??= node.errors?.[0]?.message;
      forEachChild(node, (child) => next.push(child));
    }
    level = next;
  }
  return { error, isTooDeep: false };
}

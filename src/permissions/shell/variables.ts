import { forEachChild, type SyntaxNode } from './parse.ts';

/** Names with a meaning to a shell or to the programs that it starts, though they are in small letters. */
const reserved =
  /^(path|fpath|cdpath|mailpath|manpath|module_path|psvar|watch|argv|status|prompt|prompt[234]|home|term|histchars|auto_resume|.*_proxy|npm_.*)$/;

/** A variable that nothing but the text itself looks at: setting it changes no program. */
export function isPlainVariable(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,39}$/.test(name) && !reserved.test(name);
}

/** How often the text sets each name: the value of one that is set in two places depends on the way taken. */
export function countAssignments(root: SyntaxNode): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') add(node.name);
    else if (node.type === 'For' || node.type === 'Select') add(node.name.value);
    else if (node.type === 'Command' && settersByName.has(node.name?.value ?? '')) {
      for (const word of node.args) if (word.type === 'Word') add(word.value);
    }
    forEachChild(node, visit);
  };
  visit(root);
  return counts;
}

const settersByName = new Set([
  'read',
  'unset',
  'export',
  'mapfile',
  'readarray',
  'getopts',
  'printf',
  'wait',
]);

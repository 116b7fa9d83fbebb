import { findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser';

/** The lines, from 1, on which the entries of a list in a JSON text begin; [] when there is no list. */
export function listLines(text: string, tree: Node | undefined, keys: JSONPath): number[] {
  const list = tree && findNodeAtLocation(tree, keys);
  let line = 1;
  let at = 0;
  return (list?.type === 'array' ? (list.children ?? []) : []).map(({ offset }) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  });
}

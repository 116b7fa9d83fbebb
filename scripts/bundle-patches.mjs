// Changes to libraries as they are bundled. None changes what a library does, only how often it does it. Each is bound
// to the text it replaces: a release in which that text is another one fails the build.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An esbuild plugin: `edit` gets the text of the files whose path ends as `filter` says and returns the new one. */
function edited(name, filter, edit) {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path: file }) => {
        const source = readFileSync(file, 'utf8');
        const replaced = (from, to) => {
          if (source.split(from).length !== 2)
            throw new Error(`${name}: ${path.basename(file)} is another one now`);
          return (text) => text.replace(from, () => to);
        };
        return { contents: edit(source, replaced) };
      });
    },
  };
}

/**
 * Yoga fetches its WebAssembly from a data URL, and the first `fetch` of a process loads a whole HTTP client: a quarter
 * of the time to the first frame. Here it is handed the bytes.
 */
const yogaFromBuffer = edited('yoga-from-buffer', /yoga-wasm-base64-esm\.js$/, (source, replaced) => {
  const [literal = '', scheme, bytes] =
    /"(data:application\/octet-stream;base64,)([\w+/=]+)"/.exec(source) ?? [];
  return [
    replaced(literal, `"${scheme}"`),
    replaced('h.wasmBinary&&(w=h.wasmBinary)', `w=Buffer.from("${bytes}","base64")`),
  ].reduce((text, replace) => replace(text), source);
});

const cacheOf = (name, size) => `
const ${name} = new Map();
const ${name}Of = (key, make) => {
  let value = ${name}.get(key);
  if (value === undefined) {
    value = make(key);
    if (${name}.size >= ${size}) ${name}.clear();
    ${name}.set(key, value);
  }
  return value;
};`;

/**
 * Ink takes every text of a frame apart into characters, with a cache that lives for one frame. From frame to frame
 * almost all rows are the same, so here the cache stays. Its values are never written to.
 */
const inkOutputCaches = edited('ink-output-caches', /ink\/build\/output\.js$/, (source, replaced) =>
  [
    replaced(
      'export default class Output {',
      `const emptyCell = { type: 'char', value: ' ', fullWidth: false, styles: [] };
let keptCaches = new OutputCaches();
const currentCaches = () => {
  const { widths, blockWidths, styledChars } = keptCaches;
  if (Math.max(widths.size, blockWidths.size, styledChars.size) > 2_000) keptCaches = new OutputCaches();
  return keptCaches;
};
export default class Output {`,
    ),
    replaced('    caches = new OutputCaches();', '    caches = currentCaches();'),
    // Cells are replaced, never changed: one stands for all empty ones.
    replaced(
      `const row = [];
            for (let x = 0; x < this.width; x++) {
                row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });
            }`,
      'const row = new Array(this.width).fill(emptyCell);',
    ),
    replaced(
      'const lineWithoutEmptyItems = line.filter(item => item !== undefined);',
      'const lineWithoutEmptyItems = line.includes(undefined) ? line.filter(item => item !== undefined) : line;',
    ),
    // A text of one line is its own line.
    replaced(
      'const characterLines = [[]];',
      "const isOneLine = !text.includes('\\n');\n        const characterLines = [[]];",
    ),
    replaced(
      'of this.caches.getStyledChars(text)) {',
      'of isOneLine ? [] : this.caches.getStyledChars(text)) {',
    ),
    replaced(
      'let lines = characterLines.map(line => styledCharsToString(line));',
      'let lines = isOneLine ? [text] : characterLines.map(line => styledCharsToString(line));',
    ),
    // A line that is not cut stays as it is.
    replaced(
      'return this.sliceLineToColumns(line, from, to);',
      'return from === 0 && to === width ? line : this.sliceLineToColumns(line, from, to);',
    ),
  ].reduce((text, replace) => replace(text), source),
);

/** The same for what is cleaned of control sequences, twice for each text in each frame. */
const inkSanitizeCache = edited('ink-sanitize-cache', /ink\/build\/sanitize-ansi\.js$/, (source, replaced) =>
  [
    replaced(
      'const sanitizeAnsi = (text) => {',
      `${cacheOf('clean', 2_000)}\nconst sanitizeAnsi = (text) => cleanOf(text, sanitize);\nconst sanitize = (text) => {`,
    ),
  ].reduce((text, replace) => replace(text), source),
);

/**
 * One copy of string-width for all, ours, with a memory for what is not plain ASCII: rows are measured and painted by
 * the same rules, and each older copy below Ink would compile a regular expression of all emoji for its first such line.
 */
function oneStringWidth(root) {
  const file = path.join(root, 'node_modules/string-width/index.js');
  return {
    name: 'one-string-width',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^string-width$/ }, ({ namespace }) =>
        namespace === 'string-width' ? { path: file } : { path: 'string-width', namespace: 'string-width' },
      );
      onLoad({ filter: /.*/, namespace: 'string-width' }, () => ({
        resolveDir: root,
        contents: `import measure from 'string-width';
const plain = /^[\\x20-\\x7e]*$/;${cacheOf('widths', 4_000)}
export default function stringWidth(text, options) {
  if (typeof text !== 'string' || options !== undefined || text.length > 1_000) return measure(text, options);
  return plain.test(text) ? text.length : widthsOf(text, measure);
}`,
      }));
    },
  };
}

export const bundlePatches = (root) => [
  yogaFromBuffer,
  inkOutputCaches,
  inkSanitizeCache,
  oneStringWidth(root),
];

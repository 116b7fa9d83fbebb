// Changes to libraries as they are bundled. None changes what a library does, only how often it does it. Each is bound
// to the text it replaces: a release in which that text is another one fails the build.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
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
 * Ink takes every text of a frame apart into characters and puts the frame together from cells, with a cache that lives
 * for one frame. From frame to frame almost all rows are the same, so here the cache stays, and a row that one text
 * alone makes is put together once. Cached characters are never written to.
 */
const inkOutputCaches = edited('ink-output-caches', /ink\/build\/output\.js$/, (source, replaced) =>
  [
    replaced(
      'export default class Output {',
      `const emptyCell = { type: 'char', value: ' ', fullWidth: false, styles: [] };
let keptCaches = new OutputCaches();
const currentCaches = () => {
  const { widths, blockWidths } = keptCaches;
  for (const cache of [widths, blockWidths]) if (cache.size > 4_000) cache.clear();
  return keptCaches;
};
const rowsOfOne = new WeakMap();
const fillRow = (row, { width, caches }) => {
  for (let x = 0; x < width; x++) row.push(emptyCell);
  let x = row.from;
  for (const character of row.only ?? []) {
    row[x] = character;
    const cells = Math.max(1, caches.getStringWidth(character.value));
    for (let offset = 1; offset < cells; offset++)
      row[x + offset] = { type: 'char', value: '', fullWidth: false, styles: character.styles };
    x += cells;
  }
  return row;
};
const rowText = (row) => {
  const cells = row.includes(undefined) ? row.filter(cell => cell !== undefined) : row;
  return styledCharsToString(cells).trimEnd();
};
const rowOfOne = (row, output) => {
  const known = rowsOfOne.get(row.only);
  if (known?.from === row.from && known.width === output.width) return known.text;
  const text = rowText(fillRow(row, output));
  rowsOfOne.set(row.only, { from: row.from, width: output.width, text });
  return text;
};
export default class Output {`,
    ),
    replaced('    caches = new OutputCaches();', '    caches = currentCaches();'),
    // Taken apart a row is large: only as many are kept as two screens have.
    replaced(
      'let cached = this.styledChars.get(line);',
      `let cached = this.styledChars.get(line);
        if (cached !== undefined) {
            this.styledChars.delete(line);
            this.styledChars.set(line, cached);
        }`,
    ),
    replaced(
      'this.styledChars.set(line, cached);',
      `this.styledChars.set(line, cached);
            if (this.styledChars.size > 400) this.styledChars.delete(this.styledChars.keys().next().value);`,
    ),
    // A row has no cells until a second text goes into it.
    replaced(
      `for (let x = 0; x < this.width; x++) {
                row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });
            }`,
      '',
    ),
    replaced(
      'let offsetX = x;',
      `if (currentLine.length === 0) {
                if (!currentLine.only && x >= 0) {
                    currentLine.only = characters;
                    currentLine.from = x;
                    continue;
                }
                fillRow(currentLine, this);
            }
            let offsetX = x;`,
    ),
    replaced(
      `const lineWithoutEmptyItems = line.filter(item => item !== undefined);
            return styledCharsToString(lineWithoutEmptyItems).trimEnd();`,
      `if (line.length > 0) return rowText(line);
            return line.only ? rowOfOne(line, this) : '';`,
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

const graphemes = (root) => path.join(root, 'src/lib/graphemes.ts');

const withOneSegmenter = (root, source, replaced) => {
  const [made = ''] = /new Intl\.Segmenter\([^)]*\)/.exec(source) ?? [];
  return `import { graphemeSegmenter } from ${JSON.stringify(graphemes(root))};\n${replaced(made, 'graphemeSegmenter')(source)}`;
};

/** Each of these would make a segmenter of its own as it loads, and the first takes as long as the first frame. */
const oneSegmenter = (root) =>
  edited(
    'one-segmenter',
    /(?:ink\/build\/line-update|slice-ansi\/tokenize-ansi|wrap-ansi\/index|ansi-tokenize\/build\/tokenize)\.js$/,
    (source, replaced) => withOneSegmenter(root, source, replaced),
  );

/** The expression of all emoji takes a third of the start to make: not before there is one to measure. */
const emojiWhenSeen = (root) =>
  edited('emoji-when-seen', /\/string-width\/index\.js$/, (source, replaced) =>
    replaced(
      'const emojiPrefixRegex = /',
      `let emojiPrefix;
const emojiPrefixRegex = {
  test: text => emojiPrefixRegex.exec(text) !== null,
  exec: text => (emojiPrefix ??= allEmoji()).exec(text),
};
const allEmoji = () => /`,
    )(withOneSegmenter(root, source, replaced)),
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
import { plainText as plain } from ${JSON.stringify(graphemes(root))};${cacheOf('widths', 4_000)}
export default function stringWidth(text, options) {
  if (typeof text !== 'string' || options !== undefined || text.length > 1_000) return measure(text, options);
  return plain.test(text) ? text.length : widthsOf(text, measure);
}`,
      }));
    },
  };
}

/**
 * Node's own modules, taken as they are. An `import` of one makes Node read every property that it exports: of
 * `node:http` that loads a whole second HTTP client, as much work as a third of the start. Here only what is used is
 * read.
 */
const builtinsAsUsed = {
  name: 'builtins-as-used',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`) },
      ({ path: name, kind }) =>
        kind === 'dynamic-import'
          ? undefined
          : {
              path: name.replace(/^node:/, ''),
              namespace: kind === 'require-call' ? 'builtin-required' : 'builtin',
              sideEffects: false,
            },
    );
    onLoad({ filter: /.*/, namespace: 'builtin-required' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${name}');`,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => {
      const names = Object.keys(process.getBuiltinModule(name)).filter((key) => /^[a-z]\w*$/i.test(key));
      return {
        contents: [
          `const whole = /* @__PURE__ */ (() => process.getBuiltinModule('node:${name}'))();`,
          'export default whole;',
          ...names
            .filter((key) => key !== 'default')
            .map(
              (key, index) =>
                `const own${index} = /* @__PURE__ */ (() => whole.${key})();\nexport { own${index} as ${key} };`,
            ),
        ].join('\n'),
      };
    });
  },
};

/** `Headers` is a part of Node's `fetch`, which takes as long to load as the SDK: a plain object serves as well. */
const sdkPlainHeaders = edited('sdk-plain-headers', /provider-utils\/dist\/index\.js$/, (source, replaced) =>
  [
    replaced(
      'if (headers instanceof Headers) headers.forEach(',
      "if (typeof headers.get === 'function') headers.forEach(",
    ),
    replaced(
      `const normalizedHeaders = new Headers(normalizeHeaders(headers));
	const currentUserAgentHeader = normalizedHeaders.get("user-agent") || "";
	normalizedHeaders.set("user-agent", [currentUserAgentHeader, ...userAgentSuffixParts].filter(Boolean).join(" "));
	return Object.fromEntries(normalizedHeaders.entries());`,
      `const plain = normalizeHeaders(headers);
	const names = [plain["user-agent"], ...userAgentSuffixParts];
	return { ...plain, "user-agent": names.filter(Boolean).join(" ") };`,
    ),
  ].reduce((text, replace) => replace(text), source),
);

/** Half of zod is its error messages in fifty languages. */
const zodInEnglish = edited('zod-in-english', /zod\/v4\/locales\/index\.js$/, (source, replaced) =>
  replaced(source, 'export { default as en } from "./en.js";\n')(source),
);

export const bundlePatches = (root) => [
  builtinsAsUsed,
  sdkPlainHeaders,
  zodInEnglish,
  yogaFromBuffer,
  inkOutputCaches,
  inkSanitizeCache,
  oneSegmenter(root),
  emojiWhenSeen(root),
  oneStringWidth(root),
];

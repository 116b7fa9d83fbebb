// Builds dist/ with esbuild: one entry, lazy chunks. `--if-needed` does nothing when dist is newer than all sources.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundlePatches } from './bundle-patches.mjs';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built');
// Built aside and moved into place, so that a failed build leaves the last good one.
const fresh = `${dist}-new-${process.pid}`;
const old = `${dist}-old-${process.pid}`;

if (process.argv.includes('--if-needed') && isFresh()) process.exit(0);
// A first start that takes seconds without a word looks stuck.
process.stderr.write('building llmcode …\n');
const startedAt = new Date();
process.on('exit', () => {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
});
mkdirSync(fresh, { recursive: true });

const result = await build({
  absWorkingDir: root,
  entryPoints: { llmcode: 'src/app/main.ts', 'highlight-worker': 'src/ui/markdown/highlight-worker.ts' },
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  jsx: 'automatic',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'external',
  chunkNames: 'chunks/[name]-[hash]',
  loader: { '.md': 'text' },
  // node-pty and ripgrep bring binaries; Ink asks for the devtools only when they are switched on.
  external: ['node-pty', '@vscode/ripgrep', 'react-devtools-core'],
  alias: {
    // Its main file is UMD, which hides its own requires from the bundler.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  },
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // A CommonJS package in the bundle asks for it.
  banner: { js: 'const __filename = import.meta.filename;' },
  plugins: bundlePatches(root),
  metafile: true,
  logLevel: 'warning',
});
for (const name of readdirSync(fresh, { recursive: true }))
  if (name.endsWith('.js')) makeAscii(path.join(fresh, name));

const demo = path.join(root, 'src/app/demo/project');
if (existsSync(demo)) cpSync(demo, path.join(fresh, 'demo-project'), { recursive: true });
if (process.argv.includes('--meta'))
  writeFileSync(path.join(fresh, 'meta.json'), JSON.stringify(result.metafile));
writeFileSync(path.join(fresh, '.built'), '');
// What changed while it was built is newer than the stamp.
utimesSync(path.join(fresh, '.built'), startedAt, startedAt);
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);

/**
 * One character beyond ASCII makes the text of a whole file two bytes wide and slow to read. esbuild leaves those in
 * regular expressions, where the escape means the same.
 */
function makeAscii(file) {
  const text = readFileSync(file, 'utf8');
  const ascii = text.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (ascii !== text) writeFileSync(file, ascii);
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const inputs = ['src', 'scripts/build.mjs', 'package-lock.json', 'package.json'];
  return inputs.every((input) => newest(path.join(root, input)) <= built);
}

function newest(file) {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

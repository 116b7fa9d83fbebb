import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TerminalSession } from '../../support/pty/terminal-session.ts';

const support = path.resolve(import.meta.dirname, '../../support/ui');
const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-screen-'));
const program = path.join(folder, 'program.js');

beforeAll(async () => {
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  // As the program itself is built: lazy chunks, and React without its checks.
  await build({
    entryPoints: { program: path.join(support, 'screen-program.ts') },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    minifySyntax: true,
    external: ['react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(
  options: { program?: [string, ...string[]]; env?: Record<string, string> } = {},
): TerminalSession {
  const session = new TerminalSession({ cwd: folder, program: [process.execPath, program], ...options });
  onTestFinished(() => session.end());
  return session;
}

const quiet = { mouse: 'none', bracketedPaste: false, focus: false };

test('leaving with ctrl+c twice puts every mode back and says how to resume', async () => {
  const session = open();
  await session.waitFor('say what to do');
  expect(session.isAlternate).toBe(true);
  await session.waitFor(() => session.modes().focus && session.modes().bracketedPaste);
  expect(session.modes()).toEqual({ mouse: 'drag', bracketedPaste: true, focus: true });
  session.type('hello\r');
  await session.waitFor('got: hello');
  session.press('ctrl+c');
  await session.waitFor('ctrl+c leaves');
  session.press('ctrl+c');
  expect(await session.exited).toEqual({ code: 0, signal: 0 });
  expect(session.isAlternate).toBe(false);
  expect(session.modes()).toEqual(quiet);
  expect(session.screen()).toMatch(/llmcode --resume thread-\d+/);
  expect(session.screen()).toContain('ended: quit');
  expect(session.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(session.raw.lastIndexOf('\x1b[?25l'));
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends the screen in order', async (signal) => {
  const session = open();
  await session.waitFor('say what to do');
  session.kill(signal);
  expect(await session.exited).toEqual({ code: 0, signal: 0 });
  expect(session.isAlternate).toBe(false);
  expect(session.modes()).toEqual(quiet);
  expect(session.screen()).toContain('ended: signal');
});

test('a fault in the screen gives the terminal back and says what happened and where to look', async () => {
  const session = open();
  await session.waitFor('say what to do');
  session.type('break it\r');
  expect(await session.exited).toEqual({ code: 1, signal: 0 });
  expect(session.isAlternate).toBe(false);
  expect(session.modes()).toEqual(quiet);
  // Where the line wraps depends on the length of the error.
  expect(session.screen().replaceAll(/\s/g, '')).toMatch(/Thescreenfailed:.+Detailsarein.*logs/);
});

test('ctrl+z gives the terminal to the shell and fg brings the screen back', async () => {
  const session = open({ program: ['/bin/bash', '--norc', '-i'], env: { PS1: 'shell> ' } });
  await session.waitFor('shell>');
  session.type(`"${process.execPath}" "${program}"\r`);
  await session.waitFor('say what to do');
  session.type('draft');
  await session.waitFor('❯ draft');
  session.press('ctrl+z');
  await session.waitFor('Stopped');
  expect(session.isAlternate).toBe(false);
  expect(session.modes()).toMatchObject({ mouse: 'none', focus: false });
  session.type('echo from the shell\r');
  await session.waitFor(/^from the shell/m);
  session.type('fg\r');
  await session.waitFor('❯ draft');
  expect(session.isAlternate).toBe(true);
  await session.waitFor(() => session.modes().focus && session.modes().bracketedPaste);
  expect(session.modes()).toEqual({ mouse: 'drag', bracketedPaste: true, focus: true });
  session.type('s');
  await session.waitFor('❯ drafts');
});

test('ctrl+z gives the terminal back also where the launcher had to start a newer Node', async () => {
  const pack = path.join(folder, 'pack');
  for (const name of ['bin', 'node_modules/node/bin']) mkdirSync(path.join(pack, name), { recursive: true });
  writeFileSync(path.join(pack, 'package.json'), '{}');
  copyFileSync(path.resolve('bin/llmcode.js'), path.join(pack, 'bin/llmcode.js'));
  writeFileSync(path.join(pack, 'bin/start.js'), `import(${JSON.stringify(program)});\n`);
  symlinkSync(process.execPath, path.join(pack, 'node_modules/node/bin/node'));
  const old = path.join(pack, 'old.js');
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } });\n");
  const session = open({ program: ['/bin/bash', '--norc', '-i'], env: { PS1: 'shell> ' } });
  await session.waitFor('shell>');
  session.type(`"${process.execPath}" -r "${old}" "${pack}/bin/llmcode.js"\r`);
  await session.waitFor('say what to do');
  session.press('ctrl+z');
  await session.waitFor('Stopped');
  session.type('echo from the shell\r');
  await session.waitFor(/^from the shell/m);
  session.type('fg\r');
  await session.waitFor((screen) => session.isAlternate && screen.includes('say what to do'));
});

test('a stop from outside gives the terminal back, and a continue takes it again', async () => {
  const session = open({ program: ['/bin/bash', '--norc', '-i'], env: { PS1: 'shell> ' } });
  await session.waitFor('shell>');
  session.type(`"${process.execPath}" "${program}"\r`);
  await session.waitFor('say what to do');
  const [child] = execFileSync('pgrep', ['-P', String(session.pid)], { encoding: 'utf8' }).split('\n');
  process.kill(Number(child), 'SIGTSTP');
  await session.waitFor((screen) => !session.isAlternate && screen.includes('Stopped'));
  session.type('fg\r');
  await session.waitFor((screen) => session.isAlternate && screen.includes('say what to do'));
  process.kill(Number(child), 'SIGSTOP');
  await session.waitFor('Stopped');
  session.type('fg\r');
  await session.waitFor((screen) => session.isAlternate && screen.includes('say what to do'));
  session.type('on we go');
  await session.waitFor('❯ on we go');
});

test('without a shell to go back to, ctrl+z does not lock the screen up', async () => {
  const session = open();
  await session.waitFor('say what to do');
  session.press('ctrl+z');
  session.type('still here');
  await session.waitFor('❯ still here');
  expect(session.isAlternate).toBe(true);
});

test('ctrl+g edits the prompt in the editor of the person', async () => {
  const editor = path.join(folder, 'editor.mjs');
  writeFileSync(
    editor,
    `import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv[2];
process.stdout.write('editing ' + readFileSync(file, 'utf8') + '\\n');
process.stdin.setRawMode?.(true);
process.stdin.once('data', (key) => {
  writeFileSync(file, readFileSync(file, 'utf8') + ' and ' + key + '\\n');
  process.exit(0);
});`,
  );
  const session = open({ env: { TEST_EDITOR: JSON.stringify([process.execPath, editor]) } });
  await session.waitFor('say what to do');
  session.type('one');
  await session.waitFor('❯ one');
  session.press('ctrl+g');
  await session.waitFor('editing one');
  expect(session.isAlternate).toBe(false);
  session.type('k');
  await session.waitFor('❯ one and k');
  expect(session.isAlternate).toBe(true);
  session.type('!');
  await session.waitFor('❯ one and k!');
});

test('an editor that cannot be started leaves the prompt as it was', async () => {
  const session = open({ env: { TEST_EDITOR: '["/no/such/editor"]' } });
  await session.waitFor('say what to do');
  session.type('one');
  await session.waitFor('❯ one');
  session.press('ctrl+g');
  await session.waitFor('The editor could not be opened');
  session.type(' two');
  await session.waitFor('❯ one two');
});

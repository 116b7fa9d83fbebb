import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { desktopPrograms } from '#ui/terminal/clipboard/clipboard-program.ts';
import { copyText } from '#ui/terminal/clipboard/copy-text.ts';
import { clipboardSequence } from '#ui/terminal/clipboard/osc52.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const names = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
  desktopPrograms(env, platform).map((program) => program.name);

/** A folder on PATH whose programs keep their input beside themselves, or fail. */
function bin(programs: Record<string, 'keeps' | 'fails'>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, does] of Object.entries(programs)) {
    const script = does === 'keeps' ? `/bin/cat > ${folder}/${name}.got` : 'exit 1';
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return { folder, got: (name: string) => readFileSync(path.join(folder, `${name}.got`), 'utf8') };
}

async function copy(text: string, env: Record<string, string>, roots: string[] = []) {
  let written = '';
  const write = (sequence: string) => {
    written += sequence;
  };
  const report = await copyText(text, { env, roots, platform: 'linux', clock: systemClock, write });
  return { report, written };
}

test('the clipboard is the one of the desktop that the person sits at', () => {
  expect(names({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toEqual(['wl-copy', 'xclip', 'xsel']);
  expect(names({ DISPLAY: 'localhost:10.0', WAYLAND_DISPLAY: 'wayland-0', SSH_TTY: '/dev/pts/1' })).toEqual([
    'xclip',
    'xsel',
  ]);
  expect(names({ SSH_TTY: '/dev/ttys1' }, 'darwin')).toEqual([]);
  expect(names({}, 'darwin')).toEqual(['pbcopy']);
  expect(names({ WSL_DISTRO_NAME: 'Ubuntu' })).toEqual(['powershell.exe', 'clip.exe']);
  expect(names({})).toEqual([]);
});

test('the sequence is wrapped as the multiplexer in between needs it, and not sent where it would show', () => {
  expect(clipboardSequence('hi', { TERM: 'xterm' })).toBe(`\x1b]52;c;${base64('hi')}\x07`);
  expect(clipboardSequence('hi', { TMUX: '1' })).toContain(
    `\x1bPtmux;\x1b\x1b]52;c;${base64('hi')}\x07\x1b\\`,
  );
  const long = clipboardSequence('x'.repeat(100), { STY: '1' }) ?? '';
  expect(long.replaceAll('\x1b\\\x1bP', '')).toBe(`\x1bP\x1b]52;c;${base64('x'.repeat(100))}\x07\x1b\\`);
  expect(Math.max(...long.split('\x1b\\\x1bP').map((piece) => piece.length))).toBeLessThan(90);
  expect(clipboardSequence('hi', { TERM: 'linux' })).toBeUndefined();
});

test('the first program that takes the text is named; one from the workspace is never asked', async () => {
  const { folder, got } = bin({ 'wl-copy': 'fails', xclip: 'keeps' });
  const env = { PATH: folder, WAYLAND_DISPLAY: 'w', DISPLAY: ':4711', TERM: 'xterm' };
  expect(await copy('größe\n', env)).toEqual({
    report: { kind: 'program', program: 'xclip', reach: 'desktop' },
    written: '',
  });
  expect(got('xclip')).toBe('größe\n');
  expect((await copy('x', env, [folder])).report).toEqual({ kind: 'terminal', isLong: false });
  expect((await copy('x'.repeat(80_000), { TERM: 'xterm' })).report).toEqual({
    kind: 'terminal',
    isLong: true,
  });
});

test('without any clipboard the text is in a file that only the person can read', async () => {
  const { report } = await copy('kept', { TERM: 'linux' });
  if (report.kind !== 'file') throw new Error(report.kind);
  onTestFinished(() => rmSync(path.dirname(report.path), { recursive: true }));
  expect(readFileSync(report.path, 'utf8')).toBe('kept');
});

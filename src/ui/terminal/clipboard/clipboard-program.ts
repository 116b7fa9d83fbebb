import type { Environment } from '#lib/paths.ts';

/** A program that puts its standard input into a clipboard. `reach` is whose. */
export type ClipboardProgram = {
  readonly name: string;
  readonly args: readonly string[];
  readonly encoding: 'utf8' | 'utf16le';
  readonly reach: 'desktop' | 'tmux';
};

const program = (name: string, ...args: string[]): ClipboardProgram => ({
  name,
  args,
  encoding: 'utf8',
  reach: 'desktop',
});

/** Asks for more than its clipboard: the one of the terminal around it, as far as its settings allow. */
export const tmuxProgram: ClipboardProgram = { ...program('tmux', 'load-buffer', '-w', '-'), reach: 'tmux' };

/** Reads UTF-8 whatever the console's code page is. */
const powershell = program(
  'powershell.exe',
  '-NoProfile',
  '-NonInteractive',
  '-Command',
  '[Console]::InputEncoding=[Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())',
);
const clipExe: ClipboardProgram = { ...program('clip.exe'), encoding: 'utf16le' };

/**
 * The programs that reach the clipboard of the person's own desktop, the surest first. Over SSH only a forwarded X
 * display is theirs; what runs on the other machine would put the text where nobody looks.
 */
export function desktopPrograms(env: Environment, platform: NodeJS.Platform): readonly ClipboardProgram[] {
  const x11 = env['DISPLAY']
    ? [program('xclip', '-selection', 'clipboard', '-in'), program('xsel', '--clipboard', '--input')]
    : [];
  if (isRemote(env)) return x11;
  if (platform === 'darwin') return [program('pbcopy')];
  if (platform === 'win32') return [powershell, clipExe];
  return [
    ...(env['WAYLAND_DISPLAY'] ? [program('wl-copy', '--type', 'text/plain;charset=utf-8')] : []),
    ...x11,
    ...(env['WSL_DISTRO_NAME'] || env['WSL_INTEROP'] ? [powershell, clipExe] : []),
    ...(env['TERMUX_VERSION'] ? [program('termux-clipboard-set')] : []),
  ];
}

export function isRemote(env: Environment): boolean {
  return Boolean(env['SSH_TTY'] || env['SSH_CONNECTION'] || env['SSH_CLIENT']);
}

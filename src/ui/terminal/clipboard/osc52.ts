import type { Environment } from '#lib/paths.ts';

/** What every terminal takes that knows the sequence at all; several cut or drop more than 100,000 characters of it. */
export const sureBytes = 74_994;
/** More would hold up a slow line for a long time, for a clipboard that hardly takes it. */
const mostBytes = 8 * 1024 * 1024;

/** Screen passes on no longer string than this in one piece. */
const screenChunk = 76;

/**
 * The sequence that asks the terminal to take a text into its clipboard, in the wrapping that a multiplexer in
 * between needs; undefined when the terminal is known to show it or to ignore it, or when the text is far too long.
 */
export function clipboardSequence(text: string, env: Environment): string | undefined {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > mostBytes || !mayTakeClipboard(env)) return undefined;
  const base64 = bytes.toString('base64');
  const plain = `\x1b]52;c;${base64}\x07`;
  // tmux itself takes the plain one only where `set-clipboard` is on, and lets the wrapped one through only where
  // `allow-passthrough` is.
  if (env['TMUX']) return `\x1bPtmux;\x1b${plain}\x1b\\${plain}`;
  if (env['STY']) {
    const chunks = base64.match(new RegExp(`.{1,${screenChunk}}`, 'g')) ?? [''];
    return `\x1bP\x1b]52;c;${chunks.join('\x1b\\\x1bP')}\x07\x1b\\`;
  }
  return plain;
}

function mayTakeClipboard(env: Environment): boolean {
  if (env['TMUX'] || env['STY']) return true;
  if (env['TERM_PROGRAM'] === 'Apple_Terminal') return false;
  return !/^(?:linux|dumb|vt\d|ansi|cons)/.test(env['TERM'] ?? '');
}

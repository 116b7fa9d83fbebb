import type { Environment } from '#lib/paths.ts';

/** How many colours the terminal has. */
export type ColorLevel = 'none' | 'ansi16' | 'ansi256' | 'truecolor';

/** `NO_COLOR` wins, then `FORCE_COLOR`, then what the terminal says of itself. */
export function detectColorLevel(env: Environment): ColorLevel {
  if (env['NO_COLOR']) return 'none';
  const forced = env['FORCE_COLOR'];
  if (forced === '0' || forced === 'false') return 'none';
  if (forced === '3') return 'truecolor';
  if (forced === '2') return 'ansi256';
  const found = fromTerminal(env);
  return forced !== undefined && found === 'none' ? 'ansi16' : found;
}

const truecolorTerminals = /^(xterm-kitty|xterm-ghostty|wezterm|alacritty|foot|contour)|-direct|-truecolor/;
const truecolorPrograms = new Set([
  'iTerm.app',
  'WezTerm',
  'ghostty',
  'vscode',
  'Hyper',
  'rio',
  'WarpTerminal',
]);

function fromTerminal(env: Environment): ColorLevel {
  const term = env['TERM'] ?? '';
  if (term === 'dumb') return 'none';
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 'truecolor';
  if (env['WT_SESSION'] || truecolorTerminals.test(term)) return 'truecolor';
  if (truecolorPrograms.has(env['TERM_PROGRAM'] ?? '')) return 'truecolor';
  if (/-256(color)?$/i.test(term) || env['TERM_PROGRAM'] === 'Apple_Terminal') return 'ansi256';
  return 'ansi16';
}

import { cleanName } from '#lib/terminal-text.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import type { ThemeToken } from '../theme/tokens.ts';

/** `12s`, `4m`, `2h 05m`: coarser the longer it takes, so that it is seldom drawn again. */
export function durationText({ startedAt, endedAt }: BackgroundShell, now: number): string {
  const seconds = Math.max(0, Math.floor(((endedAt ?? now) - startedAt) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}

export function stateText({ state, exitCode, signal, isKept }: BackgroundShell): string {
  switch (state) {
    case 'running':
      return isKept ? 'running, kept' : 'running';
    case 'exited':
      return signal === null ? `exit ${exitCode}` : cleanName(signal);
    case 'killed':
      return 'ended';
    case 'lost':
      return 'lost';
  }
}

export function stateToken({ state, exitCode }: BackgroundShell): ThemeToken {
  if (state === 'running') return 'accent';
  return state === 'exited' && exitCode !== 0 ? 'error' : 'dim';
}

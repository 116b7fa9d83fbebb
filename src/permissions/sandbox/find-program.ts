import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runProcess } from '#lib/spawn.ts';

/** What confines commands on this machine, or why there is nothing. */
export type SandboxProgram =
  | { kind: 'bubblewrap'; file: string; version: string; hasUserLimit: boolean }
  | { kind: 'seatbelt'; file: string }
  | { kind: 'none'; why: string };

/** Never by PATH: a folder of the repository on it must not choose what confines it. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const seatbelt = '/usr/bin/sandbox-exec';
const trialMs = 10_000;

/** Found by running it: a program that is there need not be allowed to do its work. Never rejects. */
export async function findSandboxProgram(): Promise<SandboxProgram> {
  if (process.platform === 'darwin') return findSeatbelt();
  if (process.platform !== 'linux') return { kind: 'none', why: 'there is none for this system' };
  const file = places.find((place) => existsSync(place));
  if (file === undefined) return { kind: 'none', why: 'bubblewrap is not installed' };
  const version = (await trial(file, ['--version'])).stdout.trim();
  const first = await trial(file, trialArgs({ hasUserLimit: true }));
  if (first.exitCode === 0) return { kind: 'bubblewrap', file, version, hasUserLimit: true };
  // Before 0.8 it does not know the limit; the mounts are locked all the same.
  const second = await trial(file, trialArgs({ hasUserLimit: false }));
  if (second.exitCode === 0) return { kind: 'bubblewrap', file, version, hasUserLimit: false };
  const said = second.stderr.trim().split('\n')[0] ?? second.error ?? '';
  return { kind: 'none', why: `bubblewrap does not work here: ${said || `exit ${second.exitCode}`}` };
}

async function findSeatbelt(): Promise<SandboxProgram> {
  const end = await trial(seatbelt, ['-p', '(version 1)(allow default)', '/usr/bin/true']);
  if (end.exitCode === 0) return { kind: 'seatbelt', file: seatbelt };
  return { kind: 'none', why: `sandbox-exec does not work here: ${end.error ?? end.stderr.trim()}` };
}

/** Everything that a real run asks of the system. */
function trialArgs({ hasUserLimit }: { hasUserLimit: boolean }): string[] {
  return [
    ...['--unshare-all', '--unshare-user', ...(hasUserLimit ? ['--disable-userns'] : [])],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...[
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--ro-bind',
      '/proc/sys',
      '/proc/sys',
      '--perms',
      '0711',
      '--tmpfs',
      '/tmp',
    ],
    ...['--remount-ro', '/tmp', '--', '/bin/sh', '-c', 'true'],
  ];
}

function trial(file: string, args: readonly string[]) {
  return runProcess({
    file,
    args,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir() },
    timeoutMs: trialMs,
  });
}

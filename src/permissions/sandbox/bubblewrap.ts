import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { SandboxProfile } from './profile.ts';

type Mount = { at: string; args: readonly string[] };

/**
 * The arguments of bubblewrap up to the program. Without `--cap-drop ALL` a child of root could make everything
 * writable again, without a session of its own it could type into our terminal.
 */
export function bubblewrapArgs(
  profile: SandboxProfile,
  {
    hasUserLimit,
    hasFilter,
    isTerminal = false,
  }: { hasUserLimit: boolean; hasFilter: boolean; isTerminal?: boolean },
): string[] {
  const mounts = mountsOf(profile);
  const empty = [...profile.emptied, ...profile.closedFolders];
  return [
    '--unshare-all',
    ...(profile.network ? ['--share-net'] : []),
    '--unshare-user',
    // Programs of a new user namespace would have rights in it.
    ...(hasUserLimit ? ['--disable-userns'] : []),
    '--die-with-parent',
    // In a terminal of its own there is nobody to type for, and programs need it as theirs.
    ...(isTerminal ? [] : ['--new-session']),
    '--cap-drop',
    'ALL',
    ...(hasFilter ? ['--seccomp', '4'] : []),
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...profile.switches.flatMap((at) => ['--ro-bind', at, at]),
    ...mounts.flatMap(({ args }) => args),
    ...empty.flatMap((folder) => ['--remount-ro', folder]),
    '--chdir',
    profile.cwd,
    '--',
  ];
}

/** What lies deeper comes later and so lies on top. Of the same place the later kind counts. */
function mountsOf(profile: SandboxProfile): Mount[] {
  const bind = (at: string): Mount => ({ at, args: ['--bind', at, at] });
  const mounts: Mount[] = [
    ...profile.tmpFolders.map((at) => ({ at, args: ['--bind', profile.tmp, at] })),
    ...profile.writable.map(bind),
    ...profile.pinned.map(bind),
    ...profile.readOnly.map((at) => ({ at, args: ['--ro-bind', at, at] })),
    ...profile.emptied.map((at) => ({ at, args: ['--perms', '0711', '--tmpfs', at] })),
    ...profile.blankFiles.map((at) => ({ at, args: ['--ro-bind', '/dev/null', at] })),
    ...profile.closedFiles.map((at) => ({ at, args: ['--ro-bind', profile.closedFile, at] })),
  ];
  const closed = profile.closedFolders.map((at) => {
    const isPassed = mounts.some((mount) => mount.at !== at && isInside(mount.at, at));
    return { at, args: ['--perms', isPassed ? '0711' : '0000', '--tmpfs', at] };
  });
  return [...mounts, ...closed].sort((a, b) => depth(a.at) - depth(b.at));
}

function depth(file: string): number {
  return file.split(path.sep).filter((part) => part !== '').length;
}

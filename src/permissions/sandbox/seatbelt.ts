import type { SandboxProfile } from './profile.ts';

/** The profile for macOS' sandbox-exec. The last rule that fits counts. */
export function seatbeltProfile(profile: SandboxProfile): string {
  const writable = [...profile.writable, ...profile.pinned, profile.tmp];
  const closed = [
    ...profile.emptied.map(subpath),
    ...profile.closedFolders.map(subpath),
    ...[...profile.closedFiles, ...profile.blankFiles].map(literal),
  ];
  const fixed = [...profile.pinned.map(literal), ...[...profile.readOnly, ...profile.absent].map(subpath)];
  const rules = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${writable.map(subpath).join(' ')})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/(ttys|fd/)"))',
    ...(fixed.length > 0 ? [`(deny file-write* ${fixed.join(' ')})`] : []),
    ...(closed.length > 0 ? [`(deny file-read* file-write* ${closed.join(' ')})`] : []),
    `(allow file-read* ${[...profile.readOnly, ...writable].map(subpath).join(' ')})`,
    ...(profile.closedFiles.length > 0
      ? [`(deny file-read* file-write* ${profile.closedFiles.map(literal).join(' ')})`]
      : []),
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny appleevent-send)',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    ...networkRules(profile, writable),
  ];
  return `${rules.join('\n')}\n`;
}

/** Sockets on disk are doors to programs outside, so only those in folders of its own are open. */
function networkRules({ network, proxyPort }: SandboxProfile, writable: readonly string[]): string[] {
  const own = writable.map((folder) => `(remote unix-socket ${subpath(folder)})`).join(' ');
  if (network)
    return [
      '(deny network-outbound (remote unix-socket))',
      `(allow network-outbound ${own} (literal "/private/var/run/mDNSResponder"))`,
    ];
  const proxy =
    proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`];
  return [
    '(deny network*)',
    `(allow network-outbound ${own})`,
    '(allow network-bind (local unix-socket))',
    ...proxy,
  ];
}

function subpath(folder: string): string {
  return `(subpath ${quoted(folder)})`;
}

function literal(file: string): string {
  return `(literal ${quoted(file)})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

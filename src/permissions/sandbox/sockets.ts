import { readFileSync } from 'node:fs';

/** Unix sockets that lie on disk under a name: doors to programs outside, whatever the network is. */
export function socketFiles(): string[] {
  return socketPaths(readProcUnix()).slice(0, maxSockets);
}

/** More would make the command line too long; most lie in folders that are hidden as a whole. */
const maxSockets = 2_000;

/** `table` is the text of `/proc/net/unix`: the path stands behind seven columns. */
export function socketPaths(table: string): string[] {
  const found = table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(found)];
}

function readProcUnix(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return ''; // Not Linux.
  }
}

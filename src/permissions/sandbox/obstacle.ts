import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import type { SandboxProfile } from './profile.ts';

const readOnly = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b/i;
const offline =
  /network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|temporary failure in name resolution|could not resolve host|name or service not known|no route to host|connection refused|\bECONNREFUSED\b|failed to connect|network is down|dns error|unable to resolve/i;
const notPermitted = /operation not permitted|permission denied|\bEPERM\b|\bEACCES\b/i;
const isMissing = /no such file or directory|\bENOENT\b/i;
/** What needs a key, an agent, other rights or a service that is hidden. */
const withoutService =
  /permission denied \(publickey|cannot connect to the docker daemon|no new privileges|gpg failed to sign|couldn't load public key|no private key found for|failed to write commit object|could not open a connection to your authentication agent|cannot autolaunch d-bus|failed to connect to bus|address family not supported/i;

/** The first line of a failed command's output that says that the sandbox stood in its way. */
export function findObstacle(output: string, profile: SandboxProfile): string | undefined {
  const lines = output.split('\n');
  const found = lines.find((line) => isObstacle(line, profile));
  return found?.trim().slice(0, 200);
}

function isObstacle(line: string, profile: SandboxProfile): boolean {
  if (readOnly.test(line) || withoutService.test(line)) return true;
  if (!profile.network && offline.test(line)) return true;
  return (
    (notPermitted.test(line) && namesClosed(line, profile)) ||
    (isMissing.test(line) && namesHidden(line, profile))
  );
}

/** Rights are missing for many reasons; only a place that is closed or cannot be written tells. */
function namesClosed(line: string, profile: SandboxProfile): boolean {
  const files = filesIn(line);
  if (namesRelative(line, profile)) return true;
  const { closedFolders, closedFiles, emptied, writable, pinned, tmpFolders } = profile;
  const isMac = process.platform === 'darwin';
  return files.some((file) => {
    if ([...closedFolders, ...closedFiles, ...emptied].some((place) => isInside(file, place))) return true;
    // There is no other error for a write outside.
    return isMac && ![...writable, ...pinned, ...tmpFolders].some((place) => isInside(file, place));
  });
}

/** What is closed in the workspace is named as the command named it: by the end of its path. */
function namesRelative(line: string, { cwd, closedFiles, closedFolders }: SandboxProfile): boolean {
  const words = line.split(/[\s'"`:,()[\]]+/).map((word) => path.join('/', word));
  const own = [...closedFiles, ...closedFolders].filter((place) => isInside(place, cwd));
  return own.some((place) => words.some((word) => word !== '/' && place.endsWith(word)));
}

/** It is there, but outside: among the temporary files of others or the sockets of the system. */
function namesHidden(line: string, { tmpFolders, emptied, writable, pinned }: SandboxProfile): boolean {
  const hidden = [...tmpFolders, ...emptied];
  return filesIn(line).some((file) => {
    const isHidden = hidden.some((place) => isInside(file, place));
    const isOurs = [...writable, ...pinned].some((place) => isInside(file, place));
    if (!isHidden || isOurs) return false;
    const folder = path.dirname(file);
    return existsSync(file) || (!hidden.includes(folder) && existsSync(folder));
  });
}

/** The absolute paths that a line names. */
function filesIn(line: string): string[] {
  return [...line.matchAll(/(?<![\w.~/-])\/[^\s'":,()[\]]+/g)].map(([file]) => path.resolve(file));
}

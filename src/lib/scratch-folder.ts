import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errnoOf } from './errors.ts';
import { log } from './log.ts';

/** A folder for temporary files that nobody else can name, enter or have made before. */
export type ScratchFolder = { folder: string; remove(): void };

type Kind = 'scratch' | 'sandbox';
const named = /^llmcode-(?:scratch|sandbox)-(\d+)-[0-9a-f]{24}$/;
const abandonedMs = 24 * 60 * 60 * 1_000;
const open = new Set<string>();

/** Made anew, for its owner alone; removed with the process at the latest, else by a later one. */
export function createScratchFolder(
  parent: string = realpathSync(tmpdir()),
  kind: Kind = 'scratch',
): ScratchFolder {
  if (!process.listeners('exit').includes(removeAll)) {
    process.once('exit', removeAll);
    sweep(parent);
  }
  const folder = path.join(parent, `llmcode-${kind}-${process.pid}-${randomBytes(12).toString('hex')}`);
  // Fails on whatever stands there, also on a link.
  mkdirSync(folder, { mode: 0o700 });
  open.add(folder);
  return {
    folder,
    remove: () => {
      open.delete(folder);
      removeFolder(folder);
    },
  };
}

function removeAll(): void {
  for (const folder of open) removeFolder(folder);
}

/** Links in it are removed and not followed; a link that has taken its place is left alone. */
function removeFolder(folder: string): void {
  try {
    if (lstatSync(folder).isDirectory()) rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    log('a folder for temporary files stays:', error);
  }
}

/** What processes left that were killed. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = named.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(parent, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    // Where the folder is shared with other containers, a process that is not seen may live.
    const isOld = stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs;
    if (isOld && stats.uid === process.getuid?.()) removeFolder(folder);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

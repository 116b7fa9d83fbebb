import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, LlmcodeError } from '#lib/errors.ts';
import { type HeldFolder, holdExistingFolder } from '#lib/held-folder.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { lookAt } from './entries.ts';

/** Files and folders that were taken out of the workspace. */
export type PutAside = {
  /** Where they stood. */
  places: readonly string[];
  /** Where they lie now. */
  folder: string;
  /** Brings them back to where nothing stands by now. Rejects when that fails. */
  bringBack(): Promise<void>;
};

type Moved = { place: string; kept: string };

/**
 * Moves what stands at `places` into a new folder in `store`. A link in the place of a folder on the way is not
 * followed: what cannot be moved stays, and is not among `places` of the result. undefined when nothing was moved.
 */
export async function putAside(places: readonly string[], store: string): Promise<PutAside | undefined> {
  if (places.length === 0) return undefined;
  makeFolder(store);
  const folder = await mkdtemp(path.join(store, 'made-'));
  const moved: Moved[] = [];
  for (const [index, place] of places.entries()) {
    const kept = path.join(folder, `${index}`, path.basename(place));
    if (await move(place, kept)) moved.push({ place, kept });
  }
  if (moved.length === 0) {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    places: moved.map(({ place }) => place),
    folder,
    async bringBack() {
      for (const each of moved) await moveBack(each);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function move(place: string, kept: string): Promise<boolean> {
  let held: HeldFolder | undefined;
  try {
    held = await holdExistingFolder(path.dirname(place));
    await mkdir(path.dirname(kept), { recursive: true });
    await transfer(path.join(held.at, path.basename(place)), kept);
    return true;
  } catch {
    return false; // It is gone by now, or a link leads elsewhere: then it is no place of the workspace.
  } finally {
    await held?.close();
  }
}

async function moveBack({ place, kept }: Moved): Promise<void> {
  const held = await holdExistingFolder(path.dirname(place));
  try {
    if (lookAt(place)) throw new LlmcodeError('not-brought-back', `${place} is there again.`);
    await transfer(kept, path.join(held.at, path.basename(place)));
  } finally {
    await held.close();
  }
}

/** Also to another disk. */
async function transfer(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    await rm(from, { recursive: true, force: true });
  }
}

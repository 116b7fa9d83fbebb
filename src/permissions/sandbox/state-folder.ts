import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createScratchFolder } from '#lib/scratch-folder.ts';
import { syscallFilter } from './syscall-filter.ts';

/** For what stands in place of the folders of temporary files. */
export const tmpName = 'tmp';
/** A file that nobody may read. */
export const closedName = 'closed';
const filterName = 'filter';

/** What a sandbox keeps on disk while the process lives. */
export function createStateFolder(tempFolder: string): string {
  const { folder } = createScratchFolder(realpathSync(tempFolder), 'sandbox');
  mkdirSync(path.join(folder, tmpName), { mode: 0o700 });
  writeFileSync(path.join(folder, closedName), '', { mode: 0o000 });
  const filter = syscallFilter(process.arch);
  if (filter) writeFileSync(path.join(folder, filterName), filter, { mode: 0o400 });
  return folder;
}

/** undefined where there is none for this kind of machine. */
export function filterFile(folder: string): string | undefined {
  return syscallFilter(process.arch) ? path.join(folder, filterName) : undefined;
}

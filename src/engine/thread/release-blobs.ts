import { readFile } from 'node:fs/promises';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { BlobStore } from '../rewind/blob-store.ts';
import { changeStore, knownFilesFile } from '../rewind/thread-changes.ts';
import { parsed } from './index/update-index.ts';

const mark = '"kind":"files-changed"';

/** Keys of the lists of changes that a log tells of. */
export async function changeListsIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    log('the changes of a thread are not known:', errorText(error));
    return '';
  });
  const lists: string[] = [];
  for (let at = text.indexOf(mark); at !== -1; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end);
    const list = /"list":"([0-9a-f]{64})"/.exec(line)?.[1];
    if (list !== undefined && parsed(line) !== undefined) lists.push(list);
    at = end === -1 ? -1 : text.indexOf(mark, end);
  }
  return lists;
}

/** Lets go of the old contents of files that only threads which are gone have kept. Never rejects. */
export async function releaseBlobs(
  home: string,
  { cwd, gone, others }: { cwd: string; gone: readonly string[]; others: readonly string[] },
): Promise<void> {
  if (gone.length === 0) return;
  try {
    const store = changeStore(home, cwd);
    const known = await readFile(knownFilesFile(home, cwd), 'utf8').catch(() => '');
    const kept = new Set<string>([...known.matchAll(/[0-9a-f]{64}/g)].map(([key]) => key));
    for (const file of others)
      for (const list of await changeListsIn(file))
        for (const key of await keysOf(store, list)) kept.add(key);
    const released = new Set<string>();
    for (const list of gone)
      for (const key of await keysOf(store, list)) if (!kept.has(key)) released.add(key);
    await store.forget(released);
  } catch (error) {
    log('old contents of files stay:', errorText(error));
  }
}

/** The list itself and everything that it names. */
async function keysOf(store: BlobStore, list: string): Promise<string[]> {
  const bytes = await store.get(list).catch(() => undefined);
  return [list, ...(bytes?.toString('utf8').matchAll(/"sha256":"([0-9a-f]{64})"/g) ?? [])].map((each) =>
    typeof each === 'string' ? each : (each[1] ?? ''),
  );
}

import { z } from 'zod';
import { type FileChange, fileChangeSchema, type KeptChangeSet } from '#protocol/rewind.ts';
import type { BlobStore } from './blob-store.ts';

const listSchema = z.array(fileChangeSchema);

/** Resolves with the key of the list. */
export async function putChanges(store: BlobStore, changes: readonly FileChange[]): Promise<string> {
  return store.put(Buffer.from(JSON.stringify(changes)));
}

/** Rejects with an `LlmcodeError` when the list is no longer there. */
export async function getChanges(store: BlobStore, { list }: KeptChangeSet): Promise<FileChange[]> {
  return listSchema.parse(JSON.parse((await store.get(list)).toString('utf8')));
}

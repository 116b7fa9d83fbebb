import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { makeFolder } from './make-folder.ts';

/** Replaces a private file of ours as a whole (0600, folders 0700): a reader sees the old or the new one. */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  makeFolder(path.dirname(file));
  const data = typeof content === 'string' ? content : Buffer.from(content);
  await writeFileAtomic(file, data, { mode: 0o600 });
}

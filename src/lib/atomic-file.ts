import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** Replaces a private file of ours as a whole (0600, folders 0700): a reader sees the old or the new one. */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const data = typeof content === 'string' ? content : Buffer.from(content);
  await writeFileAtomic(file, data, { mode: 0o600 });
}

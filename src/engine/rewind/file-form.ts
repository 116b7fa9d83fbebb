import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { errnoOf } from '#lib/errors.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import type { FileForm } from '#protocol/rewind.ts';
import type { BlobStore } from './blob-store.ts';

export const absent: FileForm = { kind: 'absent' };

/** Changes whenever the entry does: size, times, place and mode of it. */
export function stampOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${ino}:${mode}`;
}

/** The entry itself, no link followed; undefined when there is nothing. */
export async function statEntry(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** What lies there now, its bytes kept in the store. Never waits for a pipe or a device. */
export async function readForm(
  file: string,
  { store, maxBytes }: { store: BlobStore; maxBytes: number },
): Promise<FileForm> {
  const stats = await statEntry(file);
  if (!stats) return absent;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: 'folder', mode };
  if (stats.isSymbolicLink()) return { kind: 'link', target: await readlink(file) };
  const stamp = stampOf(stats);
  if (!stats.isFile()) return { kind: 'unsaved', stamp, why: 'it is a pipe, a socket or a device' };
  const content = await readRegularFile(file, { maxBytes, real: file });
  if ('kind' in content)
    return content.kind === 'missing'
      ? absent
      : { kind: 'unsaved', stamp, why: `it ${problemText(content)}` };
  return { kind: 'file', sha256: await store.put(content.bytes), mode, size: content.bytes.length };
}

export function isSameForm(a: FileForm, b: FileForm): boolean {
  switch (a.kind) {
    case 'absent':
      return b.kind === 'absent';
    case 'file':
      return b.kind === 'file' && a.sha256 === b.sha256 && a.mode === b.mode;
    case 'link':
      return b.kind === 'link' && a.target === b.target;
    case 'folder':
      return b.kind === 'folder' && a.mode === b.mode;
    case 'unsaved':
      return b.kind === 'unsaved' && a.stamp === b.stamp;
  }
}

import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, LlmcodeError } from '#lib/errors.ts';
import { hashBytes } from '#lib/file-hash.ts';
import { makeFolder } from '#lib/make-folder.ts';

const day = 86_400_000;
/** Bytes that nothing has asked for in this time are let go. */
const keptMs = 30 * day;
/** Above this the oldest are let go first. */
const maxBytes = 2_000_000_000;

/**
 * Bytes of files under their SHA-256, in a private folder of the user (0700, files 0600). What is there is never
 * written again, so that several processes can share it.
 */
export class BlobStore {
  readonly folder: string;
  readonly #known = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Resolves with the key once the bytes are there. */
  async put(bytes: Uint8Array): Promise<string> {
    const sha256 = hashBytes(bytes);
    if (this.#known.has(sha256)) return sha256;
    const file = this.#fileOf(sha256);
    if (!(await this.#touch(file))) await writeOnce(file, bytes);
    this.#known.add(sha256);
    return sha256;
  }

  /** Throws `LlmcodeError` `blob-missing` when they are gone or not what they were. */
  async get(sha256: string): Promise<Buffer> {
    const bytes = await readFile(this.#fileOf(sha256)).catch(() => undefined);
    if (bytes && hashBytes(bytes) === sha256) return bytes;
    throw new LlmcodeError('blob-missing', 'its old content is no longer in the store');
  }

  async has(sha256: string): Promise<boolean> {
    return this.#known.has(sha256) || (await this.#touch(this.#fileOf(sha256)));
  }

  /** Lets go of what is old, or too much; never of `kept`. */
  async prune(kept: ReadonlySet<string>, now: number): Promise<void> {
    const files: { file: string; size: number; mtimeMs: number }[] = [];
    for (const folder of await namesIn(this.folder)) {
      for (const name of await namesIn(path.join(this.folder, folder))) {
        if (kept.has(name)) continue;
        const file = path.join(this.folder, folder, name);
        const stats = await stat(file).catch(() => undefined);
        if (stats?.isFile()) files.push({ file, size: stats.size, mtimeMs: stats.mtimeMs });
      }
    }
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size, mtimeMs } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (now - mtimeMs < keptMs && bytes <= maxBytes) return;
      await rm(file, { force: true });
      bytes -= size;
    }
  }

  /** Removes these, whatever their age. */
  async forget(keys: Iterable<string>): Promise<void> {
    for (const sha256 of keys) {
      await rm(this.#fileOf(sha256), { force: true });
      this.#known.delete(sha256);
    }
  }

  #fileOf(sha256: string): string {
    return path.join(this.folder, sha256.slice(0, 2), sha256);
  }

  /** Says that it is needed; false when it is not there. */
  async #touch(file: string): Promise<boolean> {
    try {
      const now = new Date();
      await utimes(file, now, now);
      return true;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
      throw error;
    }
  }
}

/** A reader sees all of it or nothing. */
async function writeOnce(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const write = () => writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' });
  try {
    await write().catch(async (error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
      makeFolder(path.dirname(file));
      await write();
    });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

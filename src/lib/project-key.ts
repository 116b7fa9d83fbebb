import { createHash } from 'node:crypto';
import path from 'node:path';
import { realPathOf } from './paths.ts';

/** Names a project on disk: last path segment and the first 8 hex digits of the SHA-256 of the real path. */
export function projectKey(folder: string): string {
  const real = realPathOf(folder);
  const name = path.basename(real).replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'root';
  return `${name}-${createHash('sha256').update(real).digest('hex').slice(0, 8)}`;
}

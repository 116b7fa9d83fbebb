import { readdirSync } from 'node:fs';
import path from 'node:path';
import { globTest } from '#lib/glob-pattern.ts';

/** More entries than this are not looked at one by one. */
const maxEntries = 2_000;

/** Names that a pattern aims at when it fits them and says more than "everything". */
const typicalSecrets = [
  '.env',
  '.env.local',
  '.env.production',
  'id_rsa',
  'id_ed25519',
  '.netrc',
  '.pgpass',
  'server.key',
  'server.pem',
  '.ssh',
  '.aws',
];

/**
 * What a pattern of the shell may stand for: the files that fit it now, and the folder that it begins in. Takes
 * more signs for "anything" than the shell does, never fewer.
 */
export function globTargets(
  file: string,
  isSecret: (file: string) => boolean,
): { targets: string[]; aimsAtSecret: boolean } {
  const parts = file.split('/');
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  const folder = parts.slice(0, first).join('/') || '/';
  const pattern = parts[first] ?? '';
  const isLast = first === parts.length - 1;
  const matcher = globPattern(pattern);
  const aimsAtSecret =
    isSecret(path.join(folder, 'x')) ||
    parts
      .slice(first)
      .some((part) => isNarrow(part) && typicalSecrets.some((name) => globPattern(part)(name)));
  const entries = entriesOf(folder);
  const hits = entries
    .filter((name) => matcher(name) && (!name.startsWith('.') || pattern.startsWith('.')))
    .map((name) => [folder, name, ...parts.slice(first + 1)].join('/'));
  // Below a pattern for folders there may be anything; the first of them shows at least where it leads.
  return {
    targets: [folder, ...(isLast ? hits : hits.map((hit) => hit.replace(/\/[^/]*[*?[].*$/, '')))],
    aimsAtSecret,
  };
}

/** Says so much that what it fits is meant. */
function isNarrow(pattern: string): boolean {
  return pattern.replaceAll(/[*?.]|\[[^\]]*\]/g, '').length > 2 || /^\.\w/.test(pattern);
}

/** Takes a set of characters for any one: the shell's rules for sets are not needed to be safe. */
function globPattern(pattern: string): (name: string) => boolean {
  return globTest(pattern.replaceAll(/\[[^\]]*\]|[[\]{}\\]/g, '?').replaceAll(/\*+/g, '*'));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, maxEntries);
  } catch {
    return [];
  }
}

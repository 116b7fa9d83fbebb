import { createHash } from 'node:crypto';
import path from 'node:path';
import { realPathOf } from '#lib/paths.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { type Choices, readChoices, remember } from './choices.ts';
import { maxConfigBytes } from './config-file.ts';
import { hookScripts } from './hook-scripts.ts';

/** Files of a project that could start something or change where data goes. */
const trustedFiles = [
  '.llmcode/config.json',
  '.llmcode/config.local.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
] as const;

export type ProjectTrust = {
  /** `nothing` = the folder brings no such file, so there is nothing to trust. */
  state: 'nothing' | 'untrusted' | 'changed' | 'trusted';
  /** The files that are there, and those that hooks in them run. */
  files: string[];
  fingerprint: string;
};

/** Trust holds for the content: when a file changes, the folder counts as untrusted again. */
export async function projectTrust(cwd: string, choices: Choices): Promise<ProjectTrust> {
  const hash = createHash('sha256');
  const files: string[] = [];
  const add = async (file: string): Promise<string | undefined> => {
    const read = await readRegularFile(path.join(cwd, file), { maxBytes: maxConfigBytes });
    if ('kind' in read) return undefined; // What cannot be read takes no effect either.
    files.push(file);
    hash.update(`${file}\0${read.bytes.length}\0`).update(read.bytes);
    return read.bytes.toString('utf8');
  };
  const texts: string[] = [];
  for (const file of trustedFiles) texts.push((await add(file)) ?? '');
  for (const file of hookScripts(texts, cwd)) if (!files.includes(file)) await add(file);
  const fingerprint = hash.digest('hex');
  const key = realPathOf(cwd);
  const known = choices.trusted && Object.hasOwn(choices.trusted, key) ? choices.trusted[key] : undefined;
  if (files.length === 0) return { state: 'nothing', files, fingerprint };
  if (known === undefined) return { state: 'untrusted', files, fingerprint };
  return { state: known === fingerprint ? 'trusted' : 'changed', files, fingerprint };
}

/** From now on the folder's own configuration takes effect, as long as it stays as it is. */
export async function trustProject(home: string, cwd: string): Promise<ProjectTrust> {
  const choices = readChoices(home);
  const trust = await projectTrust(cwd, choices);
  if (trust.state === 'nothing') return trust;
  await remember(home, 'trusted', { ...choices.trusted, [realPathOf(cwd)]: trust.fingerprint });
  return { ...trust, state: 'trusted' };
}

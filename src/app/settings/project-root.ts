import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folder whose `.llmcode` counts: the repository around `cwd`, else `cwd` itself. Never the home folder. */
export function projectRoot(cwd: string): string {
  const stop = homedir();
  for (let folder = cwd; folder !== stop; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (path.dirname(folder) === folder) break;
  }
  return cwd;
}

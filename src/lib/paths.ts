import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `$LLMCODE_HOME`, else `~/.llmcode`. Everything of the user lies there. */
export function llmcodeHome(env: Environment): string {
  const set = env['LLMCODE_HOME'];
  return set ? path.resolve(set) : path.join(homedir(), '.llmcode');
}

/** The path with every link resolved; of what does not exist yet, the part that exists. */
export function realPathOf(file: string): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPathOf(parent), path.basename(absolute));
  }
}

/** True when `file` is `folder` or lies below it. Both absolute. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** A path as a person reads it: relative to `cwd` when below it, else with `~` for the home folder. */
export function displayPath(file: string, cwd: string): string {
  if (isInside(file, cwd)) return path.relative(cwd, file) || '.';
  const home = homedir();
  return isInside(file, home) ? path.join('~', path.relative(home, file)) : file;
}

import path from 'node:path';

/** The config files of a folder and its user, weakest first. */
export function configPaths(home: string, cwd: string): { user: string; project: string; local: string } {
  return {
    user: path.join(home, 'config.json'),
    project: path.join(cwd, '.llmcode', 'config.json'),
    local: path.join(cwd, '.llmcode', 'config.local.json'),
  };
}

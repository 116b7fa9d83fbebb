import type { ToolScope } from '#protocol/tool.ts';
import type { ToolCallDeps } from './tool-call.ts';

/** Where a call stands. */
export function scopeOf({ cwd, roots, commandsStartIn, commandsSearch }: ToolCallDeps): ToolScope {
  return { cwd, roots, shellCwd: commandsStartIn, shellPath: commandsSearch };
}

/** A command runs in the folder and with the PATH with which it was judged, whatever other commands do meanwhile. */
export function pinShell(deps: ToolCallDeps): ToolCallDeps {
  const { shells } = deps.services;
  return { ...deps, commandsStartIn: shells?.cwd, commandsSearch: shells?.searchPath };
}

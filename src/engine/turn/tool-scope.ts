import type { ToolScope } from '#protocol/tool.ts';
import type { ToolCallDeps } from './tool-call.ts';

/** Where a call stands. */
export function scopeOf({ cwd, roots, commandsStartIn }: ToolCallDeps): ToolScope {
  return { cwd, roots, shellCwd: commandsStartIn };
}

/** A command runs in the folder in which it was judged, whatever other commands do meanwhile. */
export function pinShell(deps: ToolCallDeps): ToolCallDeps {
  return { ...deps, commandsStartIn: deps.services.shells?.cwd };
}

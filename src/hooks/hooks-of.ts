import { claudeHooks } from './claude-hooks.ts';
import type { Hook } from './hook.ts';
import { ownHooks } from './own-hooks.ts';
import type { HookSource } from './settings.ts';

/** Every hook of the settings, in their order. */
export function hooksOf(sources: readonly HookSource[]): Hook[] {
  return sources.flatMap(({ file, hooks }) =>
    Array.isArray(hooks) ? ownHooks(hooks, file) : claudeHooks(hooks, file),
  );
}

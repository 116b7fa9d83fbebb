import { type HookSettings, hookSettings } from '#hooks/settings.ts';
import type { Layer } from './layer.ts';
import { valueAt } from './settings-object.ts';
import { parseSettings } from './validate.ts';

/**
 * The hooks of all layers. Unlike other lists they add up: a hook that guards something must not vanish because a
 * project brings hooks of its own. One entry for each of the two forms that is used.
 */
export function joinHooks(layers: readonly Layer[]): HookSettings[] {
  const list: Extract<HookSettings['hooks'], readonly unknown[]> = [];
  const nested: Exclude<HookSettings['hooks'], readonly unknown[]> = {};
  for (const layer of layers) {
    const written = valueAt(layer.value, ['hooks']);
    if (written === undefined) continue;
    const { hooks } = parseSettings(hookSettings, { hooks: written }, [layer]);
    if (Array.isArray(hooks)) list.push(...hooks);
    else
      for (const [event, entries] of Object.entries(hooks))
        nested[event] = [...(nested[event] ?? []), ...entries];
  }
  const forms: HookSettings[] = [];
  if (list.length > 0) forms.push({ hooks: list });
  if (Object.keys(nested).length > 0) forms.push({ hooks: nested });
  return forms;
}

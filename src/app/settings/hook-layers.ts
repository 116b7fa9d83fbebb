import { type HookSource, hookSettings } from '#hooks/settings.ts';
import type { Layer } from './layer.ts';
import { valueAt } from './settings-object.ts';
import { parseSettings } from './validate.ts';

/**
 * The hooks of all layers. Unlike other lists they add up: a hook that guards something must not vanish because a
 * project brings hooks of its own.
 */
export function hookSources(layers: readonly Layer[]): HookSource[] {
  return layers.flatMap((layer) => {
    const written = valueAt(layer.value, ['hooks']);
    if (written === undefined) return [];
    return { file: layer.origin, ...parseSettings(hookSettings, { hooks: written }, [layer]) };
  });
}

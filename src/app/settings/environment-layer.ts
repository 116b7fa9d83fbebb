import type { Environment } from '#lib/paths.ts';
import type { Layer } from './layer.ts';
import { nested } from './settings-object.ts';

const prefix = 'LLMCODE_';
/** Short names that people expect; every other key is its path in capitals with `__` between the parts. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  LLMCODE_PERMISSION_MODE: ['permissions', 'mode'],
};
/** Not settings: where everything lies, and what becomes of a session's traffic. */
const reserved = new Set(['LLMCODE_HOME', 'LLMCODE_VCR', 'LLMCODE_VCR_FILE', 'LLMCODE_VCR_SPEED']);

/**
 * One layer for each `LLMCODE_*` variable that names a setting, e.g. `LLMCODE_MODEL`, `LLMCODE_PERMISSIONS__MODE`.
 * Others are left alone: programs around us may use the prefix too. `doctor` lists those in `unused`.
 */
export function environmentLayers(
  env: Environment,
  topLevelKeys: readonly string[],
): { layers: Layer[]; unused: string[] } {
  const layers: Layer[] = [];
  const unused: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || reserved.has(name) || text === undefined || text === '') continue;
    const keys = shortNames[name] ?? name.slice(prefix.length).toLowerCase().split('__');
    if (!topLevelKeys.includes(keys[0] ?? '')) {
      unused.push(name);
      continue;
    }
    const value = nested(keys, parseSetting(text));
    layers.push({ origin: name, kind: 'environment', value, shown: value });
  }
  return { layers, unused };
}

/** JSON where it looks like JSON, else the text itself. */
export function parseSetting(text: string): unknown {
  if (!/^\s*(?:true|false|null|-?\d|[[{"])/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { z } from 'zod';
import { LlmcodeError } from '#lib/errors.ts';
import { nearestName } from '#lib/nearest.ts';
import { lineOf } from './config-file.ts';
import type { Layer } from './layer.ts';
import { knownKeys, unknownPaths } from './schema-keys.ts';
import { type SettingsObject, valueAt } from './settings-object.ts';

/** Parses merged settings; throws `config-invalid` with every fault, each with its place and what would be right. */
export function parseSettings<Schema extends z.ZodType>(
  schema: Schema,
  merged: SettingsObject,
  layers: readonly Layer[],
): z.infer<Schema> {
  const parsed = schema.safeParse(merged);
  const unknownKeys = unknownPaths(schema, merged);
  const unknown = unknownKeys.map((path) => describeUnknown(schema, path, layers));
  const issues = parsed.error?.issues ?? [];
  // An unknown key is described above; a union that fails for it says nothing more.
  const invalid = issues.filter(
    (issue) => issue.code !== 'unrecognized_keys' && !unknownKeys.some((path) => isAbove(issue.path, path)),
  );
  // Keys that each alternative of a union knows, but none all together, are unknown to zod alone.
  const told = unknown.length + invalid.length === 0 ? issues : invalid;
  const faults = [...new Set([...unknown, ...told.map((issue) => describeIssue(issue, merged, layers))])];
  if (faults.length > 0 || !parsed.success)
    throw new LlmcodeError('config-invalid', faults.join('\n'), { exitCode: 2 });
  return parsed.data;
}

function isAbove(above: readonly PropertyKey[], path: readonly string[]): boolean {
  return above.every((key, index) => String(key) === path[index]);
}

function describeUnknown(schema: z.ZodType, path: string[], layers: readonly Layer[]): string {
  const known = knownKeys(schema, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  const near = nearestName(key, known);
  const hint = near ? `; did you mean '${near}'?` : `; known here: ${known.join(', ') || 'nothing'}`;
  return `${placeOf(path, layers)} unknown key '${path.join('.')}'${hint}`;
}

function describeIssue(issue: z.core.$ZodIssue, merged: SettingsObject, layers: readonly Layer[]): string {
  const { path, message } = deepest(issue);
  const keys = path.map(String);
  const value = valueAt(merged, keys);
  const shown = value === undefined ? '' : ` (it is ${JSON.stringify(value)?.slice(0, 60) ?? String(value)})`;
  return `${placeOf(keys, layers)} '${keys.join('.')}': ${message}${isSecret(keys) ? '' : shown}`;
}

/** Of a union's failures, the one that got furthest into the value says most. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  const own = { path: [...issue.path], message: issue.message.replace(/^Invalid input: /, '') };
  if (issue.code !== 'invalid_union') return own;
  const inner = issue.errors.flat().map((each) => {
    const found = deepest(each);
    return { path: [...issue.path, ...found.path], message: found.message };
  });
  return inner.reduce((best, each) => (each.path.length > best.path.length ? each : best), inner[0] ?? own);
}

/** The place of the strongest layer that says something at this path or nearest above it. */
function placeOf(keys: readonly string[], layers: readonly Layer[]): string {
  for (let length = keys.length; length > 0; length -= 1) {
    const part = keys.slice(0, length);
    const layer = layers.findLast((each) => valueAt(each.value, part) !== undefined);
    if (!layer) continue;
    return layer.file
      ? `${layer.file.path}:${lineOf(layer.file, locationOf(layer.value, keys))}`
      : layer.origin;
  }
  return 'settings:';
}

/** List positions as numbers, as the JSON reader wants them. */
function locationOf(value: SettingsObject, keys: readonly string[]): (string | number)[] {
  return keys.map((key, index) => (Array.isArray(valueAt(value, keys.slice(0, index))) ? Number(key) : key));
}

/** True for values that no message and no list may show. */
export function isSecret(keys: readonly string[]): boolean {
  const key = keys.at(-1) ?? '';
  if (key.endsWith('_env')) return false;
  return keys.includes('headers') || /(^|[_-])(key|token|secret|password|authorization)$/i.test(key);
}

/** A JSON object of settings before a schema has seen it. */
export type SettingsObject = { [key: string]: unknown };

export function isRecord(value: unknown): value is SettingsObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** Objects merge, everything else replaces. The result shares nothing that a later merge could change. */
export function mergeSettings(low: SettingsObject, high: SettingsObject): SettingsObject {
  const merged: SettingsObject = { ...low };
  for (const [key, value] of Object.entries(high)) {
    const below = Object.hasOwn(low, key) ? low[key] : undefined;
    define(merged, key, isRecord(value) ? mergeSettings(isRecord(below) ? below : {}, value) : value);
  }
  return merged;
}

/** An object with one value deep inside: `(['a', 'b'], 1)` -> `{a: {b: 1}}`. */
export function nested(keys: readonly string[], value: unknown): SettingsObject {
  const [first, ...rest] = keys;
  const result: SettingsObject = {};
  if (first !== undefined) define(result, first, rest.length === 0 ? value : nested(rest, value));
  return result;
}

/** Every leaf with its path; empty objects and lists are leaves. */
export function* leavesOf(
  value: unknown,
  at: readonly string[] = [],
): Generator<[readonly string[], unknown]> {
  if (isRecord(value) && Object.keys(value).length > 0)
    for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...at, key]);
  else if (at.length > 0) yield [at, value];
}

/** `__proto__` in a file must become a plain key that the schema refuses, not a prototype. */
function define(target: SettingsObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

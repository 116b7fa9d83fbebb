import type { z } from 'zod';
import { isRecord } from './settings-object.ts';

type Schema = z.core.$ZodType;
type Definition = {
  type: string;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  options?: readonly Schema[];
  valueType?: Schema;
  element?: Schema;
  items?: readonly Schema[];
  getter?: () => Schema;
};

/** The schema without the layers that only default, wrap or convert. */
function coreOf(schema: Schema): Definition {
  const definition = schema._zod.def as unknown as Definition;
  if (definition.innerType) return coreOf(definition.innerType);
  if (definition.type === 'lazy' && definition.getter) return coreOf(definition.getter());
  if (definition.type === 'pipe' && definition.in && definition.out) {
    const input = coreOf(definition.in);
    return input.type === 'transform' ? coreOf(definition.out) : input;
  }
  return definition;
}

/** The schemas that a key of this schema's value may have; none when the key is unknown. */
function below(schema: Schema, key: string): Schema[] {
  const core = coreOf(schema);
  if (core.options) return core.options.flatMap((option) => below(option, key));
  if (core.shape && Object.hasOwn(core.shape, key)) return [core.shape[key] as Schema];
  if (core.type === 'record' && core.valueType) return [core.valueType];
  if (core.type === 'array' && core.element) return [core.element];
  if (core.type === 'tuple' && core.items) return core.items.slice(Number(key), Number(key) + 1);
  return core.catchall && coreOf(core.catchall).type !== 'never' ? [core.catchall] : [];
}

function schemasAt(schema: Schema, keys: readonly string[]): Schema[] {
  return keys.reduce<Schema[]>((schemas, key) => schemas.flatMap((each) => below(each, key)), [schema]);
}

/** True when a value may stand at this path. */
export function isKnownPath(schema: Schema, keys: readonly string[]): boolean {
  return schemasAt(schema, keys).length > 0;
}

/** The keys that an object at this path may hold; [] where any key goes or none does. */
export function knownKeys(schema: Schema, keys: readonly string[]): string[] {
  const shapes = schemasAt(schema, keys).flatMap(shapesOf);
  return [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
}

function shapesOf(schema: Schema): Record<string, Schema>[] {
  const core = coreOf(schema);
  if (core.options) return core.options.flatMap(shapesOf);
  return core.shape ? [core.shape] : [];
}

/** Paths in `value` that no schema knows, also where a room's own schema would drop them without a word. */
export function unknownPaths(schema: Schema, value: unknown, at: readonly string[] = []): string[][] {
  // Where no keys go at all the schema itself says what is wrong.
  if (!hasKeys(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((inner, index) => unknownBelow(schema, String(index), inner, at));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => unknownBelow(schema, key, inner, at));
}

/** False also when one alternative takes anything. */
function hasKeys(schema: Schema): boolean {
  const alternatives = (coreOf(schema).options ?? [schema]).map(coreOf);
  const isOpen = alternatives.some(({ type }) => ['any', 'unknown', 'custom'].includes(type));
  return !isOpen && alternatives.some(({ type }) => ['object', 'record', 'array', 'tuple'].includes(type));
}

function unknownBelow(schema: Schema, key: string, value: unknown, at: readonly string[]): string[][] {
  const path = [...at, key];
  const schemas = below(schema, key);
  if (schemas.length === 0) return [path];
  const found = schemas.map((each) => unknownPaths(each, value, path));
  return found.reduce((least, each) => (each.length < least.length ? each : least));
}

/** Every path that the schema names, dotted, for nearest-name hints and completion; records end in `*`. */
export function schemaPaths(schema: Schema, at: readonly string[] = []): string[] {
  const shapes = shapesOf(schema);
  if (shapes.length > 0)
    return [
      ...new Set(
        shapes.flatMap((shape) =>
          Object.entries(shape).flatMap(([key, inner]) => schemaPaths(inner, [...at, key])),
        ),
      ),
    ];
  const core = coreOf(schema);
  if (core.type === 'record' && core.valueType) return schemaPaths(core.valueType, [...at, '*']);
  return at.length > 0 ? [at.join('.')] : [];
}

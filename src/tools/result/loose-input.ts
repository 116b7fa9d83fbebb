import { z } from 'zod';

/**
 * An object schema that forgives what models often get wrong about types: numbers and booleans as strings, JSON
 * text or a single value where an array is meant, null for what is absent. `prepare` sees the value first. Its
 * JSON Schema stays that of the plain object.
 */
export function looseInput<Shape extends z.ZodRawShape>(
  shape: Shape,
  prepare: (value: unknown) => unknown = (value) => value,
): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const schema = z.object(shape);
  const loose = z.preprocess((value) => loosen(schema, prepare(value)), schema);
  return loose as z.ZodType<z.output<z.ZodObject<Shape>>>;
}

function loosen(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional)
    return value === null || value === undefined ? undefined : loosen(schema.unwrap(), value);
  if (schema instanceof z.ZodNumber) return toNumber(value);
  if (schema instanceof z.ZodBoolean) return toBoolean(value);
  if (schema instanceof z.ZodString && typeof value === 'number') return String(value);
  if (schema instanceof z.ZodArray) {
    const list = toArray(value);
    return Array.isArray(list) ? list.map((item) => loosen(schema.element, item)) : list;
  }
  if (schema instanceof z.ZodObject) return loosenObject(schema, value);
  return value;
}

function loosenObject(schema: z.ZodObject, value: unknown): unknown {
  const object = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, field]) => [
      key,
      loosen(Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined, field),
    ]),
  );
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

function toBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (word === 'true' || word === 'yes') return true;
  return word === 'false' || word === 'no' ? false : value;
}

function toArray(value: unknown): unknown {
  if (Array.isArray(value) || value === undefined) return value;
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  if (Array.isArray(parsed)) return parsed;
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? [parsed ?? value]
    : value;
}

function parseJson(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') && !trimmed.startsWith('{')) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined; // Then it is meant as the text that it is.
  }
}

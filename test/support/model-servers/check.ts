/** Refuses a request from inside a validator; the text is what the vendor would answer. */
export class Refusal extends Error {}

export function refuse(message: string): never {
  throw new Refusal(message);
}

export function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    return `invalid request: ${String(error)}`;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: vendor JSON from outside
export type Loose = any;

export function checkKeys(value: Loose, allowed: readonly string[], where: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`${where}: must be an object`);
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key)) refuse(`${where}: unrecognized argument: ${key}`);
  }
}

export function checkText(value: unknown, where: string): string {
  if (typeof value !== 'string') return refuse(`${where}: must be a string`);
  if (value.trim() === '') return refuse(`${where}: text must contain non-whitespace text`);
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value)) {
    return refuse(`${where}: lone surrogate`);
  }
  return value;
}

export function checkImage(mediaType: unknown, base64: unknown, where: string): void {
  if (!['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(String(mediaType))) {
    refuse(`${where}: unsupported image type ${String(mediaType)}`);
  }
  if (typeof base64 !== 'string' || base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    refuse(`${where}: the image is no base64`);
  }
}

export function checkToolName(name: unknown, where: string): void {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    refuse(`${where}: '${String(name)}' does not match '^[a-zA-Z0-9_-]{1,64}$'`);
  }
}

export function checkJsonObject(text: unknown, where: string): void {
  const value = typeof text === 'string' ? parse(text) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(`${where}: must be the text of a JSON object`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function checkSchema(schema: Loose, where: string): void {
  if (schema?.type !== 'object') refuse(`${where}: schema must be of type "object"`);
}

export function checkCallId(id: unknown, pattern: RegExp, where: string): void {
  if (typeof id !== 'string' || !pattern.test(id))
    refuse(`${where}: call id ${JSON.stringify(id)} must match ${pattern}`);
}

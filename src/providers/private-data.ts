import { asObject, type JsonObject } from './wire/json.ts';

const secrets = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'];
const uselessAlways = ['annotations', 'logprobs', 'citations'];

/** True when a part has to be kept for its private data alone, though it holds no text. */
export function isSecret(metadata: JsonObject): boolean {
  return Object.values(metadata).some((fields) => {
    const object = asObject(fields);
    return (
      object !== undefined && secrets.some((key) => typeof object[key] === 'string' && object[key] !== '')
    );
  });
}

/** The vendor data of a part that the vendor wants back; undefined when there is none. */
export function keepPrivate(
  kind: 'text' | 'reasoning' | 'tool-call',
  metadata: JsonObject,
): JsonObject | undefined {
  // Item ids mean nothing to a vendor that was told not to store; only a reasoning item is known by its id.
  const dropped = kind === 'reasoning' ? uselessAlways : [...uselessAlways, 'itemId'];
  const kept = Object.entries(metadata).flatMap(([vendor, fields]): [string, JsonObject][] => {
    const entries = Object.entries(asObject(fields) ?? {}).filter(
      ([key, value]) => !dropped.includes(key) && value !== null && value !== undefined,
    );
    return entries.length > 0 ? [[vendor, Object.fromEntries(entries)]] : [];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

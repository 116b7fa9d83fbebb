import type { WireFacts } from './facts.ts';
import { asArray, asObject, asText, type JsonObject } from './json.ts';

/**
 * `reasoning_details` (OpenRouter and its like): reasoning in pieces with signatures, which must go back whole.
 * Pieces with the same index and type belong together.
 */
export function noteReasoningDetails(delta: JsonObject, facts: WireFacts): void {
  for (const value of asArray(delta['reasoning_details']) ?? []) {
    const piece = asObject(value);
    if (!piece) continue;
    facts.reasoningField ??= 'reasoning';
    const known = facts.reasoningDetails.find(
      (detail) => detail['type'] === piece['type'] && detail['index'] === piece['index'],
    );
    if (!known) {
      facts.reasoningDetails.push({ ...piece });
      continue;
    }
    for (const [key, part] of Object.entries(piece)) known[key] = joined(key, known[key], part);
  }
}

function joined(
  key: string,
  known: JsonObject[string] | undefined,
  part: JsonObject[string],
): JsonObject[string] {
  const isText = key === 'text' || key === 'summary' || key === 'data';
  if (isText && typeof known === 'string' && typeof part === 'string') return known + part;
  return part === null || part === '' ? (known ?? part) : part;
}

/** Takes the reasoning text out of the details when it stands nowhere else. */
export function reasoningFromDetails(delta: JsonObject): JsonObject {
  const details = asArray(delta['reasoning_details']);
  if (!details || delta['reasoning'] || delta['reasoning_content']) return delta;
  const text = details
    .map((value) => asText(asObject(value)?.['text']) ?? asText(asObject(value)?.['summary']) ?? '')
    .join('');
  return text === '' ? delta : { ...delta, reasoning: text };
}

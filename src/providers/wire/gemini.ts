import type { FinishReason } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';
import type { WireDialect } from './dialect.ts';
import type { WireFacts } from './facts.ts';
import { asArray, asCount, asObject, asText, type JsonObject } from './json.ts';

/** The Gemini API. */
export const geminiDialect: WireDialect = {
  read,
  piece: (event) => {
    const part = onlyPart(event);
    const text = asText(part?.['text']);
    return text === undefined ? undefined : { key: part?.['thought'] === true ? 'thought' : 'text', text };
  },
  withPiece: (event, text) => {
    const part = { ...onlyPart(event), text };
    return { ...event, candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] };
  },
  fromDocument: (document) => [document],
  isComplete: (facts) => facts.finish !== null,
  finishReason,
  usage,
};

/** The part of an event that holds one piece of text without signature or end; the counts beside it are noted. */
function onlyPart(event: JsonObject): JsonObject | undefined {
  const candidate = asObject(asArray(event['candidates'])?.[0]);
  if (!candidate || candidate['finishReason'] || event['promptFeedback']) return undefined;
  const parts = asArray(asObject(candidate['content'])?.['parts']);
  const part = parts?.length === 1 ? asObject(parts[0]) : undefined;
  const isPlain = part && Object.keys(part).every((key) => key === 'text' || key === 'thought');
  return isPlain ? part : undefined;
}

function read(event: JsonObject, facts: WireFacts): readonly JsonObject[] {
  const error = asObject(event['error']);
  if (error) {
    facts.error = { status: asCount(error['code']) ?? undefined, body: JSON.stringify(event) };
    return [];
  }
  const reported = asObject(event['usageMetadata']);
  if (reported) facts.usage = { ...facts.usage, ...reported };
  const blocked = asText(asObject(event['promptFeedback'])?.['blockReason']);
  if (blocked) facts.finish = blocked;
  const candidate = asObject(asArray(event['candidates'])?.[0]);
  const finish = asText(candidate?.['finishReason']);
  if (finish) facts.finish = finish;
  return [signedServerItems(event, candidate)];
}

/** The signature of a server-side item would be lost with the item: an empty thought carries it. */
function signedServerItems(event: JsonObject, candidate: JsonObject | undefined): JsonObject {
  const content = asObject(candidate?.['content']);
  const parts = asArray(content?.['parts']);
  if (!candidate || !content || !parts) return event;
  const carriers = parts.flatMap((value): JsonObject[] => {
    const part = asObject(value);
    const isServerItem =
      part?.['executableCode'] !== undefined || part?.['codeExecutionResult'] !== undefined;
    const thoughtSignature = part?.['thoughtSignature'];
    return isServerItem && thoughtSignature ? [{ text: '', thought: true, thoughtSignature }] : [];
  });
  if (carriers.length === 0) return event;
  const changed = { ...candidate, content: { ...content, parts: [...parts, ...carriers] } };
  return { ...event, candidates: [changed] };
}

function finishReason(facts: WireFacts, hasCalls: boolean): FinishReason {
  switch (facts.finish) {
    case 'STOP':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
    case 'MODEL_ARMOR':
    case 'BLOCK_REASON_UNSPECIFIED':
      return 'content-filter';
    case 'MALFORMED_FUNCTION_CALL':
    case 'UNEXPECTED_TOOL_CALL':
      return 'error';
    default:
      return hasCalls ? 'tool-calls' : 'other';
  }
}

/** Thoughts stand beside the candidates here, and what server tools fed back beside the prompt. */
function usage({ usage: reported }: WireFacts): Usage | null {
  if (!reported) return null;
  const prompt = asCount(reported['promptTokenCount']);
  const fedBack = asCount(reported['toolUsePromptTokenCount']);
  const candidates = asCount(reported['candidatesTokenCount']);
  const reasoning = asCount(reported['thoughtsTokenCount']);
  return {
    input: prompt === null ? null : prompt + (fedBack ?? 0),
    output: candidates === null && reasoning === null ? null : (candidates ?? 0) + (reasoning ?? 0),
    cacheRead: asCount(reported['cachedContentTokenCount']),
    cacheWrite: null,
    reasoning,
  };
}

import type { AnswerHeaders } from '../transport.ts';
import { asText } from '../wire/json.ts';
import type { ErrorBody } from './error-body.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** How long the server asks to wait, in milliseconds; undefined when it does not say. */
export function retryAfterOf(
  headers: AnswerHeaders | undefined,
  body: ErrorBody,
  now: number,
): number | undefined {
  return (
    plainNumber(headers?.get('retry-after-ms')) ??
    secondsOrDate(headers?.get('retry-after'), now) ??
    googleRetryInfo(body) ??
    inMessage(body.message)
  );
}

function plainNumber(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function secondsOrDate(text: string | null | undefined, now: number): number | undefined {
  const seconds = plainNumber(text);
  if (seconds !== undefined) return Math.round(seconds * 1_000);
  const date = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function googleRetryInfo(body: ErrorBody): number | undefined {
  const info = body.details.find((detail) => asText(detail['@type'])?.endsWith('RetryInfo'));
  const delay = asText(info?.['retryDelay']);
  return delay ? duration(delay) : undefined;
}

function inMessage(message: string): number | undefined {
  const found = /(?:try again|retry|reset)\w*\s+(?:in|after)\s+((?:[\d.]+\s*(?:ms|s|m|h|d)[a-z]*\s*)+)/i.exec(
    message,
  );
  return found?.[1] ? duration(found[1]) : undefined;
}

/** `34.4s`, `1m30s`, `2 minutes`, `500ms`. */
function duration(text: string): number | undefined {
  const parts = [...text.matchAll(/([\d.]+)\s*(ms|s|m|h|d)/gi)];
  if (parts.length === 0) return undefined;
  const sum = parts.reduce((total, [, count, unit]) => {
    return total + Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0);
  }, 0);
  return Number.isFinite(sum) ? Math.round(sum) : undefined;
}

import type { JsonValue } from '#protocol/json.ts';
import { asArray, asObject, asText, type JsonObject, parseJson } from '../wire/json.ts';

/** What an error answer says, out of all the shapes that vendors give it. */
export type ErrorBody = {
  message: string;
  type: string;
  code: string;
  isHtml: boolean;
  details: readonly JsonObject[];
};

export function readErrorBody(body: string): ErrorBody {
  const text = body.trim();
  if (text.startsWith('<')) return { ...nothing, isHtml: true, message: titleOf(text) };
  const parsed = parseJson(text);
  const top = asObject(asArray(parsed)?.[0]) ?? asObject(parsed);
  if (!top) return { ...nothing, message: text.slice(0, 500) };
  const inner = asObject(top['error']) ?? asObject(asArray(top['errors'])?.[0]) ?? top;
  return {
    message: messageOf(top, inner),
    type: word(inner['type']) || word(inner['status']) || word(top['type']),
    code: word(inner['code']) || word(top['code']),
    isHtml: false,
    details: (asArray(inner['details']) ?? []).flatMap((value) => {
      const detail = asObject(value);
      return detail ? [detail] : [];
    }),
  };
}

const nothing: ErrorBody = { message: '', type: '', code: '', isHtml: false, details: [] };

function messageOf(top: JsonObject, inner: JsonObject): string {
  const message =
    asText(top['error']) ??
    asText(inner['message']) ??
    asText(top['message']) ??
    asText(inner['detail']) ??
    asText(asObject(asArray(inner['detail'])?.[0])?.['msg']) ??
    '';
  // A gateway's own words say little; what its upstream said stands in the metadata.
  const raw = asText(asObject(inner['metadata'])?.['raw']);
  if (!raw || raw === message) return message;
  const upstream = readErrorBody(raw).message || raw.slice(0, 500);
  return message === '' ? upstream : `${message}: ${upstream}`;
}

function word(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function titleOf(html: string): string {
  return /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim() ?? '';
}

import type { JsonValue } from '#protocol/json.ts';
import type { AnswerHeaders } from '../transport.ts';
import type { JsonObject } from './json.ts';

/** An error that came inside an answer which had begun with status 200. */
type StreamError = { status: number | undefined; body: string };

/**
 * What was seen on the wire during one model call, whatever the SDK made of it. The truth about how the call
 * ended: the SDK reports a stream that broke off much like one that finished.
 */
export type WireFacts = {
  url: string;
  status: number | undefined;
  headers: AnswerHeaders | undefined;
  /** Events that held data; comments do not count. */
  events: number;
  /** Events whose data was no JSON. */
  unreadable: number;
  /** The last finish reason, in the vendor's word. */
  finish: string | null;
  /** The API's own closing mark was seen. */
  isClosed: boolean;
  /** The body ended by a broken connection. */
  broken: unknown;
  /** Token counts as the vendor sent them; later values win. */
  usage: JsonObject | null;
  error: StreamError | null;
  /** Id of the message that streams, where the API gives one. */
  messageId: string | null;
  /** Indexes of blocks that are no part of the answer, e.g. a summary that the server made for itself. */
  hiddenBlocks: Set<JsonValue | undefined>;
  /** Calls so far, where the API does not number them. */
  calls: number;
  /** Name of the field that held reasoning text, so that it can go back under the same name. */
  reasoningField: string | null;
  /** OpenRouter's structured reasoning, put together from its pieces. */
  reasoningDetails: JsonObject[];
};

export function emptyFacts(): WireFacts {
  return {
    url: '',
    status: undefined,
    headers: undefined,
    events: 0,
    unreadable: 0,
    finish: null,
    isClosed: false,
    broken: undefined,
    usage: null,
    error: null,
    messageId: null,
    hiddenBlocks: new Set(),
    calls: 0,
    reasoningField: null,
    reasoningDetails: [],
  };
}

import type { FinishReason } from '#protocol/message.ts';
import type { Usage } from '#protocol/usage.ts';
import type { WireFacts } from './facts.ts';
import type { JsonObject } from './json.ts';

/** What one API says on the wire, and how its oddities are put right before the SDK sees them. */
export type WireDialect = {
  /**
   * Notes what an event says and returns the events that the SDK shall see: the same object when nothing was
   * wrong with it, [] to hide it.
   */
  read(event: JsonObject, facts: WireFacts): readonly JsonObject[];
  /** Recognises an event that says nothing but the next piece of some text; `key` names the text. */
  piece?(event: JsonObject): Piece | undefined;
  /** The same event with another piece. */
  withPiece?(event: JsonObject, text: string): JsonObject;
  /** Events to add where the body says `[DONE]`, for what the SDK would miss. */
  atDone?(facts: WireFacts): readonly JsonObject[];
  /** An answer that came as one JSON document, as the events of a stream. */
  fromDocument(document: JsonObject): readonly JsonObject[];
  /** False when the stream broke off before the answer was whole. */
  isComplete(facts: WireFacts): boolean;
  finishReason(facts: WireFacts, hasCalls: boolean): FinishReason;
  usage(facts: WireFacts): Usage | null;
  /** Calls have no closing mark of their own: they are whole only when the answer is. */
  endsCallsAtClose?: boolean;
  /** Each line of the body is an event (NDJSON) instead of server-sent events. */
  isLineDelimited?: boolean;
};

/** A piece of running text. Pieces that arrive together and have the same key are handed on as one. */
export type Piece = { key: string; text: string };

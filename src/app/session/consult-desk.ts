import { consultError } from '#agents/consult/consult-error.ts';
import type {
  ConsultDraft,
  ConsultRequest,
  Consults,
  DraftSeat,
  SecretChoice,
} from '#agents/consult/consults.ts';
import { textToSend } from '#agents/consult/consults.ts';
import { consultPart, failedPart, shortQuestion } from '#agents/consult/outcome.ts';
import { secretText, unattachedText } from '#agents/consult/peer-service.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { createIdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import { shownName } from '#lib/quote.ts';
import type { ConsultReview } from '#protocol/consult-review.ts';
import type { ConsultPart } from '#protocol/message.ts';
import type { InteractiveSession } from './interactive-session.ts';

type Draft = { draft: ConsultDraft; consults: Consults };
type Running = { thread: string; peer: string; controller: AbortController };

/** A draft that nobody sent makes room for newer ones. */
const keptDrafts = 8;

/** Questions to peers from the screen: shown first, then asked beside the thread while the prompt stays free. */
export class ConsultDesk {
  readonly #session: InteractiveSession;
  readonly #ids = createIdSource();
  readonly #drafts = new Map<string, Draft>();
  readonly #running = new Map<string, Running>();
  #draftCount = 0;

  constructor(session: InteractiveSession) {
    this.#session = session;
    session.signal.addEventListener('abort', () => this.stop(undefined), { once: true });
  }

  /** Sends nothing: what would be sent comes back to be looked at. */
  async prepare(request: ConsultRequest): Promise<ConsultReview> {
    const { consults } = await this.#session.composition();
    const draft = await consults.prepare(request);
    this.#draftCount += 1;
    const id = String(this.#draftCount);
    this.#drafts.set(id, { draft, consults });
    for (const old of [...this.#drafts.keys()].slice(0, -keptDrafts)) this.#drafts.delete(old);
    return reviewOf(id, draft);
  }

  /** Sends a draft that was shown, once. Returns when it is on its way. */
  send(id: string, choice: SecretChoice): void {
    const known = this.#drafts.get(id);
    if (!known)
      throw consultError('invalid_request', `There is no question ${shownName(id)} that waits to be sent.`);
    const { draft, consults } = known;
    const text = textToSend(draft.bundle, choice);
    this.#drafts.delete(id);
    for (const seat of draft.seats)
      this.#session.runBeside(this.#ask(consults, seat, { text, question: draft.bundle.question }));
  }

  /** Stops the rounds of this thread or peer, or all of them; returns the threads that were stopped. */
  stop(what: string | undefined): string[] {
    const meant = [...this.#running.values()].filter(
      ({ thread, peer }) => what === undefined || thread === what || peer === what,
    );
    for (const { controller } of meant) controller.abort();
    return meant.map(({ thread }) => thread);
  }

  async #ask(
    consults: Consults,
    seat: DraftSeat,
    { text, question }: { text: string; question: string },
  ): Promise<void> {
    const { handle } = this.#session;
    const id = this.#ids();
    const { peer, thread, round } = seat;
    const asked = { id, peer, thread, round, question: shortQuestion(question) };
    const controller = new AbortController();
    this.#running.set(id, { thread, peer, controller });
    handle.submit({ kind: 'consult-started', consult: asked });
    const part = await this.#partOf(consults, seat, { text, asked, signal: controller.signal });
    this.#running.delete(id);
    if (this.#session.handle === handle) handle.submit({ kind: 'consult-ended', part });
    else this.#session.notify(elsewhere(part));
  }

  async #partOf(
    consults: Consults,
    seat: DraftSeat,
    { text, asked, signal }: { text: string; asked: Parameters<typeof failedPart>[1]; signal: AbortSignal },
  ): Promise<ConsultPart> {
    try {
      return consultPart(await consults.ask(seat, { text, signal }), asked);
    } catch (error) {
      if (!LlmcodeError.isInstance(error)) log('asking a peer failed:', error);
      const code = LlmcodeError.isInstance(error) ? error.code : 'internal_error';
      return failedPart({ code, message: errorText(error) }, asked);
    }
  }
}

/** The person has gone on in another thread meanwhile. */
function elsewhere({ peer, thread, status }: ConsultPart): { level: 'info' | 'warning'; text: string } {
  return status === 'answered'
    ? { level: 'info', text: `${peer} has answered in ${thread}: \`/consult show ${thread}\`` }
    : { level: 'warning', text: `${peer} did not answer in ${thread}: \`/consult show ${thread}\`` };
}

function reviewOf(id: string, { seats, bundle }: ConsultDraft): ConsultReview {
  return {
    id,
    seats: seats.map(({ peer, thread, round, info, estimate }) => ({
      peer,
      thread,
      round,
      isLocal: info.local,
      ...estimate,
    })),
    bytes: bundle.bytes,
    attachments: bundle.attachments.map(({ kind, name, text, isOutside }) => ({
      kind,
      name,
      bytes: Buffer.byteLength(text),
      isOutside,
    })),
    unattached: bundle.unattached.map(({ name, why }) => ({ name, why: unattachedText(why) })),
    secrets: bundle.secrets.map((secret) => ({
      what: secretText(secret),
      where: secret.where,
      line: secret.line,
    })),
    text: bundle.text,
  };
}

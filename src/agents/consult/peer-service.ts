import { formatCount } from '#lib/amounts.ts';
import type { PeerQuestion, PeerService } from '#protocol/tool.ts';
import type { SecretFinding, Unattached } from './bundle.ts';
import { consultError } from './consult-error.ts';
import {
  type ConsultDraft,
  type Consults,
  type ConsultTarget,
  type DraftSeat,
  textToSend,
} from './consults.ts';
import { costText, roundFacts } from './outcome.ts';

/** Peers as the tool `consult_peer` asks them: one at a time, and never with a secret. */
export function createPeerService(consults: Consults): PeerService {
  /** What was shown is what is sent, also when a file changes in between. */
  const shown = new Map<string, Prepared>();
  const prepare = async (question: PeerQuestion): Promise<Prepared> => {
    const draft = await consults.prepare({
      target: targetOf(question),
      question: question.prompt,
      hasMentions: false,
      files: question.files,
    });
    const [seat] = draft.seats;
    if (!seat) throw new Error('a question without a seat');
    return { draft, seat, text: textToSend(draft.bundle, 'refuse') };
  };
  return {
    async review(question) {
      const prepared = await prepare(question);
      shown.set(JSON.stringify(question), prepared);
      for (const old of [...shown.keys()].slice(0, -keptReviews)) shown.delete(old);
      return `${reviewLines(prepared.draft).join('\n')}\n\n${prepared.text}`;
    },
    async ask(question, { signal }) {
      const key = JSON.stringify(question);
      const { seat, text } = shown.get(key) ?? (await prepare(question));
      shown.delete(key);
      const round = await consults.ask(seat, { text, signal });
      if (round.status !== 'answered') {
        const { code = 'provider_error', message = 'There was no answer.' } = round.failure ?? {};
        throw consultError(code, message);
      }
      const { peer, thread } = seat;
      return {
        peer,
        thread,
        round: round.number,
        text: round.text,
        facts: roundFacts(round, peer),
        costUsd: round.costUsd,
      };
    },
  };
}

type Prepared = { draft: ConsultDraft; seat: DraftSeat; text: string };

const keptReviews = 8;

function targetOf({ peer, thread }: PeerQuestion): ConsultTarget {
  if ((peer === undefined) === (thread === undefined))
    throw consultError(
      'invalid_request',
      'Give either peer, to begin a thread with it, or thread, to go on with one.',
    );
  return peer === undefined ? { kind: 'reply', thread: thread ?? '' } : { kind: 'open', peers: [peer] };
}

/** To whom it goes, what is in it and what it takes, a line each. */
export function reviewLines({ seats, bundle }: ConsultDraft): string[] {
  const { bytes, tokens, attachments, unattached, secrets } = bundle;
  return [
    ...seats.map(
      ({ peer, thread, round, info, estimate }) =>
        `to        ${peer}${info.local ? ' (this machine)' : ''} · thread ${thread} · round ${round} · about ${formatCount(estimate.tokens)} tokens, ${costText(estimate.costUsd)}`,
    ),
    `size      ${formatCount(bytes)} bytes, about ${formatCount(tokens)} tokens`,
    ...attachments.map(
      ({ kind, name, text, isOutside }) =>
        `attached  ${kind} ${name} · ${formatCount(Buffer.byteLength(text))} bytes${isOutside ? ' · outside the workspace' : ''}`,
    ),
    ...unattached.map(({ name, why }) => `without   ${name} · not attached: ${unattachedText(why)}`),
    ...(secrets.length === 0 ? ['secrets   none found'] : secrets.map(secretLine)),
  ];
}

export function unattachedText(why: Unattached['why']): string {
  return why === 'folder' ? 'a folder; the peer may look into it' : 'no such file';
}

function secretLine(secret: SecretFinding): string {
  const { where, line } = secret;
  return `secrets   ${secretText(secret)}: ${line === 0 ? where : `${where}, line ${line}`}`;
}

export function secretText({ kind }: SecretFinding): string {
  return kind === 'secrets-file' ? 'a file that holds secrets' : `looks like a ${kind.replaceAll('-', ' ')}`;
}

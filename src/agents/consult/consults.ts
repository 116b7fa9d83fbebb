import { LlmcodeError } from '#lib/errors.ts';
import type { ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef, parseModelRef } from '#protocol/model-ref-text.ts';
import { type Bundle, composeBundle } from './bundle.ts';
import { type Chosen, collectAttachments } from './collect.ts';
import { consultError, threadBusy } from './consult-error.ts';
import type { ConsultParts } from './consult-parts.ts';
import { toolsForPeer } from './peer-gate.ts';
import { estimateRound, type RoundEstimate } from './price.ts';
import {
  type ConsultLog,
  type ConsultThread,
  consultThreads,
  findConsult,
  nameTaken,
  readConsult,
  takenNames,
} from './registry.ts';
import { answeredRounds } from './rounds.ts';
import { type AskedRound, runRound, type Seat } from './run-round.ts';
import { automaticName, checkThreadName } from './thread-name.ts';

/** Who is asked: models by reference (a thread for each), or the peer of a thread that is there. */
export type ConsultTarget =
  | { kind: 'open'; peers: readonly string[]; name?: string | undefined }
  | { kind: 'reply'; thread: string };

export type ConsultRequest = Chosen & { target: ConsultTarget };

export type DraftSeat = Seat & { round: number; info: ModelInfo; estimate: RoundEstimate };

/** A question made ready and not sent: all that a person should see before it is. */
export type ConsultDraft = { seats: readonly DraftSeat[]; bundle: Bundle };

/** How secrets that were found are dealt with. */
export type SecretChoice = 'refuse' | 'blank' | 'send';

/** Questions to other models, each in a thread of its own. */
export interface Consults {
  /** Sends nothing to the peers. Rejects with an `LlmcodeError` for what cannot be asked. */
  prepare(request: ConsultRequest): Promise<ConsultDraft>;
  /** One round with one peer; see `runRound`. */
  ask(seat: Seat, options: { text: string; signal: AbortSignal }): Promise<AskedRound>;
  list(): Promise<ConsultThread[]>;
  /** By name or id. */
  show(thread: string): Promise<ConsultLog>;
}

export function createConsults(parts: ConsultParts): Consults {
  return {
    async prepare(request) {
      if (request.question.trim() === '')
        throw consultError('invalid_request', 'There is no question: say what you want to know.');
      const seats =
        request.target.kind === 'open'
          ? await openSeats(parts, request.target)
          : [await replySeat(parts, request.target.thread)];
      const gate = parts.createGate();
      const { attachments, unattached } = await collectAttachments(request, { cwd: parts.cwd, gate });
      const bundle = composeBundle(request.question, attachments, unattached);
      if (bundle.bytes > maxBundleBytes)
        throw consultError(
          'input_too_large',
          `The question and what is attached are ${bundle.bytes} bytes; at most ${maxBundleBytes} can be sent. Attach less: the peer can read files by itself.`,
        );
      const tools = toolsForPeer(parts.tools, gate);
      return {
        bundle,
        seats: await Promise.all(
          seats.map(async ({ historyTokens, ...seat }) => {
            const { info } = await openPeer(parts, seat.ref);
            const estimate = estimateRound(info, { bundleTokens: bundle.tokens, historyTokens, tools });
            if (estimate.tokens > info.contextWindow.value)
              throw consultError(
                'input_too_large',
                `${seat.peer} has a window of ${info.contextWindow.value} tokens, and this is about ${estimate.tokens}.`,
              );
            return { ...seat, info, estimate };
          }),
        ),
      };
    },
    ask: (seat, options) => runRound(parts, seat, options),
    list: () => consultThreads(parts.home),
    show: async (thread) => readConsult(parts.home, await findConsult(parts.home, thread)),
  };
}

/** What is sent of a bundle. Rejects with `secrets_found` when it holds secrets and nothing was decided about them. */
export function textToSend({ secrets, text, blankedText }: Bundle, choice: SecretChoice): string {
  if (secrets.length === 0 || choice === 'send') return text;
  if (choice === 'blank') return blankedText;
  const places = secrets.map(({ kind, where, line }) => `${kind} in ${where}${line === 0 ? '' : `:${line}`}`);
  throw consultError(
    'secrets_found',
    `Nothing was sent, it holds secrets: ${[...new Set(places)].join(', ')}.`,
  );
}

const maxBundleBytes = 4_000_000;

type PlainSeat = Seat & { round: number; historyTokens: number };

async function openSeats(
  parts: ConsultParts,
  { peers, name }: Extract<ConsultTarget, { kind: 'open' }>,
): Promise<PlainSeat[]> {
  if (name !== undefined) checkThreadName(name);
  const taken = await takenNames(parts.home);
  if (name !== undefined && taken.has(name.toLowerCase())) throw nameTaken(name);
  const seats: PlainSeat[] = [];
  for (const text of peers) {
    const ref = await resolvePeer(parts, text);
    const thread = name ?? automaticName(ref.provider, { now: parts.clock.now(), taken });
    taken.add(thread.toLowerCase());
    seats.push({ peer: formatModelRef(ref), ref, thread, threadId: null, round: 1, historyTokens: 0 });
  }
  return seats;
}

async function resolvePeer({ directory }: ConsultParts, text: string): Promise<ModelRef> {
  try {
    return await directory.resolve(text);
  } catch (error) {
    if (!LlmcodeError.isInstance(error)) throw error;
    throw consultError('model_not_found', error.message, error);
  }
}

async function openPeer({ directory }: ConsultParts, ref: ModelRef) {
  try {
    return await directory.open(ref);
  } catch (error) {
    if (!LlmcodeError.isInstance(error)) throw error;
    throw consultError('model_not_found', error.message, error);
  }
}

async function replySeat({ home }: ConsultParts, text: string): Promise<PlainSeat> {
  const summary = await findConsult(home, text);
  const { name, rounds } = await readConsult(home, summary);
  const peer = summary.peer ?? '';
  if (rounds.at(-1)?.isRunning) throw threadBusy(name);
  const ref = parseModelRef(peer);
  if (!ref) throw consultError('not_resumable', `Thread ${name} does not say which model answers in it.`);
  const last = rounds.findLast(({ usage }) => usage !== null)?.usage;
  return {
    peer,
    ref,
    thread: name,
    threadId: summary.threadId,
    round: answeredRounds(rounds) + 1,
    historyTokens: (last?.input ?? 0) + (last?.output ?? 0),
  };
}

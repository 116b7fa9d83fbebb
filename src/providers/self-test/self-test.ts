import type { Clock } from '#lib/clock.ts';
import type { ModelClient } from '#protocol/model-client.ts';
import type { CapabilityCard, LongPrompt, Outcome } from './card.ts';
import { checkImages, checkJson, checkLongPrompt, checkTools } from './checks.ts';
import { type Ask, asked, type Probed, probe } from './probe.ts';

/** The same model, told that it can do what is to be found out. */
export type Candidates = {
  /** Tools by the API's own means; images. */
  native: ModelClient;
  /** Tools by text. */
  text: ModelClient;
};

export type SelfTestOptions = {
  clock: Clock;
  signal: AbortSignal;
  /** Hears the name of each check as it begins. */
  onCheck(name: string): void;
};

/** A check that takes longer has no outcome. */
const checkMs = 30_000;
/** After that no further check begins. */
const wholeMs = 90_000;

/** A handful of small requests, one after the other: a local server would only queue them. Never rejects. */
export async function selfTest(
  { native, text }: Candidates,
  { clock, signal, onCheck }: SelfTestOptions,
): Promise<CapabilityCard> {
  const testedAt = clock.now();
  let costUsd: number | null = 0;
  const ask: Ask = async (client, question) => {
    const limits = { signal, limitMs: checkMs, now: () => clock.now() };
    const probed = await probe(client, question, limits);
    if (!probed.error)
      costUsd = costUsd === null || probed.costUsd === null ? null : costUsd + probed.costUsd;
    return probed;
  };
  const check = async <T>(name: string, otherwise: T, work: () => Promise<T>): Promise<T> => {
    if (signal.aborted || clock.now() - testedAt > wholeMs) return otherwise;
    onCheck(name);
    return work();
  };
  const unknown: Outcome = 'unknown';

  onCheck('a plain answer and its speed');
  const numbers = 'Write the numbers from 1 to 60 in figures, with a blank between them.';
  const answer = await ask(native, { messages: [asked(numbers)] });
  const failure = failureOf(answer);
  const end = (): CapabilityCard => ({
    testedAt,
    durationMs: clock.now() - testedAt,
    ...(failure === undefined ? {} : { failure }),
    answer: /\b1[\s,]+2[\s,]+3\b/.test(answer.text) ? 'works' : failure === undefined ? 'wrong' : 'unknown',
    firstTokenMs: answer.firstTokenMs,
    tokensPerSecond: speedOf(answer),
    nativeTools: unknown,
    textTools: unknown,
    json: unknown,
    images: unknown,
    longPrompt: { outcome: 'unknown', sent: 0, counted: null },
    toolCalling: 'none',
    costUsd,
  });
  if (failure !== undefined) return end();

  const nativeTools = await check('tools by its API', unknown, () =>
    checkTools(ask, native, { way: 'native' }),
  );
  const textTools = await check('tools by text', unknown, () => checkTools(ask, text, { way: 'text' }));
  const json = await check('JSON', unknown, () => checkJson(ask, native));
  const images = await check('images', unknown, () => checkImages(ask, native));
  const unread: LongPrompt = { outcome: 'unknown', sent: 0, counted: null };
  const longPrompt = await check('a long prompt', unread, () => checkLongPrompt(ask, native));
  const toolCalling = nativeTools === 'works' ? 'native' : textTools === 'works' ? 'text' : 'none';
  return { ...end(), nativeTools, textTools, json, images, longPrompt, toolCalling };
}

function failureOf({ error, isTooSlow, text }: Probed): string | undefined {
  if (error) return `${error.message} ${error.advice}`;
  if (isTooSlow) return `No answer within ${checkMs / 1_000} s.`;
  return text === '' ? 'The answer is empty.' : undefined;
}

/** Of what came after the first word; an answer that came all at once has no speed. */
function speedOf({ usage, restMs }: Probed): number | null {
  const output = usage?.output ?? null;
  return output === null || restMs < 50 ? null : Math.round((output / restMs) * 10_000) / 10;
}

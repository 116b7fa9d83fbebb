import { z } from 'zod';
import type { HookScene } from '#protocol/hook.ts';
import type { HookFields } from './events/define-hook-event.ts';
import type { HookTarget } from './hook.ts';
import instruction from './judge.md';
import { cutText } from './read-reply.ts';
import type { HookFailure, HookReply } from './reply.ts';

/** Asks a model; rejects when it does not answer. */
export type HookJudge = (
  question: { system: string; text: string; model: string | undefined; own: HookScene['model'] },
  options: { signal: AbortSignal },
) => Promise<string>;

const maxPayloadChars = 60_000;
const verdictSchema = z.looseObject({ ok: z.boolean(), reason: z.string().optional() });

/** A yes leaves everything as it is: a model does not lift a rule. */
export async function askModel(
  { prompt, model }: Extract<HookTarget, { kind: 'prompt' }>,
  {
    payload,
    judge,
    own,
    signal,
  }: {
    payload: HookFields;
    judge: HookJudge | undefined;
    own: HookScene['model'];
    signal: AbortSignal;
  },
): Promise<HookReply | HookFailure> {
  if (!judge) return { failure: 'none', text: 'no model can be asked here' };
  const event = cutText(JSON.stringify(payload), maxPayloadChars);
  const text = prompt.includes('$ARGUMENTS')
    ? prompt.replaceAll('$ARGUMENTS', () => event)
    : `${prompt}\n\nThe event:\n${event}`;
  const answer = await judge({ system: instruction, text, model, own }, { signal });
  const verdict = verdictSchema.safeParse(parse(answer));
  if (!verdict.success) return { failure: 'none', text: 'the model gave no answer that can be read' };
  const { ok, reason } = verdict.data;
  if (ok) return { notices: [] };
  return { decision: 'deny', reason: cutText(reason || `a model says no to: ${prompt}`), notices: [] };
}

/** Models like to put JSON into a fence or a sentence. */
function parse(answer: string): unknown {
  const json = /\{[\s\S]*\}/.exec(answer)?.[0] ?? '';
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

import { isDeepStrictEqual } from 'node:util';
import type { HookOutcome } from '#protocol/hook.ts';
import type { MergeRule } from './events/define-hook-event.ts';
import type { HookReply } from './reply.ts';

const strictestFirst = ['halt', 'deny', 'ask', 'allow'] as const;

/** What all hooks of one event said together. Of several inputs the last one in the settings counts. */
export function mergeReplies(rule: MergeRule, replies: readonly HookReply[]): HookOutcome {
  const input = rule.takesInput ? replies.findLast((reply) => reply.input !== undefined)?.input : undefined;
  const decision = strictestFirst.find((each) =>
    replies.some((reply) => reply.decision === each && counts(rule, reply, input)),
  );
  const reasons = replies.flatMap(({ decision: own, reason }) => (own === decision && reason ? reason : []));
  const deciders = replies.flatMap(({ decision: own, from }) =>
    decision !== undefined && own === decision && from ? from : [],
  );
  const contexts = rule.takesContext ? replies.flatMap(({ context }) => context ?? []) : [];
  const output = rule.takesOutput
    ? replies.findLast((reply) => reply.output !== undefined)?.output
    : undefined;
  return {
    decision: decision ?? 'continue',
    ...(decision !== undefined && reasons.length > 0 ? { reason: [...new Set(reasons)].join('\n') } : {}),
    ...(deciders.length > 0 ? { deciders } : {}),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(contexts.length > 0 ? { context: contexts.join('\n\n') } : {}),
    notices: [
      ...replies.flatMap(({ notices }) => notices),
      ...lost(rule, replies),
      ...(haveRivals(rule, replies)
        ? ['Several hooks changed the input differently; the last one counts.']
        : []),
    ],
  };
}

/** An `allow` was given for the input that its hook knew, not for one that another hook made of it. */
function counts(rule: MergeRule, reply: HookReply, input: HookOutcome['input']): boolean {
  if (reply.decision === undefined || !rule.decisions.includes(reply.decision)) return false;
  return reply.decision !== 'allow' || input === undefined || isDeepStrictEqual(reply.input, input);
}

/** What a hook objected to where nothing can be stopped any more. */
function lost({ decisions }: MergeRule, replies: readonly HookReply[]): string[] {
  return replies.flatMap(({ decision, reason, notices }) => {
    const isObjection = decision === 'deny' || decision === 'halt';
    if (!isObjection || decisions.includes(decision) || !reason || notices.includes(reason)) return [];
    return [`A hook says: ${reason}`];
  });
}

function haveRivals({ takesInput }: MergeRule, replies: readonly HookReply[]): boolean {
  const inputs = replies.flatMap((reply) => (reply.input === undefined ? [] : [reply.input]));
  return takesInput && inputs.some((input) => !isDeepStrictEqual(input, inputs[0]));
}

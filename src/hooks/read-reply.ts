import { z } from 'zod';
import { jsonValueSchema } from '#protocol/json.ts';
import type { HookFailure, HookReply } from './reply.ts';

const maxContextChars = 10_000;
const maxNoticeChars = 2_000;

const text = z.string();
const replySchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: text.optional(),
  systemMessage: text.optional(),
  decision: z.enum(['allow', 'approve', 'ask', 'deny', 'block', 'halt', 'continue']).optional(),
  reason: text.optional(),
  input: jsonValueSchema.optional(),
  context: text.optional(),
  output: text.optional(),
  additionalContext: text.optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: text.optional(),
      updatedInput: jsonValueSchema.optional(),
      additionalContext: text.optional(),
      updatedToolOutput: jsonValueSchema.optional(),
      updatedMCPToolOutput: jsonValueSchema.optional(),
      decision: z
        .looseObject({
          behavior: z.enum(['allow', 'deny']),
          updatedInput: jsonValueSchema.optional(),
          message: text.optional(),
          interrupt: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
});
type JsonReply = z.infer<typeof replySchema>;

/** Standard output of a hook that ended well. Text that begins with `{` is an answer in JSON, in either dialect's words. */
export function readReply(
  stdout: string,
  { isTruncated }: { isTruncated: boolean },
): HookReply | HookFailure {
  const said = stdout.trim();
  if (!said.startsWith('{')) return said === '' ? { notices: [] } : { context: cutText(said), notices: [] };
  if (isTruncated) return { failure: 'none', text: 'its answer is too long to be read' };
  const parsed = replySchema.safeParse(parseJson(said));
  if (parsed.success) return replyOf(parsed.data);
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? `: ${issue.path.join('.')}: ${issue.message}` : '';
  return { failure: 'none', text: `its answer is not the JSON that a hook may give${place}` };
}

/** Text of a hook, as much as a conversation should carry of it. */
export function cutText(whole: string, maxChars = maxContextChars): string {
  return whole.length <= maxChars
    ? whole
    : `${whole.slice(0, maxChars)}\n[${whole.length - maxChars} more characters of the hook were left out]`;
}

/** Text of a hook for the person. */
export function cutNotice(whole: string): string {
  return cutText(whole, maxNoticeChars);
}

function replyOf(json: JsonReply): HookReply {
  const special = json.hookSpecificOutput;
  const decision = decisionOf(json);
  const reason =
    (json.continue === false ? json.stopReason : undefined) ??
    special?.permissionDecisionReason ??
    special?.decision?.message ??
    json.reason;
  const input = special?.updatedInput ?? special?.decision?.updatedInput ?? json.input;
  const context = special?.additionalContext ?? json.additionalContext ?? json.context;
  const output = special?.updatedToolOutput ?? special?.updatedMCPToolOutput ?? json.output;
  return {
    ...(output === undefined ? {} : { output: typeof output === 'string' ? output : JSON.stringify(output) }),
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason: cutText(reason) }),
    ...(input === undefined ? {} : { input }),
    ...(context === undefined || context === '' ? {} : { context: cutText(context) }),
    notices: json.systemMessage ? [cutNotice(json.systemMessage)] : [],
  };
}

function decisionOf(json: JsonReply): HookReply['decision'] {
  if (json.continue === false || json.decision === 'halt') return 'halt';
  const special = json.hookSpecificOutput;
  const isStop = special?.decision?.behavior === 'deny' && special.decision.interrupt === true;
  if (isStop) return 'halt';
  const said = [special?.permissionDecision, special?.decision?.behavior, json.decision];
  if (said.includes('deny') || said.includes('block')) return 'deny';
  if (said.includes('ask')) return 'ask';
  return said.includes('allow') || said.includes('approve') ? 'allow' : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

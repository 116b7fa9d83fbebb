import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import type { HookEvent } from '#protocol/hook.ts';
import { askModel, type HookJudge } from './ask-model.ts';
import { callHttp } from './call-http.ts';
import { inputFromClaude } from './events/tool-fields.ts';
import { type Hook, hookLabel } from './hook.ts';
import type { HookRuns } from './hook-runs.ts';
import { claudePayload, type HookCall } from './payload.ts';
import { cutNotice, readReply } from './read-reply.ts';
import type { HookFailure, HookReply } from './reply.ts';
import { type Answer, runCommand } from './run-command.ts';

/** What hooks need of the world. */
export type HookWorld = {
  env: Environment;
  clock: Clock;
  runs: HookRuns;
  network: typeof fetch;
  judge?: HookJudge | undefined;
};

/** Runs one hook and reads its verdict; what went wrong is turned into the direction that the settings name. */
export async function runHook(
  hook: Hook,
  call: HookCall,
  { world, signal }: { world: HookWorld; signal: AbortSignal },
): Promise<HookReply> {
  const startedAt = world.clock.now();
  const { reply, exitCode } = await ask(hook, call, { world, signal });
  if (signal.aborted) return { notices: [] };
  const isFailure = 'failure' in reply;
  const verdict = isFailure ? onFailure(hook, call, reply) : inOurNames(hook, call.event, reply);
  const text = isFailure ? reply.text : reply.reason;
  world.runs.add({
    at: startedAt,
    event: call.name,
    file: hook.file,
    hook: hookLabel(hook),
    durationMs: world.clock.now() - startedAt,
    exitCode,
    decision: isFailure ? 'failed' : (reply.decision ?? 'continue'),
    ...(text === undefined ? {} : { text }),
  });
  return verdict;
}

async function ask(
  hook: Hook,
  call: HookCall,
  { world, signal }: { world: HookWorld; signal: AbortSignal },
): Promise<Answer> {
  const { target } = hook;
  if (target.kind === 'shell' || target.kind === 'program')
    return runCommand(hook, target, { call, env: world.env, signal });
  const limit = new AbortController();
  const cancel = world.clock.after(hook.timeoutMs, () => limit.abort());
  const either = AbortSignal.any([signal, limit.signal]);
  const payload = claudePayload(call);
  try {
    if (target.kind === 'prompt') {
      const { judge } = world;
      const own = call.scene.model;
      return { reply: await askModel(target, { payload, judge, own, signal: either }), exitCode: null };
    }
    const { network, env } = world;
    const answer = await callHttp(target, { payload, network, env, signal: either });
    if ('failure' in answer) return { reply: answer, exitCode: null };
    return { reply: readAnswer(answer, call), exitCode: answer.status };
  } catch (error) {
    const text = limit.signal.aborted
      ? `it did not answer within ${hook.timeoutMs / 1_000} s`
      : cutNotice(errorText(error));
    return { reply: { failure: 'none', text }, exitCode: null };
  } finally {
    cancel();
  }
}

function readAnswer(
  { status, body, isTruncated }: { status: number; body: string; isTruncated: boolean },
  { def }: HookCall,
): HookReply | HookFailure {
  if (status < 200 || status > 299) return { failure: 'error', text: `it answered with status ${status}` };
  const reply = readReply(body, { isTruncated });
  const isPlain = 'context' in reply && !body.trimStart().startsWith('{');
  return isPlain && !def.merge.takesPlainText ? { notices: [] } : reply;
}

function onFailure(hook: Hook, { def, name }: HookCall, { failure, text }: HookFailure): HookReply {
  const notice = `The hook \`${hookLabel(hook)}\` for ${name} gave no verdict: ${text}`;
  const direction = hook.onError ?? (def.merge.isGate && failure === 'none' ? 'ask' : 'warn');
  if (direction === 'ignore') return { notices: [] };
  return direction === 'warn'
    ? { notices: [notice] }
    : { decision: direction, reason: notice, notices: [notice] };
}

function inOurNames({ dialect }: Hook, event: HookEvent, { input, ...reply }: HookReply): HookReply {
  if (input === undefined) return reply;
  const isForeign = dialect === 'claude' && 'tool' in event;
  return { ...reply, input: isForeign ? inputFromClaude(event.tool, input) : input };
}

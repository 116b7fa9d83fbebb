import { childEnvironment } from '#lib/child-env.ts';
import type { Environment } from '#lib/paths.ts';
import { type ProcessEnd, runProcess } from '#lib/spawn.ts';
import type { HookFields } from './events/define-hook-event.ts';
import { fillCommand } from './fill-command.ts';
import type { Hook, HookTarget } from './hook.ts';
import { claudePayload, type HookCall, ownPayload, payloadVariables, placeableFields } from './payload.ts';
import { cutNotice, cutText, readReply } from './read-reply.ts';
import type { HookFailure, HookReply } from './reply.ts';

const maxCaptureChars = 200_000;

export type CommandTarget = Extract<HookTarget, { kind: 'shell' | 'program' }>;
export type Answer = { reply: HookReply | HookFailure; exitCode: number | null };

/** Runs a hook that is a program, with the event on standard input and in variables. */
export async function runCommand(
  hook: Hook,
  target: CommandTarget,
  { call, env, signal }: { call: HookCall; env: Environment; signal: AbortSignal },
): Promise<Answer> {
  const own = ownPayload(call);
  const input = hook.dialect === 'own' ? own : claudePayload(call);
  const variables = payloadVariables(call, own);
  const filled = fill(hook, target, { payload: own, variables });
  if ('problem' in filled) return { reply: { failure: 'none', text: filled.problem }, exitCode: null };
  const end = await runProcess({
    ...filled.run,
    cwd: call.surroundings.cwd,
    env: { ...childEnvironment(env), ...variables, ...filled.variables },
    signal,
    timeoutMs: hook.timeoutMs,
    input: JSON.stringify(input),
    captureChars: maxCaptureChars,
  });
  return { reply: readEnd(hook, call, end), exitCode: end.exitCode };
}

type Filled =
  | { run: { command: string } | { file: string; args: string[] }; variables: Record<string, string> }
  | { problem: string };

function fill(
  { dialect }: Hook,
  target: CommandTarget,
  { payload, variables }: { payload: HookFields; variables: Record<string, string> },
): Filled {
  if (target.kind === 'program') {
    // No shell stands between, so the folder's name is filled in here.
    const place = (text: string) =>
      text.replaceAll(/\$\{(\w+_PROJECT_DIR)\}/g, (shown, name: string) => variables[name] ?? shown);
    return { run: { file: place(target.file), args: target.args.map(place) }, variables: {} };
  }
  if (dialect === 'claude') return { run: { command: target.command }, variables: {} };
  const filled = fillCommand(target.command, placeableFields(payload));
  return 'problem' in filled ? filled : { run: { command: filled.command }, variables: filled.variables };
}

function readEnd(hook: Hook, call: HookCall, end: ProcessEnd): HookReply | HookFailure {
  switch (end.cause) {
    case 'not-started':
      return { failure: 'none', text: end.error ?? 'it could not be started' };
    case 'timeout':
      return { failure: 'none', text: `it did not end within ${hook.timeoutMs / 1_000} s and was stopped` };
    case 'aborted':
      return { notices: [] };
    case 'exited':
      return readExit(hook, call, end);
  }
}

function readExit(
  { dialect }: Hook,
  { def }: HookCall,
  { exitCode, signal, stdout, stderr, isTruncated }: ProcessEnd,
): HookReply | HookFailure {
  if (exitCode === 0) {
    const reply = readReply(stdout, { isTruncated });
    const isPlain = 'context' in reply && !stdout.trimStart().startsWith('{');
    return isPlain && !def.merge.takesPlainText ? { notices: [] } : reply;
  }
  const complaint = stderr.trim();
  if (exitCode === 2) return { decision: 'deny', ...reasonOf(dialect, { stdout, complaint }), notices: [] };
  if (exitCode === null) return { failure: 'none', text: `it was ended by ${signal ?? 'a signal'}` };
  const tail = complaint === '' ? '' : `: ${cutNotice(complaint)}`;
  // What the shell says when the program is missing or may not be run.
  const isMissing = exitCode === 126 || exitCode === 127;
  return { failure: isMissing ? 'none' : 'error', text: `it failed with exit code ${exitCode}${tail}` };
}

/** In the list form standard output speaks first, in Claude's only standard error does. */
function reasonOf(
  dialect: Hook['dialect'],
  { stdout, complaint }: { stdout: string; complaint: string },
): { reason?: string } {
  if (dialect === 'claude') return complaint === '' ? {} : { reason: cutText(complaint) };
  const reply = readReply(stdout, { isTruncated: false });
  const said = 'failure' in reply ? stdout.trim() : (reply.reason ?? reply.context ?? '');
  const reason = said || complaint;
  return reason === '' ? {} : { reason: cutText(reason) };
}

import { LlmcodeError } from '#lib/errors.ts';
import type { EventBody } from '#protocol/event.ts';
import type { HookEvent } from '#protocol/hook.ts';
import type { Message, ToolResultRecord } from '#protocol/message.ts';
import { fireHook, showNotices } from './turn/fire-hook.ts';
import { runToolCall, type ToolCallDeps } from './turn/tool-call.ts';

/**
 * Runs a `!` command of the person through the pipeline of the bash tool, with the person's own authority. Resolves
 * with the message that shares it with the model. Rejects with an `LlmcodeError` when a hook refuses it.
 */
export async function runShellCommand(
  deps: ToolCallDeps,
  { command, signal }: { command: string; signal: AbortSignal },
): Promise<Message> {
  const messageId = deps.ids();
  const callId = `shell_${deps.ids()}`;
  const about = { kind: 'shell', name: '', argument: command } as const;
  await mayRun(deps, { event: 'command-before', ...about }, signal);
  const { result } = await runToolCall(
    { ...deps, emit: showAtOnce(deps, command) },
    { messageId, callId, tool: 'bash', input: { command, timeout: longestSeconds } },
    { signal, authority: 'person' },
  );
  const isOk = result.status === 'ok' && (result.view?.kind !== 'terminal' || result.view.exitCode === 0);
  const told = { event: 'command-after', ...about, isOk, output: outputOf(result) } as const;
  await showNotices(deps, await fireHook(deps.hooks, told, { signal }));
  return {
    id: messageId,
    role: 'user',
    origin: 'shell',
    parts: [{ id: deps.ids(), kind: 'text', text: shellText(command, result) }],
    createdAt: deps.clock.now(),
  };
}

async function mayRun(deps: ToolCallDeps, event: HookEvent, signal: AbortSignal): Promise<void> {
  const outcome = await fireHook(deps.hooks, event, { signal });
  await showNotices(deps, outcome);
  if (outcome.decision !== 'deny' && outcome.decision !== 'halt') return;
  throw new LlmcodeError(
    'hook-refused',
    `A hook refused the command: ${outcome.reason ?? 'no reason given'}`,
  );
}

function outputOf({ forModel }: Pick<ToolResultRecord, 'forModel'>): string {
  return forModel.map((content) => (content.kind === 'text' ? content.text : '[image]')).join('\n');
}

/** The most that the bash tool grants. */
const longestSeconds = 600;

/** No call part says what runs, so a first view says it. */
function showAtOnce({ emit }: ToolCallDeps, command: string): (body: EventBody) => Promise<void> {
  return async (body) => {
    await emit(body);
    if (body.kind !== 'tool-run-start') return;
    const { messageId, callId } = body;
    const outcome = { exitCode: null, signal: null, running: true };
    const view = { kind: 'terminal' as const, command, output: '', omittedLines: 0, ...outcome };
    await emit({ kind: 'tool-run-progress', messageId, callId, view });
  };
}

function shellText(command: string, { status, forModel, view }: ToolResultRecord): string {
  const exitCode = view?.kind === 'terminal' ? view.exitCode : null;
  const how = exitCode === null ? `status="${status}"` : `exit="${exitCode}"`;
  const output = outputOf({ forModel });
  return `<shell-command>${plain(command)}</shell-command>\n<shell-output ${how}>\n${plain(output)}\n</shell-output>`;
}

/** A program's output must not pass for our own marks. */
function plain(text: string): string {
  return text.replaceAll(/<(?=\/?(?:engine-note|shell-command|shell-output)\b)/g, '&lt;');
}

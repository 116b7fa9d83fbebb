import type { ToolResult } from '#protocol/message.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import { type CommandGrant, sandboxedCode } from '#protocol/sandbox.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { mayRunOutside } from './authorise.ts';
import { runTool } from './run-tool.ts';
import type { ToolCall, ToolCallDeps, ToolCallOptions } from './tool-call.ts';
import type { ReadyCall } from './tool-input.ts';

type Placed = {
  call: ToolCall;
  ready: ReadyCall;
  options: ToolCallOptions;
  /** What its permission leaves it in a sandbox. */
  grant: CommandGrant | undefined;
  /** Where its paths led when it was allowed. */
  paths: PermissionDecision['paths'] | undefined;
};

/** Nobody has said yes to more than what can do no harm. */
const leastGrant: CommandGrant = { isGranted: false, needsOutside: false };

/**
 * Runs a call in the sandbox, if there is one. A command that failed because of it runs once more outside when the
 * person says so. `durationMs` is the time that the last run took.
 */
export async function runPlaced(
  deps: ToolCallDeps,
  placed: Placed,
): Promise<{ result: ToolResult; durationMs: number }> {
  const first = await timed(deps, placed, placeFor(deps, placed));
  const { result } = first;
  if (result.status !== 'error' || result.code !== sandboxedCode) return first;
  const isWanted = await mayRunOutside(deps, placed, result.summary ?? 'it could not do what it wanted');
  return isWanted ? timed(deps, placed, undefined) : first;
}

/** The person's own commands run with the person's own rights. */
function placeFor({ sandbox, filesDir }: ToolCallDeps, { options, grant }: Placed): ToolContext['placeFor'] {
  if (!sandbox || options.authority === 'person') return undefined;
  return (cwd) => sandbox.placeFor({ cwd, filesDir, grant: grant ?? leastGrant });
}

async function timed(
  deps: ToolCallDeps,
  { call, ready, options: { signal }, paths }: Placed,
  place: ToolContext['placeFor'],
): Promise<{ result: ToolResult; durationMs: number }> {
  const startedAt = deps.clock.now();
  const result = await runTool(deps, { call, ready, signal, paths, ...(place ? { placeFor: place } : {}) });
  return { result, durationMs: deps.clock.now() - startedAt };
}

import { errorText } from '#lib/errors.ts';
import { displayPath } from '#lib/paths.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { PermissionDecision } from '#protocol/permission.ts';
import { type CommandGrant, type CommandPlace, sandboxedCode, type TakenAway } from '#protocol/sandbox.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { askAnew } from './authorise.ts';
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
 * person says so, and what the sandbox took away comes back when they say so. `durationMs` is the time that the last
 * run took.
 */
export async function runPlaced(
  deps: ToolCallDeps,
  placed: Placed,
): Promise<{ result: ToolResult; durationMs: number }> {
  const placing = placeFor(deps, placed);
  const first = await timed(deps, placed, placing?.placeFor);
  const { result } = first;
  if (result.status === 'error' && result.code === sandboxedCode) {
    const why = result.summary ?? 'it could not do what it wanted';
    const text = `run again without the sandbox, in which it failed: ${why}`;
    const isWanted = await askAnew(deps, placed, { check: 'outside-sandbox', text });
    if (isWanted) return timed(deps, placed, undefined);
  }
  const taken = placing?.taken();
  return taken ? { ...first, result: await withTaken(deps, placed, { result, taken }) } : first;
}

async function withTaken(
  deps: ToolCallDeps,
  placed: Placed,
  { result, taken }: { result: ToolResult; taken: TakenAway },
): Promise<ToolResult> {
  const names = taken.places.map((place) => displayPath(place, deps.cwd)).join(', ');
  const text = `it made ${names}, which can make programs run later; the sandbox took that away: bring it back`;
  const isWanted = await askAnew(deps, placed, { check: 'made-in-sandbox', text });
  const note = isWanted
    ? await broughtBack(names, taken)
    : `What it was lies in ${taken.folder} for the person.`;
  return { ...result, forModel: [...result.forModel, { kind: 'text', text: `[${note}]` }] };
}

async function broughtBack(names: string, taken: TakenAway): Promise<string> {
  try {
    await taken.bringBack();
    return `The person allowed it: ${names} is back.`;
  } catch (error) {
    return `The person allowed it, but it could not be brought back from ${taken.folder}: ${errorText(error)}`;
  }
}

type Placing = { placeFor: NonNullable<ToolContext['placeFor']>; taken(): TakenAway | undefined };

/** The person's own commands run with the person's own rights. */
function placeFor(
  { sandbox, filesDir, scratch }: ToolCallDeps,
  { options, grant = leastGrant }: Placed,
): Placing | undefined {
  if (!sandbox || options.authority === 'person') return undefined;
  let place: CommandPlace | undefined;
  return {
    placeFor: async (cwd, { isTerminal }) => {
      place = await sandbox.placeFor({ cwd, filesDir, grant, isTerminal, scratch });
      return place;
    },
    taken: () => (place?.kind === 'inside' ? place.taken?.() : undefined),
  };
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

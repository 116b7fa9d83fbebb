import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { log } from '#lib/log.ts';
import type { EventBody } from '#protocol/event.ts';
import type { HookRunner } from '#protocol/hook.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { ToolResult, ToolResultRecord } from '#protocol/message.ts';
import type {
  DecisionReason,
  PermissionDecision,
  PermissionMode,
  Resource,
  ToolEffect,
} from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import type { CommandGrant, CommandSandbox } from '#protocol/sandbox.ts';
import type { FileLedger, ToolDef, ToolServices } from '#protocol/tool.ts';
import { resultImagesToFiles } from '../thread/images.ts';
import { followWrite } from './after-write.ts';
import { authorise } from './authorise.ts';
import { fireHook, showNotices } from './fire-hook.ts';
import { hideSecrets } from './hide-secrets.ts';
import { hookReasons, refusedByHook } from './hook-decision.ts';
import { limitResult } from './limit-result.ts';
import { nearInstructions } from './near-instructions.ts';
import { noteDecision } from './note-decision.ts';
import type { PermissionAsker } from './permission-asker.ts';
import { abortedText, type Refused } from './refusal.ts';
import { runPlaced } from './run-placed.ts';
import { findTool, type ReadyCall, readCall, readInput } from './tool-input.ts';
import { pinShell, scopeOf } from './tool-scope.ts';

export type ToolCall = {
  messageId: string;
  callId: string;
  tool: string;
  input: JsonValue;
  /** The arguments as they came, when they were no JSON object. */
  rawInput?: string | undefined;
};

/** Keeps what files were before a call changed them. Never rejects. */
export interface CallChanges {
  begin(call: {
    callId: string;
    /** The call in one line. */
    title: string;
    effect: ToolEffect;
    resources: readonly Resource[];
    isHarmless: boolean;
    signal: AbortSignal;
  }): Promise<{ end(): Promise<void> } | undefined>;
}

export type ToolCallDeps = {
  tools: readonly ToolDef[];
  /** Names of the tools that the model was told of. */
  offered: readonly string[];
  gate: PermissionGate;
  hooks: HookRunner;
  /** null = nobody can be asked: what would be asked is denied. */
  asker: PermissionAsker | null;
  mode(): PermissionMode;
  cwd: string;
  /** Where the commands of this call start; set for each call. */
  commandsStartIn?: string | undefined;
  /** The PATH that earlier commands left. */
  commandsSearch?: string | undefined;
  roots: readonly string[];
  filesDir: string;
  childEnv: Readonly<Record<string, string>>;
  /** A folder of the thread in which temporary files need no permission. */
  scratch?: string | undefined;
  /** Where commands of the model run; without it, outside of any sandbox. */
  sandbox?: CommandSandbox | undefined;
  requireRead: boolean;
  /** Without it, changes to files cannot be taken back. */
  changes?: CallChanges | undefined;
  ledger: FileLedger;
  services: ToolServices;
  clock: Clock;
  ids: IdSource;
  /** Characters of a result that the model gets. */
  maxResultChars(): number;
  /** Milliseconds after which any call is stopped. */
  timeoutMs: number;
  /** Moves images of results into files there; null leaves them inline. */
  imagesDir: string | null;
  /** Resolves when the event is numbered and logged. */
  emit(body: EventBody): Promise<void>;
  /** Runs after the call was allowed and before the tool starts; makes the log safe before anything has an effect. */
  beforeRun(effect: ToolEffect): Promise<void>;
  /** Takes over what a tool that ignores its signal leaves running. */
  supervise(work: Promise<unknown>): void;
};

export type ToolCallOptions = {
  signal: AbortSignal;
  /** The person's own command: no hooks, no permission. */
  authority?: 'person';
  /** Ask even where the rules allow, for this reason. */
  mustAsk?: DecisionReason;
  /**
   * Nothing is asked before this resolves: the message that holds the call may still be taken back. A text is why it
   * shall not run at all.
   */
  beforeAsk?: Promise<string | undefined>;
};

export type ToolCallOutcome = {
  result: ToolResultRecord;
  /** False when it was refused or could not start. */
  ran: boolean;
  /** A hook ends the turn, for this reason. */
  halt?: string;
};

/** How far a call came. `durationMs` is the time it ran; what a person takes to answer is not counted. */
type CallVerdict = { result: ToolResult; ran: boolean; durationMs: number; halt?: string };

/**
 * The one way from a model's call to its result: find and validate, hook `tool-before`, decide, ask, run, hook
 * `tool-after`, cut. Emits `tool-run-start` when it runs and exactly one `tool-run-end` whatever happens.
 * Never rejects.
 */
export async function runToolCall(
  deps: ToolCallDeps,
  call: ToolCall,
  options: ToolCallOptions,
): Promise<ToolCallOutcome> {
  const { result, durationMs, ...verdict } = await attempt(deps, call, options);
  if (result.status === 'denied') await tellDenied(deps, call, { result, signal: options.signal });
  const record: ToolResultRecord = { ...result, durationMs };
  await deps.emit({ kind: 'tool-run-end', messageId: call.messageId, callId: call.callId, result: record });
  return { ...verdict, result: record };
}

async function tellDenied(
  deps: ToolCallDeps,
  { callId, tool, input }: ToolCall,
  { result, signal }: { result: ToolResult; signal: AbortSignal },
): Promise<void> {
  const reason = result.forModel.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
  const name = findTool(deps.tools, tool)?.name ?? tool;
  const told = { event: 'tool-denied', callId, tool: name, input, reason } as const;
  await showNotices(deps, await fireHook(deps.hooks, told, { signal }));
}

async function attempt(given: ToolCallDeps, call: ToolCall, options: ToolCallOptions): Promise<CallVerdict> {
  const deps = pinShell(given);
  try {
    if (options.signal.aborted) return notRun('aborted', abortedText);
    const ready = readCall(deps, call);
    if (typeof ready === 'string') return notRun('error', ready, 'bad call');
    if (options.authority === 'person') return await run(deps, { call, ready, notes: [], options });
    return await decideAndRun(deps, { call, ready, options });
  } catch (error) {
    log('a tool call failed:', error);
    return notRun('error', `${call.tool} failed: ${errorText(error)}`);
  }
}

async function decideAndRun(
  deps: ToolCallDeps,
  { call, ready: asked, options }: { call: ToolCall; ready: ReadyCall; options: ToolCallOptions },
): Promise<CallVerdict> {
  const notes: string[] = [];
  let ready = asked;
  // The person may change the input once; hooks and rules see that one too, and it is not asked about again.
  for (let isEdited = false; ; isEdited = true) {
    const before = await fireHook(
      deps.hooks,
      { event: 'tool-before', callId: call.callId, tool: ready.tool.name, input: ready.input },
      { signal: options.signal },
    );
    await showNotices(deps, before);
    if (options.signal.aborted) return notRun('aborted', abortedText);
    if (before.decision === 'halt' || before.decision === 'deny') {
      const end = refusedByHook(before);
      const settled = { end, by: 'hook', decision: 'deny', reasons: hookReasons(before) } as const;
      noteDecision(deps, { ready, resources: ready.tool.touches(ready.input, scopeOf(deps)), settled });
      return refused(end);
    }
    if (before.context) notes.push(before.context);
    if (before.input !== undefined) {
      const rewritten = readInput(ready.tool, before.input);
      if (typeof rewritten === 'string') return notRun('error', `A hook changed the input. ${rewritten}`);
      ready = rewritten;
      notes.push(`A hook changed the input to ${JSON.stringify(ready.input)}`);
    }
    const verdict = await authorise(deps, { call, ready, hook: before, options, isEdited });
    if (verdict.kind === 'refused') return refused(verdict);
    if (verdict.kind === 'doomed') return { result: verdict.result, ran: false, durationMs: 0 };
    if (verdict.kind === 'allowed') {
      const { grant, paths } = verdict;
      return run(deps, { call, ready, notes, options, grant, paths });
    }
    const edited = readInput(ready.tool, verdict.input);
    if (typeof edited === 'string') return notRun('error', `${verdict.by} changed the input. ${edited}`);
    ready = edited;
    notes.push(`${verdict.by} changed the input to ${JSON.stringify(ready.input)}`);
  }
}

async function run(
  deps: ToolCallDeps,
  {
    call,
    ready,
    notes,
    options,
    grant,
    paths,
  }: {
    call: ToolCall;
    ready: ReadyCall;
    notes: string[];
    options: ToolCallOptions;
    grant?: CommandGrant | undefined;
    paths?: PermissionDecision['paths'] | undefined;
  },
): Promise<CallVerdict> {
  const changes = await beginChanges(deps, { call, ready, options, grant });
  const { result: raw, durationMs } = await runPlaced(deps, { call, ready, options, grant, paths });
  const followed = await followWrite(deps, { ready, result: raw, options });
  let stored = await resultImagesToFiles(followed, deps.imagesDir);
  let halt: string | undefined;
  const context = [...notes];
  if (options.authority !== 'person' && raw.status !== 'aborted') {
    const after = await fireHook(
      deps.hooks,
      { event: 'tool-after', callId: call.callId, tool: ready.tool.name, input: ready.input, result: stored },
      { signal: options.signal },
    );
    await showNotices(deps, after);
    if (after.output !== undefined) {
      stored = { ...stored, forModel: [{ kind: 'text', text: after.output }] };
      context.push('A hook replaced this result.');
    }
    if (after.context) context.push(after.context);
    if (after.decision === 'deny') context.push(after.reason ?? 'A hook objects to this result.');
    if (after.decision === 'halt') halt = after.reason ?? 'A hook ended the turn.';
  }
  await changes?.end();
  const limited = await limitResult(withoutSecrets(ready.tool, stored), {
    maxChars: deps.maxResultChars(),
    filesDir: deps.filesDir,
    callId: call.callId,
  });
  if (options.authority !== 'person' && raw.status === 'ok') {
    const touched = (paths ?? []).map((each) => each.real);
    context.push(...(await nearInstructions(deps, { paths: touched, options })));
  }
  const forModel = [...limited.forModel, ...context.map((text) => ({ kind: 'text' as const, text }))];
  // A copy: the piece that a tool cut out of a text would keep all of that text in memory.
  const kept = structuredClone({ ...limited, forModel });
  return { result: kept, ran: true, durationMs, ...(halt === undefined ? {} : { halt }) };
}

/** The person's own commands are the person's own changes. */
async function beginChanges(
  deps: ToolCallDeps,
  {
    call,
    ready: { tool, input },
    options: { authority, signal },
    grant,
  }: {
    call: ToolCall;
    ready: ReadyCall;
    options: ToolCallOptions;
    grant: CommandGrant | undefined;
  },
): Promise<{ end(): Promise<void> } | undefined> {
  if (authority === 'person' || tool.effect === 'read' || tool.effect === 'none') return undefined;
  const scope = scopeOf(deps);
  return deps.changes?.begin({
    callId: call.callId,
    title: `${tool.name} ${tool.title(input, scope)}`.trim(),
    effect: tool.effect,
    resources: tool.touches(input, scope),
    isHarmless: grant !== undefined && !grant.isGranted && !grant.mayChangeFiles,
    signal,
  });
}

/** Of every tool that looks or acts; what the person answered is theirs to give. */
function withoutSecrets({ effect }: ToolDef, result: ToolResult): ToolResult {
  return effect === 'none' ? result : hideSecrets(result);
}

function refused({ status, text, summary, halt }: Refused): CallVerdict {
  return { ...notRun(status, text, summary), ...(halt === undefined ? {} : { halt }) };
}

function notRun(status: 'error' | 'denied' | 'aborted', text: string, summary?: string): CallVerdict {
  const words = summary ?? (status === 'aborted' ? 'not run' : undefined);
  const result = { status, forModel: [{ kind: 'text' as const, text }] };
  return { result: words === undefined ? result : { ...result, summary: words }, ran: false, durationMs: 0 };
}

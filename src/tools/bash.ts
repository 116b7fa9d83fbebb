import path from 'node:path';
import { z } from 'zod';
import { systemClock } from '#lib/clock.ts';
import { createIdSource } from '#lib/ids.ts';
import { displayPath, isInside, realPathOf } from '#lib/paths.ts';
import { isFolder } from '#lib/spawn.ts';
import type { ToolResult } from '#protocol/message.ts';
import { type CommandPlace, sandboxedCode } from '#protocol/sandbox.ts';
import type { RunningShell, ShellEnd, ShellService } from '#protocol/shells.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './bash.md';
import { absolutePath, toolPath } from './files/tool-path.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, oneLine, size } from './result/words.ts';
import { createCommandOutput } from './shell/command-output.ts';
import { paced } from './shell/paced.ts';
import { ThreadShells } from './shell/shell-desk.ts';

type Input = {
  command: string;
  timeout?: number | undefined;
  cwd?: string | undefined;
  run_in_background?: boolean | undefined;
  pty?: boolean | undefined;
  description?: string | undefined;
};

const defaultTimeoutS = 120;
const maxTimeoutS = 600;
/** Some models give milliseconds; no sensible number of seconds is this large. */
const surelyMilliseconds = 10_000;
const progressIntervalMs = 50;
/** A command that has printed this much prints for ever. */
const maxOutputBytes = 1_000_000_000;

export const bash = defineTool<Input>({
  name: 'bash',
  aliases: ['Bash'],
  inputAliases: { cmd: 'command', script: 'command', workdir: 'cwd', working_directory: 'cwd' },
  prose,
  input: looseInput({
    command: z.string().refine((text) => text.trim() !== '', 'is empty'),
    timeout: z.number().optional(),
    cwd: toolPath.optional(),
    run_in_background: z.boolean().optional(),
    pty: z.boolean().optional(),
    description: z.string().optional(),
  }),
  effect: 'exec',
  touches: ({ command, cwd }, scope) => [
    {
      kind: 'command',
      command,
      cwd: folderOf(cwd, scope.shellCwd ?? scope.cwd),
      ...(scope.shellPath === undefined ? {} : { searchPath: scope.shellPath }),
    },
  ],
  title: ({ command }) => oneLine(command),
  preview: async ({ cwd }, ctx) => folderProblem(folderOf(cwd, ctx.shellCwd ?? ctx.cwd), ctx),
  async run(input, ctx) {
    const folder = folderOf(input.cwd, ctx.shellCwd ?? ctx.cwd);
    const problem = folderProblem(folder, ctx);
    if (problem) return problem;
    const shells = ctx.services.shells ?? singleShell(ctx);
    const full = input.run_in_background === true ? shells.backgroundProblem : undefined;
    if (full !== undefined) return toolError('no_background', full);
    const isTerminal = input.pty === true;
    const place = (await ctx.placeFor?.(folder, { isTerminal })) ?? { kind: 'outside' };
    if (place.kind === 'refused') return toolError('no_sandbox', place.text);
    return runCommand(input, { ctx, shells, folder, place });
  },
});

function folderOf(text: string | undefined, cwd: string): string {
  return path.resolve(absolutePath(text ?? '.', cwd));
}

function folderProblem(folder: string, ctx: ToolContext): ToolResult | undefined {
  const shown = folder === ctx.cwd ? folder : displayPath(folder, ctx.cwd);
  if (!isFolder(folder))
    return toolError('folder_missing', `The folder ${shown} does not exist. Nothing was run.`);
  const real = realPathOf(folder);
  if (ctx.roots.some((root) => isInside(real, root))) return undefined;
  return toolError(
    'outside_workspace',
    `${shown} is outside the workspace (${ctx.roots.join(', ')}). Nothing was run. Leave cwd out, or choose a folder inside.`,
  );
}

async function runCommand(
  input: Input,
  { ctx, shells, folder, place }: { ctx: ToolContext; shells: ShellService; folder: string; place: RunPlace },
): Promise<ToolResult> {
  const { command, description } = input;
  const isTerminal = input.pty === true;
  const isBackground = input.run_in_background === true;
  const confinement = place.kind === 'inside' ? place.confinement : undefined;
  const timeoutS = timeoutOf(input.timeout);
  const output = createCommandOutput(path.join(ctx.filesDir, `bash-${ctx.callId}.txt`), {
    maxChars: ctx.maxResultChars,
  });
  const view = (end: ShellEnd | undefined, isRunning: boolean) => ({
    kind: 'terminal' as const,
    command,
    ...output.tail(),
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    running: isRunning,
  });
  const progress = paced(() => ctx.progress(view(undefined, true)), progressIntervalMs);
  const flood = new AbortController();
  try {
    const shell = shells.start({
      ...{ callId: ctx.callId, command, description, cwd: folder, env: ctx.childEnv },
      searchPath: ctx.shellPath,
      ...{ isTerminal, isBackground, confinement, output },
      settle: place.kind === 'inside' ? place.settle : undefined,
      signal: AbortSignal.any([ctx.signal, flood.signal]),
      timeoutMs: isBackground ? undefined : timeoutS * 1_000,
      onOutput: () => {
        if (output.bytes() > maxOutputBytes) flood.abort();
        progress.touch();
      },
    });
    const end = await endOrMove(shell, { isBackground, signal: ctx.signal });
    if (end === undefined) return backgroundResult(shell, { output: output.forModel(), isBackground, view });
    if (end.error !== undefined)
      return toolError('not_started', [end.error, output.tail().output.trim()].join('\n').trim());
    const plain = outcomeOf(end, { isFlood: flood.signal.aborted, timeoutS });
    const outcome = inSandbox(plain, { place, output: output.tail().output });
    const notes = [...outcome.notes, ...end.notes].map((note) => `[${note}]`);
    return {
      status: outcome.status,
      ...(outcome.code === undefined ? {} : { code: outcome.code }),
      forModel: [
        { kind: 'text', text: [printed(output.forModel(), end) || '(no output)', ...notes].join('\n') },
      ],
      view: view(end, false),
      summary: outcome.summary ?? (output.bytes() === 0 ? 'no output' : count(output.lineCount(), 'line')),
    };
  } finally {
    progress.stop();
  }
}

/** Without what bash itself says of a program that was ended with it. */
function printed(text: string, { cause }: ShellEnd): string {
  return cause === 'exited' ? text : text.replace(/(^|\n)Terminated$/, '');
}

/** Where no thread keeps commands, each has a shell for itself. */
function singleShell({ cwd, roots }: ToolContext): ShellService {
  return new ThreadShells({ cwd, roots, clock: systemClock, newId: createIdSource(), registry: undefined });
}

/** A command that fails at once does so before it is said to run in the background. */
const firstMomentMs = 300;

async function endOrMove(
  { ended, moved }: RunningShell,
  { isBackground, signal }: { isBackground: boolean; signal: AbortSignal },
): Promise<ShellEnd | undefined> {
  if (!isBackground) return Promise.race([ended, moved.then(() => undefined)]);
  const over = new AbortController();
  const wait = systemClock.wait(firstMomentMs, { signal: AbortSignal.any([signal, over.signal]) });
  const end = await Promise.race([ended, wait.then(() => undefined)]);
  over.abort();
  return end;
}

function backgroundResult(
  shell: RunningShell,
  {
    output,
    isBackground,
    view,
  }: {
    output: string;
    isBackground: boolean;
    view(end: undefined, isRunning: boolean): NonNullable<ToolResult['view']>;
  },
): ToolResult {
  const id = shell.id() ?? '';
  const how = isBackground ? 'It runs in the background' : 'The person moved it to the background';
  const note = `[${how} as ${id}. You are told when it ends; bash_output reads what it prints, bash_kill ends it.]`;
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: output === '' ? note : `${output}\n${note}` }],
    view: view(undefined, false),
    summary: `in the background as ${id}`,
  };
}

function timeoutOf(given: number | undefined): number {
  if (given === undefined || given <= 0) return defaultTimeoutS;
  const seconds = given >= surelyMilliseconds ? given / 1_000 : given;
  return Math.min(maxTimeoutS, seconds);
}

type RunPlace = Exclude<CommandPlace, { kind: 'refused' }>;

/** Says so when it was the sandbox that made a command fail: nothing is wrong with the command itself. */
function inSandbox(outcome: Outcome, { place, output }: { place: RunPlace; output: string }): Outcome {
  if (outcome.code !== 'exit' || place.kind === 'outside') return outcome;
  const line = place.obstacle(output);
  if (line === undefined) return outcome;
  const note =
    'The sandbox stood in its way: outside of the workspace nothing can be changed, keys and sockets are hidden, ' +
    'and the network may be off. Do not try to get around it; do it in the workspace, or say what it is needed for.';
  return {
    ...outcome,
    ...(place.mayLeave ? { code: sandboxedCode } : {}),
    summary: `${outcome.summary ?? 'failed'}, held by the sandbox: ${oneLine(line)}`,
    notes: [...outcome.notes, note],
  };
}

type Outcome = { status: ToolResult['status']; code?: string; summary?: string; notes: string[] };

function outcomeOf(end: ShellEnd, { isFlood, timeoutS }: { isFlood: boolean; timeoutS: number }): Outcome {
  const leftovers = end.hadLeftovers ? ['Processes it left running in the background were ended.'] : [];
  if (isFlood)
    return {
      status: 'error',
      code: 'too_much_output',
      summary: `ended after ${size(maxOutputBytes)} of output`,
      notes: [`It was ended: it had printed ${size(maxOutputBytes)}. Limit its output, e.g. with head.`],
    };
  if (end.cause === 'aborted')
    return {
      status: 'aborted',
      summary: 'stopped',
      notes: ['It was stopped by the person before it ended.'],
    };
  if (end.cause === 'timeout')
    return {
      status: 'error',
      code: 'timeout',
      summary: `timed out after ${timeoutS} s`,
      notes: [
        `It was ended after its timeout of ${timeoutS} s. If it needs longer, set timeout (at most ${maxTimeoutS}). If it waited for input: nobody can type, so give answers as arguments (-y, --no-input).`,
      ],
    };
  if (end.signal !== null)
    return {
      status: 'error',
      code: 'signal',
      summary: end.signal,
      notes: [`It was ended by ${end.signal}.`, ...leftovers],
    };
  if (end.exitCode === 0) return { status: 'ok', notes: leftovers };
  return {
    status: 'error',
    code: 'exit',
    summary: `exit ${end.exitCode}`,
    notes: [`exit code ${end.exitCode}`, ...leftovers],
  };
}

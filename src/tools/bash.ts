import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { displayPath, isInside, realPathOf } from '#lib/paths.ts';
import { type ProcessEnd, runProcess } from '#lib/spawn.ts';
import type { ToolResult } from '#protocol/message.ts';
import { type CommandPlace, sandboxedCode } from '#protocol/sandbox.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './bash.md';
import { absolutePath, toolPath } from './files/tool-path.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, oneLine, size } from './result/words.ts';
import { createCommandOutput } from './shell/command-output.ts';
import { paced } from './shell/paced.ts';

type Input = {
  command: string;
  timeout?: number | undefined;
  cwd?: string | undefined;
  description?: string | undefined;
};

const defaultTimeoutS = 120;
const maxTimeoutS = 600;
/** Some models give milliseconds; no sensible number of seconds is this large. */
const surelyMilliseconds = 10_000;
const progressIntervalMs = 50;
/** A command that has printed this much prints for ever. */
const maxOutputChars = 1_000_000_000;

export const bash = defineTool<Input>({
  name: 'bash',
  aliases: ['Bash'],
  inputAliases: { cmd: 'command', script: 'command', workdir: 'cwd', working_directory: 'cwd' },
  prose,
  input: looseInput({
    command: z.string().refine((text) => text.trim() !== '', 'is empty'),
    timeout: z.number().optional(),
    cwd: toolPath.optional(),
    description: z.string().optional(),
  }),
  effect: 'exec',
  touches: ({ command, cwd }, scope) => [{ kind: 'command', command, cwd: folderOf(cwd, scope.cwd) }],
  title: ({ command }) => oneLine(command),
  preview: async ({ cwd }, ctx) => folderProblem(folderOf(cwd, ctx.cwd), ctx),
  async run(input, ctx) {
    const folder = folderOf(input.cwd, ctx.cwd);
    const problem = folderProblem(folder, ctx);
    if (problem) return problem;
    const place = (await ctx.placeFor?.(folder)) ?? { kind: 'outside' };
    if (place.kind === 'refused') return toolError('no_sandbox', place.text);
    return runCommand(input, { ctx, folder, place });
  },
});

function folderOf(text: string | undefined, cwd: string): string {
  return path.resolve(absolutePath(text ?? '.', cwd));
}

function folderProblem(folder: string, ctx: ToolContext): ToolResult | undefined {
  const shown = folder === ctx.cwd ? folder : displayPath(folder, ctx.cwd);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
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
  { ctx, folder, place }: { ctx: ToolContext; folder: string; place: RunPlace },
): Promise<ToolResult> {
  const { command } = input;
  const timeoutS = timeoutOf(input.timeout);
  const output = createCommandOutput(path.join(ctx.filesDir, `bash-${ctx.callId}.txt`), {
    maxChars: ctx.maxResultChars,
  });
  const view = (end: ProcessEnd | undefined) => ({
    kind: 'terminal' as const,
    command,
    ...output.tail(),
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    running: end === undefined,
  });
  const progress = paced(() => ctx.progress(view(undefined)), progressIntervalMs);
  const flood = new AbortController();
  try {
    const end = await runProcess({
      command,
      cwd: folder,
      env: ctx.childEnv,
      confinement: place.kind === 'inside' ? place.confinement : undefined,
      signal: AbortSignal.any([ctx.signal, flood.signal]),
      timeoutMs: timeoutS * 1_000,
      mergeOutput: true,
      captureChars: 0,
      onOutput: (text) => {
        output.push(text);
        if (output.chars() > maxOutputChars) flood.abort();
        progress.touch();
      },
    });
    if (end.error !== undefined)
      return toolError('not_started', [end.error, output.tail().output.trim()].join('\n').trim());
    const plain = outcomeOf(end, { isFlood: flood.signal.aborted, timeoutS });
    const outcome = inSandbox(plain, { place, output: output.tail().output });
    const text = [output.forModel() || '(no output)', ...outcome.notes.map((note) => `[${note}]`)].join('\n');
    return {
      status: outcome.status,
      ...(outcome.code === undefined ? {} : { code: outcome.code }),
      forModel: [{ kind: 'text', text }],
      view: view(end),
      summary: outcome.summary ?? (output.chars() === 0 ? 'no output' : count(output.lineCount(), 'line')),
    };
  } finally {
    progress.stop();
    output.close();
  }
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

function outcomeOf(end: ProcessEnd, { isFlood, timeoutS }: { isFlood: boolean; timeoutS: number }): Outcome {
  const leftovers = end.hadLeftovers ? ['Processes it left running in the background were ended.'] : [];
  if (isFlood)
    return {
      status: 'error',
      code: 'too_much_output',
      summary: `ended after ${size(maxOutputChars)} of output`,
      notes: [`It was ended: it had printed ${size(maxOutputChars)}. Limit its output, e.g. with head.`],
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

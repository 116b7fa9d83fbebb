import { z } from 'zod';
import { cleanOutput } from '#lib/clean-output.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { BackgroundShell, ShellReading } from '#protocol/shells.ts';
import { defineTool } from '#protocol/tool.ts';
import prose from './bash-output.md';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count, size } from './result/words.ts';
import { noSuchShell, stateText } from './shell/shell-words.ts';

type Input = { shell_id: string; filter?: string | undefined; wait?: number | undefined };

/** A model that asks again and again is slowed down a little. */
const shortestWaitMs = 1_000;
const longestWaitS = 300;
/** Some models give milliseconds; no sensible number of seconds is this large. */
const surelyMilliseconds = 10_000;
/** A pattern may take very long on a long line. */
const testedChars = 2_000;

export const bashOutput = defineTool<Input>({
  name: 'bash_output',
  aliases: ['BashOutput', 'TaskOutput'],
  inputAliases: {
    bash_id: 'shell_id',
    task_id: 'shell_id',
    id: 'shell_id',
    timeout: 'wait',
    wait_seconds: 'wait',
  },
  prose,
  input: looseInput({ shell_id: z.string(), filter: z.string().optional(), wait: z.number().optional() }),
  effect: 'none',
  touches: () => [],
  title: ({ shell_id }) => shell_id,
  async run({ shell_id, filter, wait }, ctx) {
    const pattern = filter === undefined ? undefined : compile(filter);
    if (pattern !== undefined && 'problem' in pattern)
      return toolError('bad_filter', `filter is no regular expression: ${pattern.problem}`);
    const { shells } = ctx.services;
    const reading = await shells?.read(shell_id, { waitMs: waitOf(wait), signal: ctx.signal });
    return reading ? resultOf(reading, pattern?.expression) : noSuchShell(shell_id, shells);
  },
});

function waitOf(given: number | undefined): number {
  if (given === undefined) return shortestWaitMs;
  const seconds = given >= surelyMilliseconds ? given / 1_000 : given;
  return Math.max(0, Math.min(longestWaitS, seconds)) * 1_000;
}

function compile(filter: string): { expression: RegExp } | { problem: string } {
  try {
    return { expression: new RegExp(filter) };
  } catch (error) {
    return { problem: String(error) };
  }
}

function resultOf(reading: ShellReading, expression: RegExp | undefined): ToolResult {
  const { shell, droppedChars, outputPath } = reading;
  const all = cleanOutput(reading.text).replace(/\n$/, '');
  const lines = all === '' ? [] : all.split('\n');
  const shown = expression ? lines.filter((line) => expression.test(line.slice(0, testedChars))) : lines;
  const whole = outputPath === undefined ? '' : ` All of it is in ${outputPath}.`;
  const notes = [
    ...(droppedChars > 0 ? [`${size(droppedChars)} before this were dropped: too much came.${whole}`] : []),
    ...(shown.length < lines.length ? [`${count(lines.length - shown.length, 'line')} did not match.`] : []),
    ...(lines.length === 0 ? ['Nothing new was printed.'] : []),
    stateText(shell),
  ].map((note) => `[${note}]`);
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: [...shown, ...notes].join('\n') }],
    view: viewOf(shell, shown.join('\n')),
    summary: `${count(shown.length, 'new line')}, ${shell.state}`,
  };
}

function viewOf(shell: BackgroundShell, output: string): NonNullable<ToolResult['view']> {
  const { command, exitCode, signal } = shell;
  return { kind: 'terminal', command, output, omittedLines: 0, exitCode, signal, running: false };
}

// Free of everything heavy: the first paint lists the commands.

import { nearestName } from '#lib/nearest.ts';
import { codeName } from '#lib/quote.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import { cancelCommand } from './cancel.ts';
import { checkpointCommand } from './checkpoint.ts';
import { clearCommand } from './clear.ts';
import { compactCommand } from './compact.ts';
import { configCommand } from './config.ts';
import { consultCommand } from './consult.ts';
import { contextCommand } from './context.ts';
import { continueCommand } from './continue.ts';
import { copyCommand } from './copy.ts';
import { costCommand } from './cost.ts';
import { type Command, type CommandContext, warn } from './define-command.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { effortCommand } from './effort.ts';
import { exitCommand } from './exit.ts';
import { exportCommand } from './export.ts';
import { forkCommand } from './fork.ts';
import { helpCommand } from './help.ts';
import { hidaCommand } from './hida.ts';
import { hooksCommand } from './hooks.ts';
import { initCommand } from './init.ts';
import { keysCommand } from './keys.ts';
import { memoryCommand } from './memory.ts';
import { modeCommand } from './mode.ts';
import { modelCommand } from './model.ts';
import { mouseCommand } from './mouse.ts';
import { permissionsCommand } from './permissions.ts';
import { renameCommand } from './rename.ts';
import { resumeCommand } from './resume.ts';
import { rewindCommand } from './rewind.ts';
import { sandboxCommand } from './sandbox.ts';
import { searchCommand } from './search.ts';
import { tasksCommand } from './tasks.ts';
import { themeCommand } from './theme.ts';
import { transcriptCommand } from './transcript.ts';
import { trustCommand } from './trust.ts';
import { redoCommand, undoCommand } from './undo.ts';
import { vcrCommand } from './vcr.ts';
import { vimCommand } from './vim.ts';

export const commands: readonly Command[] = [
  helpCommand,
  modelCommand,
  effortCommand,
  modeCommand,
  clearCommand,
  compactCommand,
  resumeCommand,
  forkCommand,
  checkpointCommand,
  consultCommand,
  contextCommand,
  memoryCommand,
  initCommand,
  hidaCommand,
  costCommand,
  configCommand,
  doctorCommand,
  themeCommand,
  vimCommand,
  mouseCommand,
  keysCommand,
  diffCommand,
  undoCommand,
  redoCommand,
  rewindCommand,
  copyCommand,
  transcriptCommand,
  exportCommand,
  renameCommand,
  continueCommand,
  cancelCommand,
  tasksCommand,
  trustCommand,
  permissionsCommand,
  sandboxCommand,
  searchCommand,
  hooksCommand,
  vcrCommand,
  exitCommand,
];

/** Runs a line that begins with `/`. Rejects only with a bug or an `LlmcodeError` to show. */
export async function runCommandLine(line: string, context: CommandContext): Promise<CommandOutcome> {
  const words = commandWords(line);
  if (!words) return promptOf(line);
  const { name, argument, command } = words;
  if (command) return command.run(argument, context);
  const near = nearestName(
    name,
    commands.flatMap((each) => [each.name, ...each.aliases]),
  );
  return warn(
    `There is no command ${codeName(`/${name}`)}${near ? `; did you mean \`/${near}\`?` : '; `/help` lists them.'}`,
  );
}

/** What a line says as a command; undefined for `/usr/bin/env is missing`, which is something to say. */
export function commandWords(
  line: string,
): { name: string; argument: string; command: Command | undefined } | undefined {
  const match = /^\/([\w?-]+)(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (!match) return undefined;
  const [, name = '', argument = ''] = match;
  const command = commands.find((each) => each.name === name || each.aliases.includes(name));
  return { name, argument: argument.trim(), command };
}

function promptOf(text: string): CommandOutcome {
  return { kind: 'action', action: { kind: 'prompt', text, images: [], delivery: 'steer' } };
}

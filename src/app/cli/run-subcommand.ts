import { Command, CommanderError } from 'commander';
import { closedExitCode, type Host } from '../host.ts';
import { captureCommander, usageErrorOf } from './session-program.ts';
import { completionSubcommand } from './subcommands/completion.ts';
import { configSubcommand } from './subcommands/config.ts';
import { doctorSubcommand } from './subcommands/doctor.ts';
import { modelsSubcommand } from './subcommands/models.ts';
import { permissionsSubcommand } from './subcommands/permissions.ts';
import type { Subcommand, SubcommandContext } from './subcommands/subcommand.ts';
import { threadsSubcommand } from './subcommands/threads.ts';
import { toolSubcommand } from './subcommands/tool.ts';

const subcommands: readonly Subcommand[] = [
  modelsSubcommand,
  doctorSubcommand,
  configSubcommand,
  threadsSubcommand,
  permissionsSubcommand,
  toolSubcommand,
  completionSubcommand,
];

/** Runs `llmcode <subcommand> …` and returns its exit code. */
export async function runSubcommand(host: Host): Promise<number> {
  let exitCode = 0;
  const context: SubcommandContext = {
    host,
    act:
      (work) =>
      async (...args) => {
        exitCode = await work(...args);
      },
  };
  const program = captureCommander(createSubcommandProgram(context), (text) => host.stdout.write(text));
  const closed = Promise.withResolvers<'closed'>();
  // As with `| head -1`: nobody reads on, which is no failure to report.
  host.stdout.on('error', () => closed.resolve('closed'));
  try {
    const work = program.parseAsync([...host.argv], { from: 'user' });
    if ((await Promise.race([work, closed.promise])) === 'closed') return closedExitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageErrorOf(error);
  }
  return exitCode;
}

function createSubcommandProgram(context: SubcommandContext): Command {
  const program = new Command('llmcode').helpOption('-h, --help', 'print this help').helpCommand(false);
  for (const subcommand of subcommands) subcommand.register(program, context);
  return program;
}

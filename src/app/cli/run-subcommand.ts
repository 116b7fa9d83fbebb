import { Command, CommanderError } from 'commander';
import { closedExitCode, type Host } from '../host.ts';
import { captureCommander, usageErrorOf } from './session-program.ts';
import { completionSubcommand } from './subcommands/completion.ts';
import { configSubcommand } from './subcommands/config.ts';
import { consultSubcommand } from './subcommands/consult.ts';
import { doctorSubcommand } from './subcommands/doctor.ts';
import { hooksSubcommand } from './subcommands/hooks.ts';
import { memorySubcommand } from './subcommands/memory.ts';
import { modelsSubcommand } from './subcommands/models.ts';
import { permissionsSubcommand } from './subcommands/permissions.ts';
import type { Subcommand, SubcommandContext } from './subcommands/subcommand.ts';
import { threadsSubcommand } from './subcommands/threads/threads.ts';
import { toolSubcommand } from './subcommands/tool.ts';
import { usageError } from './usage-error.ts';

const subcommands: readonly Subcommand[] = [
  modelsSubcommand,
  doctorSubcommand,
  configSubcommand,
  threadsSubcommand,
  consultSubcommand,
  permissionsSubcommand,
  hooksSubcommand,
  memorySubcommand,
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
    if (error.code === 'commander.help') throw incomplete(program, host.argv[0]);
    if (error.exitCode !== 0) throw usageErrorOf(error, commandNamed(program, host.argv));
  }
  return exitCode;
}

/** The words of `argv` that name a command, whose help is the one to look at. */
function commandNamed(program: Command, argv: readonly string[]): string {
  const [word, ...rest] = argv;
  const below = program.commands.find((command) => command.name() === word);
  return below ? `${program.name()} ${commandNamed(below, rest)}` : program.name();
}

/** `llmcode threads` alone: commander would answer with its help on stderr and no word of what is missing. */
function incomplete(program: Command, name = ''): Error {
  const below = program.commands.find((command) => command.name() === name)?.commands ?? [];
  const names = below.map((command) => command.name()).join(', ');
  return usageError(`llmcode ${name} needs one of: ${names} (llmcode ${name} --help lists what there is)`);
}

function createSubcommandProgram(context: SubcommandContext): Command {
  const program = new Command('llmcode').helpOption('-h, --help', 'print this help').helpCommand(false);
  for (const subcommand of subcommands) subcommand.register(program, context);
  return program;
}

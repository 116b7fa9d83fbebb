import { Argument, type Command } from 'commander';
import { createSessionProgram } from '../session-program.ts';
import { type CommandTree, completionScript, shells } from './completion-script.ts';
import { printJson } from './print-json.ts';
import type { Subcommand } from './subcommand.ts';

export const completionSubcommand: Subcommand = {
  name: 'completion',
  register(program, { host, act }) {
    program
      .command('completion')
      .description('print a completion script, e.g. for `eval "$(llmcode completion bash)"`')
      .addArgument(new Argument('<shell>', 'the shell').choices(shells))
      .option('--json', 'print one JSON object')
      .action(
        act(async (shell: (typeof shells)[number], options: { json?: boolean }) => {
          const script = completionScript(shell, treeOf(program));
          if (options.json) printJson(host.stdout, { shell, script });
          else host.stdout.write(script);
          return 0;
        }),
      );
  },
};

/** The session's own options at the root, the subcommands below it. */
function treeOf(program: Command): CommandTree {
  return { ...nodeOf(createSessionProgram('')), commands: program.commands.map(nodeOf) };
}

function nodeOf(command: Command): CommandTree {
  const options = command.options
    .filter((option) => !option.hidden)
    .map((option) => ({
      flags: [option.long, option.short].filter((flag) => typeof flag === 'string'),
      summary: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    }));
  return {
    name: command.name(),
    summary: command.description(),
    options,
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    commands: command.commands.map(nodeOf),
  };
}

import { findingLine } from '../../doctor/doctor-text.ts';
import { examine } from '../../doctor/examine.ts';
import { say } from '../../say.ts';
import { printJson } from './print-json.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };

export const doctorSubcommand: Subcommand = {
  name: 'doctor',
  register(program, { host, act }) {
    program
      .command('doctor')
      .description('what llmcode finds on this machine, and what is wrong with it')
      .option('--json', 'one JSON object a line')
      .option('--cwd <folder>', 'as if started there')
      .action(
        act(async (options: Options) => {
          let hasError = false;
          for await (const finding of examine(host, options.cwd)) {
            hasError ||= finding.level === 'error';
            if (options.json) printJson(host.stdout, finding);
            else say(host.stdout, findingLine(finding));
          }
          return hasError ? 1 : 0;
        }),
      );
  },
};

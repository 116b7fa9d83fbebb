import { nearestName } from '#lib/nearest.ts';
import type { Host } from '../host.ts';
import { packageVersion } from '../package-files.ts';
import type { SessionFlags } from './flags.ts';
import { captureCommander, createSessionProgram, parseSessionFlags } from './session-program.ts';
import { withSubcommandFirst } from './subcommand-first.ts';
import { subcommandNames } from './subcommand-names.ts';
import { usageError } from './usage-error.ts';

/** Finds out what a command line asks for and does it. */
export async function dispatch(host: Host): Promise<number> {
  const program = createSessionProgram(packageVersion());
  const argv = withSubcommandFirst(host.argv, program.options);
  if (argv) {
    const { runSubcommand } = await import('./run-subcommand.ts');
    return runSubcommand({ ...host, argv });
  }
  program.addHelpText('after', `\nSubcommands (llmcode <name> --help): ${subcommandNames.join(', ')}`);
  captureCommander(program, (text) => host.stdout.write(text));
  const flags = parseSessionFlags(program, host.argv);
  if (flags === 'shown') return 0;
  refuseMisspelled(flags, host);

  const isScreen = !flags.print && host.stdin.isTTY && host.stdout.isTTY;
  if (isScreen) {
    refuseHeadlessFlags(flags);
    const { runInteractive } = await import('../modes/interactive.ts');
    return runInteractive(host, flags);
  }
  const { runPrint } = await import('../modes/print.ts');
  return runPrint(host, flags);
}

/** `llmcode modles` is a slip, not a prompt; a real prompt of one word goes after `--`. */
function refuseMisspelled({ prompt, print }: SessionFlags, { argv }: Host): void {
  if (prompt === undefined || print || /\s/.test(prompt) || argv.includes('--')) return;
  const near = nearestName(prompt, subcommandNames);
  if (near)
    throw usageError(
      `unknown subcommand '${prompt}'; did you mean '${near}'? A prompt goes after --: llmcode -- ${prompt}`,
    );
}

function refuseHeadlessFlags(flags: SessionFlags): void {
  const given = [
    flags.outputFormat && '--output-format',
    flags.jsonSchema && '--json-schema',
    flags.timeout && '--timeout',
    flags.failOnDeny && '--fail-on-deny',
  ].find((name) => name);
  if (given) throw usageError(`${given} only works with -p`);
}

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { nearestName } from '#lib/nearest.ts';
import { parsePermissionMode, permissionModeNames, permissionModes } from '#protocol/permission-mode.ts';
import { outputFormats, type SessionFlags } from './flags.ts';
import { usageError } from './usage-error.ts';

/** The command line of a session, screen or headless; subcommands have programs of their own. */
export function createSessionProgram(version: string): Command {
  return new Command('llmcode')
    .usage('[options] [prompt]')
    .description('A coding agent in the terminal, for any model. Without -p it opens the screen.')
    .argument('[prompt...]', 'what to do; with -p standard input is added to it')
    .option('-p, --print', 'no screen: print the answer and exit')
    .addOption(new Option('--output-format <format>', 'with -p').choices(outputFormats))
    .option('-m, --model <ref>', 'provider/model[#effort], an alias, or a model that one provider has')
    .addOption(
      new Option('--permission-mode <mode>', permissionModes.join(', ')).argParser(readPermissionMode),
    )
    .option('--i-know', 'confirms full_access, which asks nothing')
    .option('-c, --continue', 'go on with the newest thread of this project')
    .option('-r, --resume [thread]', 'go on with a thread by id or name, or pick one')
    .option('--fork', 'with -c or -r: go on in a copy')
    .option('--max-turns <n>', 'model calls at most, for one prompt', readCount)
    .option('--max-budget-usd <amount>', 'stop when this much is spent', readAmount)
    .option('--timeout <seconds>', 'with -p: stop after this time', readAmount)
    .option(
      '--allowed-tools <rules>',
      'run without asking, e.g. "Bash(npm test),Edit"; repeatable',
      collectRules,
    )
    .addOption(new Option('--allowedTools <rules>').argParser(collectRules).hideHelp())
    .option('--disallowed-tools <rules>', 'never run, e.g. "WebFetch,Bash(rm *)"; repeatable', collectRules)
    .addOption(new Option('--disallowedTools <rules>').argParser(collectRules).hideHelp())
    .option('--append-system-prompt <text>', 'add to the system prompt')
    .option('--json-schema <file>', 'with -p: the answer must be JSON that fits this schema')
    .option('--add-dir <folder>', 'one more folder that counts as workspace; repeatable', collect)
    .option('--cwd <folder>', 'work there')
    .option('--no-session', 'keep no thread on disk')
    .option('--demo', 'the offline demo: a scripted model on a scratch copy of a sample project')
    .option('--replay <file>', 'replay a recorded session: no network, no tool runs (/vcr on records one)')
    .option('--speed <factor>', 'of a replay: 1 as recorded, 2 twice as fast, 0 at once', readSpeed)
    .option('--fail-on-deny', 'with -p: stop with exit code 4 when a permission is refused')
    .option('--verbose', 'with -p: progress on stderr')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false);
}

type SpelledTwice = { allowedTools?: string[]; disallowedTools?: string[] };

/** Throws a usage error of one line; `shown` = the help or the version went to stdout and nothing is left to do. */
export function parseSessionFlags(program: Command, argv: readonly string[]): SessionFlags | 'shown' {
  const parsed = parseWith(program, argv);
  if (!parsed) return 'shown';
  const { session, ...flags } = program.opts<SessionFlags & SpelledTwice>();
  const prompt = program.args.join(' ');
  const result: SessionFlags = {
    ...flags,
    ...(session === false ? { session } : {}),
    ...(prompt === '' ? {} : { prompt }),
  };
  checkCombination(result);
  return result;
}

/** Runs commander with its exits and multi-line errors turned into our own. False = help or version was shown. */
function parseWith(program: Command, argv: readonly string[]): boolean {
  try {
    program.parse(argv, { from: 'user' });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    throw usageErrorOf(error);
  }
}

/** Commander's own exits and output, routed to where a caller can see them. */
export function captureCommander(program: Command, writeOut: (text: string) => void): Command {
  for (const command of [program, ...allBelow(program)]) {
    command.exitOverride();
    command.configureOutput({ writeOut, writeErr: () => undefined, outputError: () => undefined });
  }
  return program;
}

function allBelow(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...allBelow(command)]);
}

export function usageErrorOf(error: CommanderError, command = 'llmcode'): Error {
  const [what = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const hint = /Did you mean (?:one of )?(.+)\?/.exec(suggestion)?.[1];
  return usageError(
    `${what}${hint ? `; did you mean ${hint}?` : ''} (${command} --help lists what there is)`,
  );
}

function checkCombination(flags: SessionFlags): void {
  if (flags.continue && flags.resume !== undefined)
    throw usageError('--continue and --resume exclude each other');
  if (flags.fork && !flags.continue && flags.resume === undefined)
    throw usageError('--fork needs --continue or --resume: it says which thread to copy');
  if (flags.demo && (flags.continue || flags.resume !== undefined))
    throw usageError('--demo starts a session of its own; leave out --continue and --resume');
  if (
    flags.replay !== undefined &&
    (flags.continue || flags.resume !== undefined || flags.demo || flags.model)
  )
    throw usageError(
      '--replay brings its own session and model; leave out --continue, --resume, --demo, --model',
    );
  if (flags.demo && flags.model) throw usageError('--demo brings its own model; leave out --model');
}

function readSpeed(text: string): number {
  const speed = Number(text);
  if (text.trim() === '' || !Number.isFinite(speed) || speed < 0)
    throw new InvalidArgumentError('It must be a number from 0.');
  return speed;
}

function readPermissionMode(text: string): string {
  const mode = parsePermissionMode(text);
  if (mode) return mode;
  const near = nearestName(text, permissionModeNames);
  throw new InvalidArgumentError(
    `${near ? `did you mean '${near}'? ` : ''}Known: ${permissionModes.join(', ')}.`,
  );
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}

function readAmount(text: string): number {
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return amount;
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

function collectRules(text: string, before: readonly string[] = []): string[] {
  return [...before, ...splitRules(text)];
}

/** Splits at commas and blanks that stand outside of parentheses: `Bash(git *),Edit Read`. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth <= 0 && /[\s,]/.test(char)) {
      if (rule !== '') rules.push(rule);
      rule = '';
    } else rule += char;
  }
  if (rule !== '') rules.push(rule);
  return rules;
}

import type { Argument, Command } from 'commander';
import { archiveThread, renameThread } from '#engine/thread/keep-threads.ts';
import { findThread } from '#engine/thread/store.ts';
import { systemClock } from '#lib/clock.ts';
import { llmcodeHome } from '#lib/paths.ts';
import { workingFolder } from '../../../cwd.ts';
import type { Host } from '../../../host.ts';
import { say } from '../../../say.ts';
import { cleanThreadName } from '../../../threads/thread-name.ts';
import { usageError } from '../../usage-error.ts';
import { printJson } from '../print-json.ts';
import type { SubcommandContext } from '../subcommand.ts';

type Options = { json?: boolean; cwd?: string };
type ArchiveOptions = Options & { undo?: boolean };

/** `threads rename` and `threads archive`. */
export function registerKeeping(
  threads: Command,
  { context: { host, act }, thread }: { context: SubcommandContext; thread: () => Argument },
): void {
  threads
    .command('rename')
    .description('give a conversation a name')
    .addArgument(thread())
    .argument('<name...>', 'its new name')
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'look there first')
    .action(act((text: string, words: string[], options: Options) => rename(host, { text, words, options })));
  threads
    .command('archive')
    .description('put a conversation out of sight; it is kept')
    .addArgument(thread())
    .option('--undo', 'show it again')
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'look there first')
    .action(act((text: string, options: ArchiveOptions) => archive(host, { text, options })));
}

async function rename(
  host: Host,
  { text, words, options }: { text: string; words: readonly string[]; options: Options },
): Promise<number> {
  const home = llmcodeHome(host.env);
  const name = cleanThreadName(words.join(' '));
  if (name === '') throw usageError('a thread needs a name with letters in it');
  const { threadId } = await findThread(home, text, { cwd: workingFolder(host, options.cwd) });
  await renameThread(home, threadId, { name, clock: systemClock });
  if (options.json) printJson(host.stdout, { id: threadId, name });
  else say(host.stdout, `${threadId} is "${name}" now.`);
  return 0;
}

async function archive(
  host: Host,
  { text, options }: { text: string; options: ArchiveOptions },
): Promise<number> {
  const home = llmcodeHome(host.env);
  const thread = await findThread(home, text, { cwd: workingFolder(host, options.cwd) });
  const isArchived = options.undo !== true;
  await archiveThread(home, thread.threadId, { isArchived });
  const name = `${thread.threadId} (${thread.name ?? thread.title})`;
  if (options.json) printJson(host.stdout, { id: thread.threadId, archived: isArchived });
  else
    say(
      host.stdout,
      isArchived
        ? `Archived ${name}. "threads list --archived" shows it.`
        : `${name} is shown in lists again.`,
    );
  return 0;
}

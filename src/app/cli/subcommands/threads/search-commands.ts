import type { Command } from 'commander';
import { indexThreads, searchThreads } from '#engine/thread/find-words.ts';
import type { IndexProgress } from '#engine/thread/index/update-index.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { minuteText } from '#lib/iso-time.ts';
import { llmcodeHome } from '#lib/paths.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { workingFolder } from '../../../cwd.ts';
import type { Host } from '../../../host.ts';
import { say } from '../../../say.ts';
import { usageError } from '../../usage-error.ts';
import { printJson } from '../print-json.ts';
import type { SubcommandContext } from '../subcommand.ts';

type Options = { json?: boolean };
type SearchOptions = Options & { cwd?: string; project?: boolean; limit: string };

/** `threads search` and `threads reindex`. */
export function registerSearch(threads: Command, { host, act }: SubcommandContext): void {
  threads
    .command('search')
    .description('conversations in which all these words stand, with output of tools and reasoning')
    .argument('<words...>', 'words; "in quotes" together; the last one may be the beginning of a word')
    .option('--project', 'only of this project')
    .option('--limit <n>', 'conversations at most', '20')
    .option('--json', 'one JSON object a line')
    .option('--cwd <folder>', 'of the project there')
    .action(act((words: string[], options: SearchOptions) => search(host, { words, options })));
  threads
    .command('reindex')
    .description('read all conversations again for list and search')
    .option('--json', 'one JSON object')
    .action(act((options: Options) => reindex(host, options)));
}

async function search(
  host: Host,
  { words, options }: { words: readonly string[]; options: SearchOptions },
): Promise<number> {
  const home = llmcodeHome(host.env);
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit takes a whole number');
  const asked = words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
  if (!/[\p{L}\p{N}]/u.test(asked)) throw usageError('there is no word to look for');
  await withProgress(host, (onProgress) => indexThreads(home, { onProgress }));
  const cwd = options.project || options.cwd !== undefined ? workingFolder(host, options.cwd) : undefined;
  const found = await searchThreads(home, asked, { limit, ...(cwd === undefined ? {} : { cwd }) });
  if (!found) throw noIndex(home);
  if (found.length === 0) say(host.stderr, 'Nothing was found.');
  for (const { thread, hits } of found) {
    if (options.json) {
      printJson(host.stdout, {
        id: thread.threadId,
        name: thread.name,
        title: thread.title,
        cwd: thread.cwd,
        archived: thread.isArchived === true,
        hits: hits.map(({ kind, messageId, excerpt }) => ({ kind, message: messageId, excerpt })),
      });
      continue;
    }
    const name = cleanName(thread.name ?? thread.title);
    say(host.stdout, `${thread.threadId}  ${minuteText(thread.updatedAt)}  ${name}  (${thread.cwd})`);
    for (const { kind, excerpt } of hits) say(host.stdout, `    ${kind}: ${cleanName(excerpt)}`);
  }
  return found.length === 0 ? 1 : 0;
}

async function reindex(host: Host, options: Options): Promise<number> {
  const home = llmcodeHome(host.env);
  const done = await withProgress(host, (onProgress) => indexThreads(home, { onProgress, isAnew: true }));
  if (!done) throw noIndex(home);
  if (options.json) printJson(host.stdout, { threads: done.files, bytes: done.bytes });
  else say(host.stdout, `${done.files} conversations (${megabytes(done.bytes)}) can be searched.`);
  return 0;
}

/** A line that is written over, where somebody looks. */
async function withProgress<Result>(
  { stderr }: Host,
  work: (onProgress: (progress: IndexProgress) => void) => Promise<Result>,
): Promise<Result> {
  let shownAt = performance.now();
  let isShown = false;
  const result = await work(({ files, ofFiles, bytes, ofBytes }) => {
    if (!stderr.isTTY || performance.now() - shownAt < 200) return;
    shownAt = performance.now();
    isShown = true;
    stderr.write(
      `\r\x1b[Kreading ${files} of ${ofFiles} conversations, ${megabytes(bytes)} of ${megabytes(ofBytes)}`,
    );
  });
  if (isShown) stderr.write('\r\x1b[K');
  return result;
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;

function noIndex(home: string): LlmcodeError {
  return new LlmcodeError(
    'no-index',
    `${home}/state.db cannot be used now: another llmcode may be writing it, or the folder cannot be written.`,
  );
}

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, Option } from 'commander';
import { contextUse } from '#engine/context/context-use.ts';
import { deleteThread } from '#engine/thread/keep-threads.ts';
import { findLog, findThread, listThreads, readThread } from '#engine/thread/store.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { isoTime, minuteText } from '#lib/iso-time.ts';
import { llmcodeHome } from '#lib/paths.ts';
import { cleanText } from '#lib/terminal-text.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { contextLines } from '../../../context-text.ts';
import { workingFolder } from '../../../cwd.ts';
import { alignColumns } from '../../../format.ts';
import type { Host } from '../../../host.ts';
import { say } from '../../../say.ts';
import { type ExportFormat, exportFormats } from '../../../threads/export-format.ts';
import { exportText } from '../../../threads/export-thread.ts';
import { threadMarkdown } from '../../../threads/thread-markdown.ts';
import { isConfirmed } from '../is-confirmed.ts';
import { printJson } from '../print-json.ts';
import type { Subcommand, SubcommandContext } from '../subcommand.ts';
import { registerImport } from './import-command.ts';
import { registerKeeping } from './keep-commands.ts';
import { registerSearch } from './search-commands.ts';

type Options = { json?: boolean; cwd?: string };
type ListOptions = Options & { all?: boolean; archived?: boolean };
type ExportOptions = Options & { format: ExportFormat | 'events'; output?: string };
type DeleteOptions = Options & { yes?: boolean };

export const threadsSubcommand: Subcommand = {
  name: 'threads',
  register(program, context) {
    const threads = program.command('threads').description('conversations that are kept on disk');
    const thread = () => new Argument('<thread>', 'its id or name, or the beginning of the id');
    const { host, act } = context;
    threads
      .command('list')
      .description('threads of this project, newest first')
      .option('--all', 'of all projects')
      .option('--archived', 'those that were put out of sight')
      .option('--json', 'one JSON object a line')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: ListOptions) => list(host, options)));
    threads
      .command('show')
      .description('a conversation as text')
      .addArgument(thread())
      .option('--json', 'one JSON object with all messages')
      .option('--cwd <folder>', 'look there first')
      .action(act((text: string, options: Options) => show(host, { text, options })));
    threads
      .command('context')
      .description("what fills the model's window")
      .addArgument(thread())
      .option('--json', 'one JSON object')
      .option('--cwd <folder>', 'look there first')
      .action(act((text: string, options: Options) => showContext(host, { text, options })));
    threads
      .command('export')
      .description('a conversation as a file')
      .addArgument(thread())
      .addOption(
        new Option('--format <format>', 'how').choices([...exportFormats, 'events']).default('markdown'),
      )
      .option('-o, --output <file>', 'where to; without it to standard output')
      .option('--json', 'say what was written as one JSON object')
      .option('--cwd <folder>', 'look there first')
      .action(act((text: string, options: ExportOptions) => exportThread(host, { text, options })));
    registerSearch(threads, context);
    registerImport(threads, context);
    registerKeeping(threads, { context, thread });
    registerDelete(threads, { context, thread });
  },
};

function registerDelete(
  threads: Parameters<Subcommand['register']>[0],
  { context: { host, act }, thread }: { context: SubcommandContext; thread: () => Argument },
): void {
  threads
    .command('delete')
    .description('a conversation and its files, for good')
    .addArgument(thread())
    .option('-y, --yes', 'do not ask')
    .option('--json', 'one JSON object')
    .option('--cwd <folder>', 'look there first')
    .action(act((text: string, options: DeleteOptions) => remove(host, { text, options })));
}

async function list(host: Host, options: ListOptions): Promise<number> {
  const home = llmcodeHome(host.env);
  const all = await listThreads(home, options.all ? {} : { cwd: workingFolder(host, options.cwd) });
  const threads = all.filter(({ isArchived }) => (isArchived === true) === (options.archived === true));
  if (options.json) {
    for (const thread of threads) printJson(host.stdout, jsonRow(thread));
    return 0;
  }
  if (threads.length === 0)
    say(host.stderr, `No threads${options.all ? '' : ' in this project; --all lists all'}.`);
  const rows = threads.map((thread) => [
    thread.threadId,
    minuteText(thread.updatedAt),
    String(thread.messages),
    thread.model ?? '',
    (thread.name ?? thread.title) + (thread.kind === 'consult' ? ` (asks ${thread.peer})` : ''),
    ...(options.all ? [thread.cwd] : []),
  ]);
  if (rows.length > 0) {
    const head = ['id', 'last used (UTC)', 'messages', 'model', 'name', ...(options.all ? ['folder'] : [])];
    for (const line of alignColumns([head, ...rows])) say(host.stdout, line);
  }
  return 0;
}

function jsonRow(thread: ThreadSummary): object {
  return {
    id: thread.threadId,
    name: thread.name,
    title: thread.title,
    cwd: thread.cwd,
    created_at: isoTime(thread.createdAt),
    updated_at: isoTime(thread.updatedAt),
    messages: thread.messages,
    model: thread.model,
    bytes: thread.bytes ?? null,
    cost_usd: thread.costUsd ?? null,
    archived: thread.isArchived === true,
    forked_from: thread.forkedFrom ?? null,
    imported_from: thread.importedFrom ?? null,
    ...(thread.kind === undefined ? {} : { kind: thread.kind, peer: thread.peer }),
  };
}

type Asked<Extra extends Options> = { text: string; options: Extra };

async function find(host: Host, { text, options }: Asked<Options>): Promise<ThreadSummary> {
  return findThread(llmcodeHome(host.env), text, { cwd: workingFolder(host, options.cwd) });
}

async function read(host: Host, { threadId }: ThreadSummary) {
  const thread = await readThread(llmcodeHome(host.env), threadId);
  for (const notice of thread.notices) say(host.stderr, `llmcode: ${notice}`);
  return thread;
}

async function show(host: Host, asked: Asked<Options>): Promise<number> {
  const summary = await find(host, asked);
  const { header, state } = await read(host, summary);
  if (asked.options.json) printJson(host.stdout, { header, state });
  else say(host.stdout, threadMarkdown(summary, state));
  return 0;
}

async function showContext(host: Host, asked: Asked<Options>): Promise<number> {
  const summary = await find(host, asked);
  const { state } = await read(host, summary);
  if (asked.options.json) printJson(host.stdout, { id: summary.threadId, ...contextUse(state) });
  else for (const line of contextLines(state)) say(host.stdout, line);
  return 0;
}

async function exportThread(host: Host, { text, options }: Asked<ExportOptions>): Promise<number> {
  const summary = await find(host, { text, options });
  const content = await exported(host, { summary, format: options.format });
  if (options.output === undefined) {
    // A file gets the bytes as they are; a terminal must not obey what a model wrote.
    host.stdout.write(host.stdout.isTTY ? cleanText(content) : content);
    return 0;
  }
  const file = path.resolve(host.cwd, options.output);
  try {
    await writeFile(file, content, { mode: 0o600 });
  } catch (error) {
    throw new LlmcodeError('export-failed', `${file} cannot be written: ${errorText(error)}`, {
      cause: error,
    });
  }
  if (options.json) printJson(host.stdout, { id: summary.threadId, format: options.format, file });
  else say(host.stdout, `Wrote ${file}`);
  return 0;
}

async function exported(
  host: Host,
  { summary, format }: { summary: ThreadSummary; format: ExportOptions['format'] },
): Promise<string> {
  if (format === 'events') {
    return readFile(await findLog(llmcodeHome(host.env), summary.threadId), 'utf8');
  }
  const { header, state } = await read(host, summary);
  return exportText(format, { heading: summary, state, header });
}

async function remove(host: Host, { text, options }: Asked<DeleteOptions>): Promise<number> {
  const summary = await find(host, { text, options });
  const name = `${summary.threadId} (${summary.name ?? summary.title})`;
  if (
    !options.yes &&
    !(await isConfirmed(host, {
      question: `Delete ${name} for good? [y/N] `,
      otherwise: 'deleting needs --yes when nobody can be asked',
    }))
  ) {
    say(host.stderr, 'Nothing was deleted.');
    return 1;
  }
  await deleteThread(llmcodeHome(host.env), summary.threadId);
  if (options.json) printJson(host.stdout, { id: summary.threadId, deleted: true });
  else say(host.stdout, `Deleted ${name}.`);
  return 0;
}

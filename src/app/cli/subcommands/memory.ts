import { systemClock } from '#lib/clock.ts';
import { isoTime } from '#lib/iso-time.ts';
import { jsonText } from '#lib/json-text.ts';
import type { Host } from '../../host.ts';
import { consolidate } from '../../memory/consolidate.ts';
import { createMemoryCommands, type MemoryCommands } from '../../memory/memory-desk.ts';
import { consolidatedText } from '../../memory/memory-text.ts';
import { say } from '../../say.ts';
import { openComposition } from './open-composition.ts';
import type { Subcommand } from './subcommand.ts';

type Options = { json?: boolean; cwd?: string };
type NoteOptions = Options & { thread: string; unasked?: boolean };

/** A helper beside everything else must not stay for ever. Milliseconds. */
const noteLimitMs = 180_000;

export const memorySubcommand: Subcommand = {
  name: 'memory',
  register(program, { host, act }) {
    const memory = program.command('memory').description('what is remembered of a project');
    const run = (use: (desk: MemoryCommands) => Promise<string>, { cwd }: Options) => tell(host, use, cwd);
    memory
      .command('list')
      .description('every entry, newest first')
      .option('--json', 'as JSON')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: Options) => list(host, options)));
    memory
      .command('show')
      .description('instructions that are loaded, and what is remembered, with its tokens')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: Options) => run((desk) => desk.overview(), options)));
    memory
      .command('get')
      .description('an entry by its id, or what fits the words')
      .argument('<words...>')
      .option('--cwd <folder>', 'of the project there')
      .action(act((words: string[], options: Options) => run((desk) => desk.get(words.join(' ')), options)));
    memory
      .command('add')
      .description('remembers a text; a first word user, feedback, project or reference says its kind')
      .argument('<text...>')
      .option('--cwd <folder>', 'of the project there')
      .action(act((words: string[], options: Options) => run((desk) => desk.add(words.join(' ')), options)));
    memory
      .command('delete')
      .description('forgets an entry')
      .argument('<id>')
      .option('--cwd <folder>', 'of the project there')
      .action(act((id: string, options: Options) => run((desk) => desk.delete(id), options)));
    memory
      .command('undo')
      .description('takes the newest change back')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: Options) => run((desk) => desk.undo(), options)));
    memory
      .command('history')
      .description('what the newest sessions came to')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: Options) => run((desk) => desk.history(10), options)));
    memory
      .command('consolidate')
      .description('notes what a thread taught; with --unasked only where the settings want that')
      .requiredOption('--thread <id>', 'the thread')
      .option('--unasked', 'as at the end of a session')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: NoteOptions) => note(host, options)));
    memory
      .command('lint')
      .description('names entries that may be wrong, old or double')
      .option('--cwd <folder>', 'of the project there')
      .action(act((options: Options) => run((desk) => desk.lint(), options)));
  },
};

async function tell(
  host: Host,
  use: (desk: MemoryCommands) => Promise<string>,
  cwd: string | undefined,
): Promise<number> {
  const composition = await openComposition(host, cwd === undefined ? {} : { cwd });
  const desk = createMemoryCommands({
    parts: async () => composition,
    threadId: () => null,
    now: () => systemClock.now(),
  });
  say(host.stdout, withoutMarks(await use(desk)));
  return 0;
}

async function note(host: Host, { thread, unasked, ...options }: NoteOptions): Promise<number> {
  const composition = await openComposition(host, options);
  if (unasked && composition.settings.values.memory.consolidate === 'off') return 0;
  const done = await consolidate(composition, {
    threadId: thread,
    isAsked: unasked !== true,
    clock: systemClock,
    signal: AbortSignal.timeout(noteLimitMs),
  });
  say(
    host.stdout,
    withoutMarks(done.kind === 'noted' ? consolidatedText(done) : `Nothing was noted: ${done.why}.`),
  );
  return 0;
}

async function list(host: Host, options: Options): Promise<number> {
  const { memory } = await openComposition(host, options);
  const entries = (await memory?.project.list()) ?? [];
  if (options.json) {
    const rows = entries.map(({ threadId: thread_id, createdAt, ...entry }) => ({
      ...entry,
      thread_id,
      created_at: isoTime(createdAt),
    }));
    host.stdout.write(`${jsonText({ schema_version: 1, entries: rows })}\n`);
  } else if (entries.length === 0) say(host.stderr, 'Nothing is remembered of this project.');
  else
    for (const { id, kind, text } of entries)
      say(host.stdout, `${id}  ${kind}  ${text.replaceAll('\n', ' ')}`);
  return 0;
}

/** The same texts as on the screen, without what Markdown means by their marks. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(/\\([\\`*_[\]<>])|\*\*|`|\*(?=\()|(?<=\))\*/g, '$1')
    .replaceAll('/memory ', 'llmcode memory ');
}

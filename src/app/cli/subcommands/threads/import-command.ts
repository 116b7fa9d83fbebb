import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { type PeerConversation, peerThreadId, writePeerThread } from '#engine/thread/peer-log.ts';
import { isoTime, minuteText } from '#lib/iso-time.ts';
import { llmcodeHome } from '#lib/paths.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { truncateEnd } from '#lib/text-width.ts';
import { workingFolder } from '../../../cwd.ts';
import type { Host } from '../../../host.ts';
import { packageVersion } from '../../../package-files.ts';
import { say } from '../../../say.ts';
import {
  conversationsIn,
  conversationsOf,
  type PeerAgent,
  peerAgents,
} from '../../../threads/import/find-transcripts.ts';
import { cleanThreadName } from '../../../threads/thread-name.ts';
import { printJson } from '../print-json.ts';
import type { SubcommandContext } from '../subcommand.ts';

type Options = { json?: boolean; cwd?: string; all?: boolean; list?: boolean };

/** `threads import`. */
export function registerImport(threads: Command, { host, act }: SubcommandContext): void {
  threads
    .command('import')
    .description(
      'conversations of another agent as threads that any model goes on with; what it keeps is only read',
    )
    .argument('<source>', `${peerAgents.join(', ')}, or the file of one of their conversations`)
    .option('--all', 'of all projects')
    .option('--list', 'only say what there is')
    .option('--json', 'one JSON object a line')
    .option('--cwd <folder>', 'of the project there')
    .action(act((source: string, options: Options) => importThreads(host, { source, options })));
}

async function importThreads(
  host: Host,
  { source, options }: { source: string; options: Options },
): Promise<number> {
  const home = llmcodeHome(host.env);
  const cwd = workingFolder(host, options.cwd);
  const found = conversationsFrom(host, { source, options, cwd });
  if (found.length === 0) {
    say(
      host.stderr,
      `There is nothing of ${source}${options.all ? '' : ' in this project; --all looks everywhere'}.`,
    );
    return 1;
  }
  for (const conversation of found) {
    const name = cleanThreadName(conversation.title ?? '');
    // A file that came from somewhere does not say in which folder tools work.
    const isOwn = isAgent(source) && conversation.cwd !== '' && isFolder(conversation.cwd);
    const place = isOwn ? conversation.cwd : cwd;
    const threadId = options.list
      ? null
      : await writePeerThread(home, conversation, { cwd: place, llmcodeVersion: packageVersion(), name });
    tell(host, conversation, { options, threadId, name });
  }
  return 0;
}

function conversationsFrom(
  host: Host,
  { source, options, cwd }: { source: string; options: Options; cwd: string },
): PeerConversation[] {
  const found = isAgent(source)
    ? conversationsOf(
        source,
        {
          env: host.env,
          userHome: host.env['HOME'] || homedir(),
          cwd: options.all ? undefined : cwd,
        },
        (problem) => say(host.stderr, `llmcode: ${problem}`),
      )
    : conversationsIn(path.resolve(host.cwd, source));
  return found
    .filter(({ messages }) => messages.length > 0)
    .sort((a, b) => (a.messages[0]?.at ?? 0) - (b.messages[0]?.at ?? 0));
}

function tell(
  host: Host,
  conversation: PeerConversation,
  { options, threadId, name }: { options: Options; threadId: string | null; name: string },
): void {
  const { agent, id, file, messages } = conversation;
  const at = messages[0]?.at ?? 0;
  if (options.json) {
    printJson(host.stdout, {
      agent,
      source_id: id,
      file,
      created_at: isoTime(at),
      messages: messages.length,
      thread: peerThreadId(conversation),
      imported: threadId !== null,
    });
    return;
  }
  const title = truncateEnd(cleanName(name === '' ? firstWords(conversation) : name), 60);
  const row = `${minuteText(at)}  ${String(messages.length).padStart(4)} messages  ${title}`;
  if (options.list) say(host.stdout, row);
  else
    say(
      host.stdout,
      threadId === null
        ? `${row}  (imported before: ${peerThreadId(conversation)})`
        : `${row}  → ${threadId}`,
    );
}

function isAgent(name: string): name is PeerAgent {
  return peerAgents.some((agent) => agent === name);
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

function firstWords({ messages }: PeerConversation): string {
  const texts = messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])) : [],
  );
  return (texts[0] ?? '').replaceAll(/\s+/g, ' ').slice(0, 200);
}

import { formatCount } from '#lib/amounts.ts';
import { isoTime } from '#lib/iso-time.ts';
import { cleanText } from '#lib/terminal-text.ts';
import type { SessionSummary } from '#memory/entries/summaries.ts';
import type { MemoryEntry } from '#protocol/memory.ts';
import type { Consolidated } from './consolidate.ts';
import type { MemoryFinding } from './lint-memory.ts';

const origins: Readonly<Record<MemoryEntry['origin'], string>> = {
  person: 'you',
  model: 'the model',
  session: 'the end of a session',
};

/** One entry as one line of Markdown; what it says is shown, not interpreted. */
export function entryLine({ id, kind, text, tags, origin, createdAt }: MemoryEntry): string {
  const facts = [
    kind,
    ...tags.map((tag) => `#${tag}`),
    `by ${origins[origin]}`,
    isoTime(createdAt).slice(0, 10),
  ];
  return `**${id}** ${plain(text)} *(${facts.map(plain).join(', ')})*`;
}

export function entriesText(entries: readonly MemoryEntry[]): string {
  return entries.map((entry) => `- ${entryLine(entry)}`).join('\n');
}

const listed = 30;

type Overview = {
  files: readonly { name: string; tokens: number; truncated: boolean }[];
  /** null: memory is off. */
  entries: readonly MemoryEntry[] | null;
  /** What the entries cost in each request. */
  blockTokens: number;
  folder: string;
  /** Working notes of the thread; '' = none. */
  notes: string;
};

export function overviewText(about: Overview): string {
  const notes = about.notes === '' ? '' : `\n\n**Working notes** of this thread:\n${quoted(about.notes)}`;
  return instructionsAndEntries(about) + notes;
}

function quoted(text: string): string {
  return plain(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function instructionsAndEntries(about: Overview): string {
  const { files, entries } = about;
  const fileLines = files.map(
    ({ name, tokens, truncated }) =>
      `- \`${name}\`: ${formatCount(tokens)} tokens${truncated ? ', cut short' : ''}`,
  );
  const first =
    fileLines.length > 0
      ? `**Instructions**, read at the start:\n${fileLines.join('\n')}`
      : '**Instructions**: none. An `AGENTS.md` in the repository is read by every session.';
  if (!entries) return `${first}\n\n**Memory** is off (\`memory.enabled\`).`;
  if (entries.length === 0)
    return `${first}\n\n**Memory** of this project is empty. A line that begins with \`# \` is remembered; so is what the model learns with \`memory_store\`.`;
  const more =
    entries.length > listed
      ? `\n- … ${formatCount(entries.length - listed)} more: \`/memory get words\``
      : '';
  const cost = `${formatCount(about.blockTokens)} tokens in each new thread`;
  return `${first}\n\n**Memory** of this project, ${formatCount(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}, ${cost}, in \`${about.folder}\`:\n${entriesText(entries.slice(0, listed))}${more}`;
}

export function findingsText(findings: readonly MemoryFinding[], entries: readonly MemoryEntry[]): string {
  if (findings.length === 0) return 'Nothing speaks against what is remembered.';
  const texts = new Map(entries.map(({ id, text }) => [id, text]));
  return findings
    .map(({ entries: ids, what }) => {
      const said = ids.map((id) => `**${id}** ${plain(texts.get(id) ?? '')}`).join(' · ');
      return `- ${ids.join(', ')} ${what}: ${said}`;
    })
    .join('\n');
}

export function historyText(summaries: readonly SessionSummary[]): string {
  if (summaries.length === 0)
    return 'No session was summed up yet. It happens after a session of three prompts or more; `/memory consolidate` does it now.';
  return summaries
    .map(({ threadId, at, text }) => {
      const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('## '));
      return `**${isoTime(at).slice(0, 10)}** \`${plain(threadId)}\`\n${lines.map(plain).join('\n')}`;
    })
    .join('\n\n');
}

export function consolidatedText({ stored, near }: Extract<Consolidated, { kind: 'noted' }>): string {
  if (stored.length === 0) return 'The session is summed up (`/memory history`); it taught nothing new.';
  const doubts = near.map(
    ([entry, older]) => `- ${entry.id} may contradict ${older.id}: \`/memory delete\` the one that is wrong`,
  );
  return [`Remembered of this session:\n${entriesText(stored)}`, ...doubts].join('\n');
}

/** Text of others on one line, without what Markdown would read. */
function plain(text: string): string {
  return cleanText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>]/g, '\\$&');
}

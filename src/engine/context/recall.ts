import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Message, MessagePart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { Recall, RecallFind } from '#protocol/tool.ts';
import { shortCallId } from '#providers/history/call-ids.ts';
import { oneLine, resultText, whoOf } from './transcript.ts';

/** One message or tool result, as it was. */
type Entry = { id: string; vendorId?: string | undefined; source: string; text: string; isRecall: boolean };

const excerptChars = 240;
/** Outputs that were too long for the log lie in files; so many bytes of them are searched. */
const maxFileChars = 20_000_000;

/** Looks into everything that a thread holds, whatever of it the model still gets. */
export function createRecall({ state, filesDir }: { state(): ThreadState; filesDir: string }): Recall {
  return {
    async search(query, { limit }) {
      const words = wordsOf(query);
      if (words.length === 0) return { finds: [], total: 0 };
      const found: (RecallFind & { score: number; at: number })[] = [];
      let fileChars = 0;
      for (const [at, entry] of entriesOf(state().messages).entries()) {
        // What it found before would only be found again.
        if (entry.isRecall) continue;
        const whole = fileChars < maxFileChars ? await stored(entry, filesDir) : undefined;
        fileChars += whole?.length ?? 0;
        const text = whole ?? entry.text;
        const score = scoreOf(text, { query, words });
        const { id, source } = entry;
        if (score > 0) found.push({ id, source, excerpt: excerpt(text, { query, words }), score, at });
      }
      // What is newer is more likely to be true still.
      found.sort((one, other) => other.score - one.score || other.at - one.at);
      return { finds: found.slice(0, limit), total: found.length };
    },
    async fetch(id) {
      const entries = entriesOf(state().messages);
      const entry = entries.find((each) => each.id === id) ?? entries.findLast((each) => isSeenAs(each, id));
      return entry && { source: entry.source, text: (await stored(entry, filesDir)) ?? entry.text };
    },
  };
}

function entriesOf(messages: readonly Message[]): Entry[] {
  return messages
    .filter(({ role, origin }) => role !== 'notice' && origin !== 'engine')
    .flatMap((message) => [...textEntry(message), ...message.parts.flatMap(callEntry)]);
}

function textEntry(message: Message): Entry[] {
  const text = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  if (text.trim() === '') return [];
  return [{ id: message.id, source: `said by: ${whoOf(message)}`, text, isRecall: false }];
}

function callEntry(part: MessagePart): Entry[] {
  if (part.kind !== 'tool-call') return [];
  const asked = oneLine(JSON.stringify(part.input), 100_000);
  const title = oneLine(part.title ?? asked, 120);
  return [
    {
      id: part.callId,
      vendorId: part.vendorCallId,
      source: `call of ${part.tool} ${title} (${part.result?.status ?? 'no result'})`,
      text: `${asked}\n${resultText(part)}`,
      isRecall: part.tool === 'recall',
    },
  ];
}

/** Whether the model sees a call by this id in its messages. */
function isSeenAs({ id, vendorId }: Entry, asked: string): boolean {
  return vendorId === asked || shortCallId(id) === asked;
}

/** The whole output of a call whose result was cut. In a copy of a thread the result still names the old folder. */
async function stored({ id, text }: Entry, filesDir: string): Promise<string | undefined> {
  const name = `${path.basename(id)}.txt`;
  if (!text.includes(name)) return undefined;
  return readFile(path.join(filesDir, name), 'utf8').catch(() => undefined);
}

function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/))].filter((word) => word !== '').slice(0, 16);
}

/** 0 = less than half of the words are in it; the query as it stands counts most. */
function scoreOf(text: string, { query, words }: { query: string; words: readonly string[] }): number {
  const low = text.toLowerCase();
  if (low.includes(query.trim().toLowerCase())) return words.length + 1;
  const hits = words.filter((word) => low.includes(word)).length;
  return hits * 2 >= words.length ? hits : 0;
}

function excerpt(text: string, { query, words }: { query: string; words: readonly string[] }): string {
  const low = text.toLowerCase();
  const places = [query.trim().toLowerCase(), ...words.toSorted((one, other) => other.length - one.length)]
    .map((word) => low.indexOf(word))
    .filter((at) => at >= 0);
  const at = Math.min(places[0] ?? 0, text.length);
  const start = Math.max(0, at - excerptChars / 2);
  const end = Math.min(text.length, at + excerptChars);
  const piece = text.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`;
}

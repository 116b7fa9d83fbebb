import { readThread } from '#engine/thread/store.ts';
import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { isoTime } from '#lib/iso-time.ts';
import { lockFolder } from '#lib/lock-folder.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { readConsolidation } from '#memory/entries/read-consolidation.ts';
import { addSummary, readSummary, summariesFolder } from '#memory/entries/summaries.ts';
import type { MemoryEntry } from '#protocol/memory.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { askOnce } from '../ask-once.ts';
import type { Composition } from '../compose.ts';
import prompt from './consolidate.md';
import { promptsOf, promptsWorthNoting } from './prompts.ts';
import { sessionRecord } from './session-record.ts';

const staleLockMs = 300_000;

export type Consolidated =
  | { kind: 'noted'; stored: readonly MemoryEntry[]; near: readonly (readonly [MemoryEntry, MemoryEntry])[] }
  | { kind: 'nothing'; why: string };

type Parts = Pick<Composition, 'memory' | 'catalogue' | 'home' | 'settings' | 'spending'>;

/**
 * Notes what a session taught: facts into memory, where known ones are passed over, and a summary that is added to
 * what was noted of the thread before. Nothing is overwritten. One at a time in a project.
 */
export async function consolidate(
  parts: Parts,
  {
    threadId,
    isAsked,
    clock,
    signal,
  }: { threadId: string; isAsked: boolean; clock: Clock; signal: AbortSignal },
): Promise<Consolidated> {
  const { memory, home } = parts;
  if (!memory) return { kind: 'nothing', why: 'memory is off' };
  const folder = summariesFolder(memory.folder);
  makeFolder(folder);
  const release = await lock(folder);
  try {
    const { state } = await readThread(home, threadId);
    const prompts = promptsOf(state);
    const before = await readSummary(folder, threadId);
    if (prompts < (isAsked ? 1 : promptsWorthNoting)) return { kind: 'nothing', why: 'too little was said' };
    if (before && before.prompts >= prompts)
      return { kind: 'nothing', why: 'it was noted already, and nothing was said since' };
    const ref = await modelFor(parts, { own: state.model, isAsked });
    if (!ref)
      return {
        kind: 'nothing',
        why: 'no model that costs nothing is at hand; model_routing.memory names one',
      };
    const known = (await memory.project.list()).map(({ id, text }) => `[${id}] ${text}`).join('\n');
    const text = `Known entries:\n${known || '(none)'}\n\nThe record:\n${sessionRecord(state)}`;
    const answer = await askOnce(
      { ...parts, clock },
      { ref, system: prompt, text, purpose: 'memory', signal },
    );
    const noted = readConsolidation(answer);
    if (!noted)
      throw new LlmcodeError('memory-unclear', `${ref.model} did not answer in the form that was asked for.`);
    const stored: MemoryEntry[] = [];
    const near: [MemoryEntry, MemoryEntry][] = [];
    for (const entry of noted.entries) {
      const result = await memory.project.store({ ...entry, origin: 'session', threadId });
      if (result.kind !== 'stored') continue;
      stored.push(result.entry);
      for (const older of result.near) near.push([result.entry, older]);
    }
    const open =
      noted.open.length > 0 ? `\n\nLeft open:\n${noted.open.map((line) => `- ${line}`).join('\n')}` : '';
    const at = clock.now();
    const body = `## ${isoTime(at).slice(0, 10)}\n\n${noted.summary}${open}`;
    await addSummary(folder, { threadId, at, prompts, text: body });
    return { kind: 'noted', stored, near };
  } finally {
    await release();
  }
}

/** Unasked, a session is not noted by a model that costs something, unless the person said so. */
async function modelFor(
  { catalogue, settings }: Parts,
  { own, isAsked }: { own: ModelRef | null; isAsked: boolean },
): Promise<ModelRef | undefined> {
  const [routed] = await catalogue.route('memory');
  if (routed) return routed;
  if (!own) return undefined;
  if (isAsked || settings.values.memory.consolidate === 'on') return own;
  const { local, price } = await catalogue.info(own);
  return local || (price && price.value.input === 0 && price.value.output === 0) ? own : undefined;
}

async function lock(folder: string): Promise<() => Promise<void>> {
  try {
    return await lockFolder(folder, { staleMs: staleLockMs, retries: 3, waitMs: 500 });
  } catch (cause) {
    throw new LlmcodeError('memory-busy', `Another session is noting what it taught: ${errorText(cause)}`, {
      cause,
    });
  }
}

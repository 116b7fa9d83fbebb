import { cues, profiles, type TaskKind, taskKinds } from './task-kinds.ts';

/** What a request was taken for. */
export type TaskGuess = {
  /** null: nothing speaks clearly for one kind, and everything is loaded. */
  kind: TaskKind | null;
  /** Share of the words found that speak for the kind, 0 to 1; of a kind that was kept, what it had. */
  confidence: number;
  /** The words that spoke for it. */
  words: readonly string[];
  /** True: the request says nothing by itself ("yes, do it"), and goes on with what it was about. */
  isKept: boolean;
};

/** A request this long is pasted text, and says at its beginning what is wanted. */
const maxChars = 4_000;

/** `before`: what the request before this one was taken for; null at the beginning of a thread. */
export function classifyRequest(
  text: string,
  before: TaskGuess | null,
  { threshold }: { threshold: number },
): TaskGuess {
  const asked = text.slice(0, maxChars).normalize('NFC').toLowerCase();
  const hits = taskKinds.map((kind) => ({ kind, words: wordsIn(asked, profiles[kind].words) }));
  const total = hits.reduce((sum, { words }) => sum + words.length, 0);
  if (total === 0) return before ? { ...before, words: [], isKept: true } : nothingClear;
  const [best, second] = hits.toSorted((one, two) => rank(two) - rank(one));
  if (!best) return nothingClear;
  const confidence = best.words.length / (total - generalHits(hits, best.kind));
  const isTie = second !== undefined && rank(second) === rank(best);
  if (isTie || confidence < threshold) return { ...nothingClear, confidence };
  return { kind: best.kind, confidence, words: best.words, isKept: false };
}

/** Tools that a request may bring: `all` that wait, and those of them that are there where nothing is clear. */
export type WaitingTools = { all: readonly string[]; usual: readonly string[] };

/** Tools that stand ready for a request: those of its kind, and those that it names or needs by itself. */
export function toolsFor(text: string, { kind }: TaskGuess, waiting: WaitingTools): string[] {
  const asked = text.slice(0, maxChars).toLowerCase();
  const named = waiting.all.filter((name) => name.includes('_') && asked.includes(name.toLowerCase()));
  const needed = cues.flatMap(({ words, tools }) => (asked.search(words) >= 0 ? tools : []));
  const usual = kind === null ? waiting.usual : profiles[kind].tools;
  return [...new Set([...named, ...needed, ...usual])];
}

const nothingClear: TaskGuess = { kind: null, confidence: 0, words: [], isKept: false };

type Hits = { kind: TaskKind; words: readonly string[] };

/** "Write a test" is testing: words of making speak only where nothing else does; small talk least of all. */
function rank({ kind, words }: Hits): number {
  if (words.length === 0) return 0;
  if (kind === 'coding') return words.length * 0.5;
  return kind === 'conversation' ? words.length * 0.25 : words.length;
}

/** Words of making that stand beside those of another kind do not speak against it. */
function generalHits(hits: readonly Hits[], best: TaskKind): number {
  return hits
    .filter(({ kind }) => kind !== best && (kind === 'coding' || kind === 'conversation'))
    .reduce((sum, { words }) => sum + words.length, 0);
}

function wordsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([word]) => word))];
}

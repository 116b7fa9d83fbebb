import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { Span } from '../theme/span.ts';
import type { ThemeToken } from '../theme/tokens.ts';
import { type Language, languageNamed } from './languages.ts';
import type { Highlight } from './markdown-context.ts';

export type HighlightRequest = { id: number; code: string; language: Language };
/** `lines` null = the code stays plain. */
export type HighlightReply = { id: number; lines: (readonly (readonly [string, ThemeToken])[])[] | null };

export interface Highlighter {
  /** Answers from what is known. */
  readonly highlight: Highlight;
  /** Has the code highlighted, unless that was asked for before. */
  ask(code: string, language: string): void;
  /** Rises when all that was asked for is there. */
  version(): number;
  onReady(listener: () => void): () => void;
  close(): void;
}

const longestCode = 60_000;
const keptTexts = 200;
const patienceMs = 10_000;

type CodeLines = readonly (readonly Span[])[];

/** Nothing of the grammars is loaded before the first code that is to be highlighted. */
export function createHighlighter(options: { clock?: Clock } = {}): Highlighter {
  return new WorkerHighlighter(options.clock ?? systemClock);
}

class WorkerHighlighter implements Highlighter {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** undefined = asked for; null = stays plain. */
  readonly #texts = new Map<string, CodeLines | null | undefined>();
  readonly #asked = new Map<number, string>();
  #worker: Promise<Worker> | undefined;
  #isBroken = false;
  #version = 0;
  #nextId = 1;
  #cancelPatience: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly highlight: Highlight = (code, word) => {
    const language = languageNamed(word);
    if (!language || code.length > longestCode || this.#isBroken) return plainLines(code);
    const known = this.#texts.get(keyOf(language, code));
    return known === null ? plainLines(code) : known;
  };

  ask(code: string, word: string): void {
    const language = languageNamed(word);
    if (!language || this.#isBroken) return;
    const key = keyOf(language, code);
    if (!this.#texts.has(key)) this.#ask(key, { language, code });
  }

  version(): number {
    return this.#version;
  }

  onReady(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#cancelPatience?.();
    this.#listeners.clear();
    this.#isBroken = true;
    this.#stop();
  }

  #ask(key: string, { language, code }: { language: Language; code: string }): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#asked.set(id, key);
    this.#remember(key, undefined);
    this.#cancelPatience ??= this.#clock.after(patienceMs, () => this.#give(new Error('it takes too long')));
    this.#worker ??= this.#start();
    const request: HighlightRequest = { id, code, language };
    this.#worker.then((worker) => worker.postMessage(request)).catch((error: unknown) => this.#give(error));
  }

  async #start(): Promise<Worker> {
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(workerFile(), { stdout: true, stderr: true, env: {} });
    worker.unref();
    worker.on('message', (reply: HighlightReply) => this.#take(reply));
    worker.on('error', (error) => this.#give(error));
    return worker;
  }

  #take({ id, lines }: HighlightReply): void {
    const key = this.#asked.get(id);
    if (key === undefined) return;
    this.#asked.delete(id);
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
    if (this.#asked.size > 0)
      this.#cancelPatience = this.#clock.after(patienceMs, () => this.#give(new Error('it takes too long')));
    const spans = lines?.map((line) => line.map(([text, token]) => ({ text, style: styleOf(token) })));
    this.#remember(key, spans ?? null);
    if (this.#asked.size === 0) this.#tell();
  }

  /** Code stays plain from here on; the screen goes on without colours. */
  #give(error: unknown): void {
    log('highlighting stopped:', errorText(error));
    this.#isBroken = true;
    this.#cancelPatience?.();
    this.#asked.clear();
    this.#texts.clear();
    this.#stop();
    this.#tell();
  }

  #stop(): void {
    this.#worker
      ?.then((worker) => worker.terminate())
      .catch((error: unknown) => log('highlighter:', errorText(error)));
    this.#worker = undefined;
  }

  #remember(key: string, lines: CodeLines | null | undefined): void {
    this.#texts.delete(key);
    this.#texts.set(key, lines);
    if (this.#texts.size <= keptTexts) return;
    for (const [old, value] of this.#texts) {
      if (value === undefined) continue;
      this.#texts.delete(old);
      return;
    }
  }

  #tell(): void {
    this.#version += 1;
    for (const listener of [...this.#listeners]) listener();
  }
}

const styles = new Map<ThemeToken, { token: ThemeToken }>();

function styleOf(token: ThemeToken): { token: ThemeToken } {
  const known = styles.get(token);
  if (known) return known;
  const style = { token };
  styles.set(token, style);
  return style;
}

function keyOf(language: Language, code: string): string {
  return `${language}\n${code}`;
}

function plainLines(code: string): CodeLines {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text, style: styleOf('codeText') }]));
}

/** As source beside this file; in a build beside the file that this ends up in, or one folder up. */
function workerFile(): URL {
  const places = [
    new URL('./highlight-worker.ts', import.meta.url),
    new URL('./highlight-worker.js', import.meta.url),
    new URL('../highlight-worker.js', import.meta.url),
  ];
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error('the highlighter is not part of this build');
  return found;
}

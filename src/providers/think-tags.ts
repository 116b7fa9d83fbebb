export type ThinkSegment =
  | { kind: 'text' | 'reasoning'; text: string }
  /** A closing tag without an opening one: all text so far was reasoning (the chat template ate the tag). */
  | { kind: 'retract' };

const names = ['think', 'thinking'] as const;
const openTags = names.map((name) => `<${name}>`);
const closeTags = names.map((name) => `</${name}>`);

/**
 * Takes reasoning out of a text that holds it between think tags. Only tags at the very beginning open: later on
 * a tag is most likely quoted. Incremental; where the text is cut makes no difference to the whole.
 */
export class ThinkTagSplitter {
  #state: 'begin' | 'opened' | 'thinking' | 'closed' | 'text' = 'begin';
  #waiting = '';
  #closeTag = '';
  #canRetract = true;
  #isInCode = false;
  #isAfterQuote = false;

  push(piece: string): ThinkSegment[] {
    this.#waiting += piece;
    const segments: ThinkSegment[] = [];
    while (this.#step(segments, false));
    return segments;
  }

  /** What still waits for the rest of a tag is no tag. */
  end(): ThinkSegment[] {
    const segments: ThinkSegment[] = [];
    while (this.#step(segments, true));
    return segments;
  }

  /** Returns true when there may be more to do with what waits. */
  #step(segments: ThinkSegment[], isEnd: boolean): boolean {
    switch (this.#state) {
      case 'begin':
        return this.#begin(isEnd);
      case 'thinking':
        return this.#thinking(segments, isEnd);
      case 'opened':
        return this.#skipBlank('thinking');
      case 'closed':
        return this.#skipBlank('text');
      case 'text':
        return this.#text(segments, isEnd);
    }
  }

  #begin(isEnd: boolean): boolean {
    const text = this.#waiting.trimStart();
    const tag = openTags.find((open) => text.startsWith(open));
    if (tag) {
      this.#state = 'opened';
      this.#closeTag = `</${tag.slice(1)}`;
      this.#canRetract = false;
      this.#waiting = text.slice(tag.length);
      return true;
    }
    if (!isEnd && openTags.some((open) => open.startsWith(text))) return false;
    this.#state = 'text';
    return this.#waiting !== '';
  }

  /** Blank lines beside a tag belong to neither side. */
  #skipBlank(next: 'thinking' | 'text'): boolean {
    this.#waiting = this.#waiting.trimStart();
    if (this.#waiting === '') return false;
    this.#state = next;
    return true;
  }

  #thinking(segments: ThinkSegment[], isEnd: boolean): boolean {
    const at = this.#waiting.indexOf(this.#closeTag);
    if (at !== -1) {
      add(segments, 'reasoning', this.#waiting.slice(0, at).trimEnd());
      this.#waiting = this.#waiting.slice(at + this.#closeTag.length);
      this.#state = 'closed';
      return true;
    }
    this.#flush(segments, { kind: 'reasoning', tags: [this.#closeTag], isEnd });
    return false;
  }

  #text(segments: ThinkSegment[], isEnd: boolean): boolean {
    const close = this.#canRetract ? firstTag(this.#waiting) : undefined;
    if (close) {
      const before = this.#waiting.slice(0, close.at);
      this.#waiting = this.#waiting.slice(before.length + close.tag.length);
      this.#say(segments, before);
      if (this.#isQuoting) {
        this.#say(segments, close.tag);
        return true;
      }
      segments.push({ kind: 'retract' });
      this.#canRetract = false;
      this.#state = 'closed';
      return true;
    }
    this.#flush(segments, { kind: 'text', tags: this.#canRetract ? closeTags : [], isEnd });
    return false;
  }

  #say(segments: ThinkSegment[], text: string): void {
    add(segments, 'text', text);
    if (!this.#canRetract || text === '') return;
    const backticks = text.length - text.replaceAll('`', '').length;
    if (backticks % 2 === 1) this.#isInCode = !this.#isInCode;
    this.#isAfterQuote = text.endsWith('"') || text.endsWith("'");
  }

  /** A tag in code or right after a quotation mark is spoken about, not meant. */
  get #isQuoting(): boolean {
    return this.#isInCode || this.#isAfterQuote;
  }

  /** Gives out all but an end that may be the beginning of a tag. */
  #flush(
    segments: ThinkSegment[],
    { kind, tags, isEnd }: { kind: 'text' | 'reasoning'; tags: readonly string[]; isEnd: boolean },
  ): void {
    const tail = isEnd ? 0 : Math.max(0, ...tags.map((tag) => overlap(this.#waiting, tag)));
    const whole = this.#waiting.slice(0, this.#waiting.length - tail);
    const given = kind === 'reasoning' ? whole.trimEnd() : whole;
    if (kind === 'text') this.#say(segments, given);
    else add(segments, kind, given);
    this.#waiting = isEnd ? '' : this.#waiting.slice(given.length);
  }
}

function add(segments: ThinkSegment[], kind: 'text' | 'reasoning', text: string): void {
  if (text !== '') segments.push({ kind, text });
}

function firstTag(text: string): { at: number; tag: string } | undefined {
  const found = closeTags
    .map((tag) => ({ at: text.indexOf(tag), tag }))
    .filter(({ at }) => at !== -1)
    .sort((one, two) => one.at - two.at);
  return found[0];
}

/** How many characters at the end of `text` are a beginning of `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

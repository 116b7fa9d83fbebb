/** Literals of which the first one to come ends a piece of text. */
export type Stop = { pattern: RegExp; literals: readonly string[] };

export function stopAt(...literals: readonly string[]): Stop {
  return { pattern: new RegExp(literals.map(escaped).join('|'), 'g'), literals };
}

/**
 * Text that arrives in pieces and is read as if it were whole: what needs more than there is yields until it came.
 * Only what nobody took yet is kept, so that the cost does not grow with the message.
 */
export class Source {
  #rest = '';
  #at = 0;
  #isEnded = false;
  #record: string[] | undefined;

  feed(piece: string): void {
    this.#rest = this.#rest.slice(this.#at) + piece;
    this.#at = 0;
  }

  finish(): void {
    this.#isEnded = true;
  }

  get available(): number {
    return this.#rest.length - this.#at;
  }

  /** The next character, or one further on; '' when it is not there. */
  char(offset = 0): string {
    return this.#rest[this.#at + offset] ?? '';
  }

  take(count: number): string {
    const text = this.#rest.slice(this.#at, this.#at + count);
    this.#at += text.length;
    this.#record?.push(text);
    return text;
  }

  /** Notes all that is taken from now on. */
  record(): void {
    this.#record = [];
  }

  /** What was taken since `record`. */
  recorded(): string {
    const text = (this.#record ?? []).join('');
    this.#record = undefined;
    return text;
  }

  /** Everything that is not yet given back in some form: the running record, and what nobody took. */
  leftover(): string {
    return (this.#record ?? []).join('') + this.#rest.slice(this.#at);
  }

  *has(count = 1): Generator<void, boolean> {
    while (this.available < count && !this.#isEnded) yield;
    return this.available >= count;
  }

  /** The longest of these literals that stands here. */
  *match(literals: readonly string[]): Generator<void, string | undefined> {
    let open = literals;
    let found: string | undefined;
    while (true) {
      open = open.filter((literal) => this.#agrees(literal));
      const whole = open.filter((literal) => literal.length <= this.available);
      found = whole.reduce((one, two) => (two.length > one.length ? two : one), found ?? '') || undefined;
      open = open.filter((literal) => literal.length > this.available);
      if (open.length === 0 || this.#isEnded) return found;
      yield;
    }
  }

  /** Takes the longest of these literals, when one stands here. */
  *skip(...literals: readonly string[]): Generator<void, string | undefined> {
    const found = yield* this.match(literals);
    if (found !== undefined) this.take(found.length);
    return found;
  }

  /** Takes the characters of a sticky pattern for one character; at most `limit` of them. */
  *takeWhile(pattern: RegExp, limit = Number.POSITIVE_INFINITY): Generator<void, string> {
    const parts: string[] = [];
    let count = 0;
    while (count < limit && (yield* this.has())) {
      let length = 0;
      while (length < this.available && count + length < limit && pattern.test(this.char(length)))
        length += 1;
      if (length === 0) break;
      count += length;
      parts.push(this.take(length));
    }
    return parts.join('');
  }

  blank(): Generator<void, string> {
    return this.takeWhile(/\s/);
  }

  /** Whether `pattern`, made for one character, fits the next one. */
  *isNext(pattern: RegExp): Generator<void, boolean> {
    return (yield* this.has()) && pattern.test(this.char());
  }

  /** Takes what is there up to a character of this global pattern; '' when one stands here. */
  takePlain(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#rest);
    return this.take((found?.index ?? this.#rest.length) - this.#at);
  }

  /** Hands on what comes before the stop as it arrives; false when the text ended first. */
  *stream({ pattern, literals }: Stop, onText: (text: string) => void): Generator<void, boolean> {
    while (true) {
      pattern.lastIndex = this.#at;
      const found = pattern.exec(this.#rest);
      if (found) {
        if (found.index > this.#at) onText(this.take(found.index - this.#at));
        return true;
      }
      const tail = this.#isEnded ? 0 : Math.max(...literals.map((literal) => this.#overlap(literal)));
      const free = this.available - tail;
      if (free > 0) onText(this.take(free));
      if (this.#isEnded) return false;
      yield;
    }
  }

  /** The text before the stop; undefined when the whole ended first. */
  *until(stop: Stop): Generator<void, string | undefined> {
    const parts: string[] = [];
    const isFound = yield* this.stream(stop, (text) => parts.push(text));
    return isFound ? parts.join('') : undefined;
  }

  #agrees(literal: string): boolean {
    const length = Math.min(literal.length, this.available);
    return literal.startsWith(this.#rest.slice(this.#at, this.#at + length));
  }

  /** How many characters at the end of what is there are a beginning of `literal`. */
  #overlap(literal: string): number {
    for (let length = Math.min(this.available, literal.length - 1); length > 0; length -= 1) {
      if (this.#rest.endsWith(literal.slice(0, length))) return length;
    }
    return 0;
  }
}

function escaped(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Splits the text of a body into the data of its events, whatever pieces it comes in. Server-sent events:
 * `data:` lines up to a blank line, comments dropped, CRLF and LF alike. Line-delimited: each line is one.
 */
export class EventScanner {
  #rest = '';
  #data: string[] = [];
  readonly #isLineDelimited: boolean;

  constructor({ isLineDelimited }: { isLineDelimited: boolean }) {
    this.#isLineDelimited = isLineDelimited;
  }

  push(text: string): string[] {
    const events: string[] = [];
    const whole = this.#rest + text;
    let start = 0;
    for (let end = whole.indexOf('\n'); end !== -1; end = whole.indexOf('\n', start)) {
      this.#line(whole.slice(start, whole[end - 1] === '\r' && end > start ? end - 1 : end), events);
      start = end + 1;
    }
    this.#rest = whole.slice(start);
    return events;
  }

  /** The last event of a body that ends without its blank line. */
  end(): string[] {
    const events = this.push('\n');
    this.#line('', events);
    return events;
  }

  #line(line: string, events: string[]): void {
    if (this.#isLineDelimited) {
      if (line.trim() !== '') events.push(line);
      return;
    }
    if (line === '') {
      if (this.#data.length > 0) events.push(this.#data.join('\n'));
      this.#data = [];
      return;
    }
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
  }
}

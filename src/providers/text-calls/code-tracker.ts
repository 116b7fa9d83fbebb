/** Marks after which a piece of markup is spoken about, not meant. */
const quotes = '"\'“‘«「';

type Run = { char: string; count: number; isLineStart: boolean };

/** Follows Markdown as it streams, to tell code and quotations from what the model means itself. */
export class CodeTracker {
  #fence: { char: string; count: number } | undefined;
  /** A closing fence counts once nothing else follows on its line. */
  #isClosing = false;
  /** Length of the backticks that opened inline code; 0 = none is open. */
  #inline = 0;
  #run: Run | undefined;
  #isLineBlank = true;
  #isQuoteLine = false;
  #last = '';

  push(text: string): void {
    for (const char of text) this.#next(char);
    this.#last = text.at(-1) ?? this.#last;
  }

  /** Whether something other than a backtick that stood here would be quoted. */
  get isQuoting(): boolean {
    this.#endRun();
    return (
      this.#fence !== undefined ||
      this.#inline > 0 ||
      this.#isQuoteLine ||
      (this.#last !== '' && quotes.includes(this.#last))
    );
  }

  #next(char: string): void {
    if (char === '`' || char === '~') {
      if (this.#run?.char !== char) {
        this.#endRun();
        this.#run = { char, count: 0, isLineStart: this.#isLineBlank };
      }
      this.#run.count += 1;
      this.#isLineBlank = false;
      return;
    }
    this.#endRun();
    if (char === '\n') this.#endLine();
    else if (char !== ' ' && char !== '\t' && char !== '\r') {
      this.#isClosing = false;
      if (char === '>' && this.#isLineBlank && !this.#fence) this.#isQuoteLine = true;
      this.#isLineBlank = false;
    }
  }

  #endLine(): void {
    if (this.#isClosing) this.#fence = undefined;
    // Inline code does not reach past its paragraph, so a stray backtick does no harm for long.
    if (this.#isLineBlank) this.#inline = 0;
    this.#isClosing = false;
    this.#isLineBlank = true;
    this.#isQuoteLine = false;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (!run) return;
    if (run.isLineStart && run.count >= 3) {
      if (!this.#fence) this.#fence = { char: run.char, count: run.count };
      else this.#isClosing = this.#fence.char === run.char && run.count >= this.#fence.count;
    } else if (!this.#fence && run.char === '`') {
      if (this.#inline === 0) this.#inline = run.count;
      else if (this.#inline === run.count) this.#inline = 0;
    }
  }
}

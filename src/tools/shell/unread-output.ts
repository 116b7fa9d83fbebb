import { unfinishedLength } from '#lib/terminal-text.ts';

const mostChars = 200_000;

/** What a command has said since it was last read, in bounded memory: of too much the newest is kept. */
export class UnreadOutput {
  #pieces: string[] = [];
  #chars = 0;
  #dropped = 0;

  get isEmpty(): boolean {
    return this.#chars === 0;
  }

  push(text: string): void {
    this.#pieces.push(text);
    this.#chars += text.length;
    if (this.#chars > mostChars * 2) this.#shorten();
  }

  /** `isOver`: nothing comes any more. Else half of an escape sequence waits for its other half. */
  take({ isOver }: { isOver: boolean }): { text: string; droppedChars: number } {
    this.#shorten();
    const all = this.#pieces.join('');
    const end = isOver ? all.length : all.length - unfinishedLength(all);
    const rest = all.slice(end);
    const droppedChars = this.#dropped;
    this.#pieces = rest === '' ? [] : [rest];
    this.#chars = rest.length;
    this.#dropped = 0;
    return { text: all.slice(0, end), droppedChars };
  }

  #shorten(): void {
    if (this.#chars <= mostChars) return;
    const all = this.#pieces.join('');
    // At a line where there is one near, else at a whole character.
    const cut = all.length - mostChars;
    const line = all.indexOf('\n', cut);
    const from = line !== -1 && line - cut < 2_000 ? line + 1 : cut;
    const kept = all.slice(from).replace(/^[\udc00-\udfff]/, '');
    this.#dropped += all.length - kept.length;
    this.#pieces = [kept];
    this.#chars = kept.length;
  }
}

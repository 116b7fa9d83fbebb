import { errnoOf } from '#lib/errors.ts';
import { jsonText } from '#lib/json-text.ts';

/** Writes to a stream that may be slow or closed by its reader, e.g. by `head -1`. */
export class LineWriter {
  readonly #stream: NodeJS.WriteStream;
  readonly #onClosed: () => void;
  #isClosed = false;
  #error: unknown;

  /** `onClosed` is called once when nobody reads any more; that is no failure of ours. */
  constructor(stream: NodeJS.WriteStream, options: { onClosed: () => void }) {
    this.#stream = stream;
    this.#onClosed = options.onClosed;
    stream.on('error', (error) => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      if (errnoOf(error) !== 'EPIPE') this.#error = error;
      this.#onClosed();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What else went wrong with the stream, e.g. a full disk behind it. */
  get error(): unknown {
    return this.#error;
  }

  /** Resolves when the stream takes more. */
  async write(text: string): Promise<void> {
    if (this.#isClosed || this.#stream.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#stream.off('drain', done);
        this.#stream.off('error', done);
        this.#stream.off('close', done);
        resolve();
      };
      this.#stream.on('drain', done);
      this.#stream.on('error', done);
      this.#stream.on('close', done);
    });
  }

  async line(value: unknown): Promise<void> {
    await this.write(`${jsonText(value)}\n`);
  }
}

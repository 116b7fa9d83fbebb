import type { Readable } from 'node:stream';
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  type Message,
} from 'vscode-jsonrpc/node.js';

const maxHeaderBytes = 4_096;
const maxMessageBytes = 32_000_000;
const headerEnd = Buffer.from('\r\n\r\n');

/**
 * Reads framed messages and gives up on a server that says more than can be held: the reader of the library believes
 * any length. The connection is over after the first message that cannot be read.
 */
export class BoundedReader extends AbstractMessageReader {
  readonly #source: Readable;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Bytes of the message that is being read; undefined while a header is. */
  #wanted: number | undefined;
  #isBroken = false;

  constructor(source: Readable) {
    super();
    this.#source = source;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer) => {
      if (this.#isBroken) return;
      this.#chunks.push(chunk);
      this.#held += chunk.length;
      try {
        // A long message is put together once, not with each piece of it.
        if (this.#held >= (this.#wanted ?? 0)) this.#take(callback);
      } catch (error) {
        this.#isBroken = true;
        this.#chunks = [];
        this.fireError(error);
      }
    };
    const onClose = () => this.fireClose();
    this.#source.on('data', onData);
    this.#source.once('close', onClose);
    return { dispose: () => void this.#source.off('data', onData).off('close', onClose) };
  }

  #take(callback: DataCallback): void {
    let bytes = Buffer.concat(this.#chunks);
    for (;;) {
      if (this.#wanted === undefined) {
        const end = bytes.indexOf(headerEnd);
        if (end > maxHeaderBytes || (end < 0 && bytes.length > maxHeaderBytes))
          throw new Error('it does not speak the language server protocol');
        if (end < 0) break;
        this.#wanted = lengthIn(bytes.toString('latin1', 0, end));
        bytes = bytes.subarray(end + headerEnd.length);
      }
      if (bytes.length < this.#wanted) break;
      const text = bytes.toString('utf8', 0, this.#wanted);
      bytes = bytes.subarray(this.#wanted);
      this.#wanted = undefined;
      callback(messageOf(text));
    }
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#held = bytes.length;
  }
}

function lengthIn(header: string): number {
  const length = Number(/^content-length: *(\d{1,15})$/im.exec(header)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error('it sent a message without a length');
  if (length > maxMessageBytes)
    throw new Error(`it announced a message of ${length} bytes, which is too much`);
  return length;
}

function messageOf(text: string): Message {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value))
    throw new Error('it sent something that is no message');
  return { ...value, jsonrpc: String(value.jsonrpc) };
}

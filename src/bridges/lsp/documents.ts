import { pathToFileURL } from 'node:url';
import { hashBytes } from '#lib/file-hash.ts';
import { displayPath } from '#lib/paths.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import { decodeText } from '#lib/text-file.ts';
import { lspError } from './lsp-error.ts';

type Document = { version: number; hash: string };

const maxBytes = 4_000_000;
/** Servers keep all of an open file in memory. */
const maxOpen = 100;

/** What a server was told of the files: those that a question was about stay open, and follow the disk. */
export class Documents {
  readonly #root: string;
  readonly #languageOf: (file: string) => string;
  readonly #notify: (method: string, params: object) => Promise<void>;
  readonly #open = new Map<string, Document>();

  constructor(
    root: string,
    languageOf: (file: string) => string,
    notify: (method: string, params: object) => Promise<void>,
  ) {
    this.#root = root;
    this.#languageOf = languageOf;
    this.#notify = notify;
  }

  version(file: string): number | undefined {
    return this.#open.get(file)?.version;
  }

  isOpen(file: string): boolean {
    return this.#open.has(file);
  }

  /** Tells of the file as it is now, and of every open file that has changed. Gives its text. */
  async sync(file: string): Promise<{ text: string; isChanged: boolean }> {
    for (const other of [...this.#open.keys()]) {
      if (other !== file) await this.#refresh(other).catch(() => this.#close(other));
    }
    return this.#refresh(file);
  }

  async #refresh(file: string): Promise<{ text: string; isChanged: boolean }> {
    const read = await readRegularFile(file, { maxBytes });
    const shown = displayPath(file, this.#root);
    if ('kind' in read) throw lspError('lsp_not_found', `${shown} ${problemText(read)}`);
    const decoded = decodeText(read.bytes);
    if (decoded.kind === 'binary' || decoded.kind === 'foreign')
      throw lspError('lsp_not_found', `${shown} is no text in an encoding that is read here.`);
    const { text } = decoded;
    const hash = hashBytes(read.bytes);
    const known = this.#open.get(file);
    if (known?.hash === hash) return { text, isChanged: false };
    const uri = pathToFileURL(file).href;
    const version = (known?.version ?? 0) + 1;
    this.#open.delete(file);
    this.#open.set(file, { version, hash });
    if (known) {
      await this.#notify('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
      await this.#notify('textDocument/didSave', { textDocument: { uri } });
    } else {
      const languageId = this.#languageOf(file);
      await this.#notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) await this.#close(oldest);
    return { text, isChanged: true };
  }

  async #close(file: string): Promise<void> {
    this.#open.delete(file);
    await this.#notify('textDocument/didClose', { textDocument: { uri: pathToFileURL(file).href } });
  }
}

// The heavy part, a chunk of its own: loaded with the first question.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
} from 'vscode-jsonrpc/node.js';
import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { CodePlace, CodeProblem, CodeSymbol, CodeTarget } from '#protocol/languages.ts';
import { BoundedReader } from './bounded-reader.ts';
import { capabilities } from './capabilities.ts';
import { Documents } from './documents.ts';
import type { FoundServer } from './find-servers.ts';
import { languageOf } from './known-servers.ts';
import { locate } from './locate.ts';
import { lspError } from './lsp-error.ts';
import { Published } from './published.ts';
import { SafeWriter } from './safe-writer.ts';
import { type ProcessBook, type ServerProcess, startProcess } from './start-process.ts';
import { placesIn, symbolsIn } from './wire.ts';

export type ServerOptions = {
  found: FoundServer;
  id: string;
  root: string;
  env: Readonly<Record<string, string>>;
  book: ProcessBook | undefined;
  clock: Clock;
  /** Milliseconds. */
  timeouts: { start: number; request: number };
  /** Stops its start. */
  signal: AbortSignal;
  onEnd(why: string): void;
};

type Waiting = { signal: AbortSignal; timeoutMs?: number };

/** One running server of one workspace. */
export class LanguageServer {
  readonly #options: ServerOptions;
  readonly #process: ServerProcess;
  readonly #connection: MessageConnection;
  readonly #documents: Documents;
  readonly #published: Published;
  readonly #ended = Promise.withResolvers<never>();
  #isOver = false;

  static async start(options: ServerOptions): Promise<LanguageServer> {
    const { found, id, root, env, book, clock } = options;
    const started = await startProcess({ ...found, id, cwd: root, env, book, now: clock.now() });
    const server = new LanguageServer(options, started);
    try {
      await server.#initialize();
    } catch (error) {
      await started.end();
      throw error;
    }
    return server;
  }

  private constructor(options: ServerOptions, started: ServerProcess) {
    this.#options = options;
    this.#process = started;
    const { child } = started;
    this.#connection = createMessageConnection(new BoundedReader(child.stdout), new SafeWriter(child.stdin));
    this.#published = new Published(options.clock);
    this.#documents = new Documents(
      options.root,
      (file) => languageOf(path.extname(file), [options.found]) ?? 'plaintext',
      (method, params) => this.#notify(method, params),
    );
    this.#ended.promise.catch(() => undefined); // Only those who wait for an answer care.
    this.#listen();
  }

  async definition(target: CodeTarget, waiting: Waiting): Promise<CodePlace[]> {
    return placesIn(await this.#ask('textDocument/definition', target, waiting));
  }

  async references(target: CodeTarget, waiting: Waiting): Promise<CodePlace[]> {
    const context = { includeDeclaration: true };
    return placesIn(await this.#ask('textDocument/references', target, { ...waiting, context }));
  }

  async symbols(file: string, waiting: Waiting): Promise<CodeSymbol[]> {
    await this.#documents.sync(file);
    const textDocument = { uri: pathToFileURL(file).href };
    return symbolsIn(await this.#request('textDocument/documentSymbol', { textDocument }, waiting), file);
  }

  async findSymbols(query: string, { file, ...waiting }: Waiting & { file: string }): Promise<CodeSymbol[]> {
    await this.#documents.sync(file); // Some know a project only from an open file of it.
    return symbolsIn(await this.#request('workspace/symbol', { query }, waiting));
  }

  /** `before` is what was known of the file until now; undefined when nothing was. */
  async problems(
    file: string,
    options: { signal: AbortSignal; timeoutMs: number; quietMs: number },
  ): Promise<{ problems: CodeProblem[]; before: CodeProblem[] | undefined; isComplete: boolean }> {
    const before = this.#published.of(file);
    const since = this.#published.arrivals(file);
    const { isChanged } = await this.#documents.sync(file);
    const settling = this.#published.settled(file, { since: isChanged ? since : -1, ...options });
    const isComplete = await Promise.race([settling, this.#ended.promise]);
    return { problems: this.#published.of(file) ?? [], before, isComplete };
  }

  async end(): Promise<void> {
    this.#over('it was ended');
    await this.#process.end();
  }

  async #initialize(): Promise<void> {
    const { root, found, timeouts, signal } = this.#options;
    const uri = pathToFileURL(root).href;
    await this.#request(
      'initialize',
      {
        processId: process.pid,
        clientInfo: { name: 'llmcode' },
        rootPath: root,
        rootUri: uri,
        workspaceFolders: [{ uri, name: path.basename(root) }],
        capabilities,
        ...(found.initialization ? { initializationOptions: found.initialization } : {}),
      },
      { signal, timeoutMs: timeouts.start },
    );
    await this.#notify('initialized', {});
  }

  #listen(): void {
    const connection = this.#connection;
    const { root } = this.#options;
    connection.onNotification('textDocument/publishDiagnostics', (params: unknown) =>
      this.#published.take(params, (file) => this.#documents.version(file)),
    );
    connection.onRequest('workspace/configuration', (params: unknown) => settingsFor(params));
    connection.onRequest('workspace/workspaceFolders', () => [
      { uri: pathToFileURL(root).href, name: path.basename(root) },
    ]);
    // What a server wants to change it may not: changes are the model's own, and pass the permission of a write.
    connection.onRequest('workspace/applyEdit', () => ({ applied: false }));
    for (const method of ['client/registerCapability', 'client/unregisterCapability'])
      connection.onRequest(method, () => null);
    for (const method of ['window/workDoneProgress/create', 'window/showMessageRequest'])
      connection.onRequest(method, () => null);
    connection.onError(([error]) => this.#fail(errorText(error)));
    connection.onClose(() => this.#fail('it ended'));
    this.#process.child.once('exit', () => this.#fail('it ended'));
    connection.listen();
  }

  async #ask(
    method: string,
    target: CodeTarget,
    { context, ...waiting }: Waiting & { context?: object },
  ): Promise<unknown> {
    const { text } = await this.#documents.sync(target.file);
    const position = locate(text, target);
    const textDocument = { uri: pathToFileURL(target.file).href };
    return this.#request(method, { textDocument, position, ...(context ? { context } : {}) }, waiting);
  }

  /** Rejects when the server says no, is silent for too long, or ends, and when the person does not want to wait. */
  async #request(method: string, params: object, { signal, timeoutMs }: Waiting): Promise<unknown> {
    const { clock, found, timeouts } = this.#options;
    const limit = timeoutMs ?? timeouts.request;
    const cancel = new CancellationTokenSource();
    const stop = new AbortController();
    const silence = clock.wait(limit, { signal: AbortSignal.any([signal, stop.signal]) }).then(() => {
      if (stop.signal.aborted) return undefined;
      cancel.cancel();
      if (signal.aborted) throw lspError('lsp_aborted', 'The question was interrupted.');
      throw lspError('lsp_timeout', `${found.name} did not answer in ${Math.ceil(limit / 1_000)} seconds.`);
    });
    try {
      const answer = this.#connection.sendRequest(method, params, cancel.token);
      return await Promise.race([answer, silence, this.#ended.promise]);
    } catch (error) {
      if (LlmcodeError.isInstance(error)) throw error;
      throw lspError('lsp_failed', `${found.name}: ${errorText(error)}`, error);
    } finally {
      stop.abort();
    }
  }

  async #notify(method: string, params: object): Promise<void> {
    if (this.#isOver) return;
    // Not awaited: a server that does not read must not hold up who asks; the answer has a limit of time.
    this.#connection.sendNotification(method, params).catch((error: unknown) => this.#fail(errorText(error)));
  }

  #fail(why: string): void {
    if (this.#isOver) return;
    const said = this.#process.lastWords();
    const text = said === '' ? why : `${why}; its last words: ${said}`;
    log(`language server ${this.#options.found.name}:`, text);
    this.#over(text);
    void this.#process.end();
  }

  #over(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { found } = this.#options;
    this.#ended.reject(lspError('lsp_failed', `The language server ${found.name} failed: ${why}`));
    this.#connection.dispose();
    this.#options.onEnd(why);
  }
}

/** No settings of our own: one empty answer for each thing that it asks for. */
function settingsFor(params: unknown): null[] {
  const items: unknown = typeof params === 'object' && params && 'items' in params ? params.items : [];
  return Array.isArray(items) ? items.slice(0, 100).map(() => null) : [];
}

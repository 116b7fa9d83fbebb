import { homedir } from 'node:os';
import { AsyncQueue } from '#lib/async-queue.ts';
import { systemClock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { llmcodeHome } from '#lib/paths.ts';
import type { CommandOutcome } from '#protocol/command.ts';
import type { EngineHandle } from '#protocol/engine-handle.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { SessionFlags } from '../cli/flags.ts';
import type { Composition } from '../compose.ts';
import type { Host } from '../host.ts';
import { keyProblemText } from '../keys-text.ts';
import { promptsOf, promptsWorthNoting } from '../memory/prompts.ts';
import { createKeyFiles, type KeyFiles } from '../settings/key-files.ts';
import { createThemeFiles, ownThemeFolder, projectThemeFolder, type ThemeFiles } from '../theme-files.ts';
import type { Vcr } from '../vcr/vcr.ts';
import { loadSessionWork } from './load-in-steps.ts';
import type { Notice } from './screen-handle.ts';
import { ScreenHandle } from './screen-handle.ts';
import { snapshotOf } from './snapshot.ts';

const settleMs = 100;
const tidyAfterMs = 10_000;

type Parts = { host: Host; flags: SessionFlags; cwd: string; mode: PermissionMode };
type Opened = { handle: EngineHandle; composition: Composition };

/**
 * The one thread that the screen shows and what it is made of. Another thread takes its place as a whole: it is
 * opened first, then the one before is closed. What is heavy is loaded when the first thread is opened.
 */
export class InteractiveSession {
  readonly host: Host;
  readonly flags: SessionFlags;
  readonly home: string;
  readonly themes: ThemeFiles;
  readonly keyFiles: KeyFiles;
  readonly #pushed = new AsyncQueue<CommandOutcome>();
  readonly #needsModel = Promise.withResolvers<boolean>();
  readonly #abort = new AbortController();
  readonly #mode: PermissionMode;
  #handle: ScreenHandle;
  #composition: Composition | undefined;
  #cwd: string;
  readonly #beside = new Set<Promise<void>>();
  #isNeedKnown = false;
  #watching: Promise<void> = Promise.resolve();
  #stopWatching: (() => Promise<void>) | undefined;

  constructor({ host, flags, cwd, mode }: Parts) {
    this.host = host;
    this.flags = flags;
    this.home = llmcodeHome(host.env);
    this.themes = createThemeFiles(this.home, { trustedProject: () => this.#trustedProject() });
    this.keyFiles = createKeyFiles(this.home, homedir());
    this.#mode = mode;
    this.#cwd = cwd;
    this.#handle = new ScreenHandle(() => this.#openFirst(), { cwd, mode });
  }

  get handle(): ScreenHandle {
    return this.#handle;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** What the program does of its own accord; for the one screen. */
  get pushed(): AsyncIterable<CommandOutcome> {
    return this.#pushed;
  }

  /** Resolves when the first thread is open and it is known whether there is a model for it. */
  get needsModel(): Promise<boolean> {
    return this.#needsModel.promise;
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Begins to open the first thread; what goes wrong stands in the thread. */
  begin(): void {
    this.#handle.opened().catch((error: unknown) => {
      if (!LlmcodeError.isInstance(error)) log('the first thread could not be opened:', error);
      // A prompt from the command line is sent; it waits in the handle.
      this.#settleNeed(false);
    });
  }

  /** What the present thread is made of; opens it first where that failed before. */
  async composition(): Promise<Composition> {
    await this.#handle.opened();
    if (!this.#composition) throw new Error('an open thread without a composition');
    return this.#composition;
  }

  async state(): Promise<ThreadState> {
    return snapshotOf(await this.#handle.opened());
  }

  notify(notice: Notice): void {
    this.#handle.notify(notice);
  }

  push(outcome: CommandOutcome): void {
    this.#pushed.push(outcome);
  }

  /** Work that goes on beside the thread; the end of the session waits until it has wound down. */
  runBeside(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => log('beside the thread:', error))
      .finally(() => this.#beside.delete(done));
    this.#beside.add(done);
  }

  /** Opens another thread and closes the present one; the outcome makes the screen follow. */
  async replace(
    open: () => Promise<Opened & { notice?: string }>,
    reason: 'clear' | 'resume' = 'resume',
  ): Promise<CommandOutcome> {
    const { handle, composition, notice } = await open();
    const next = new ScreenHandle(async () => handle, { cwd: composition.cwd, mode: composition.mode });
    await next.opened();
    const before = this.#handle;
    this.#handle = next;
    this.#composition = composition;
    this.#cwd = composition.cwd;
    await before.close(reason);
    this.#watchAgain();
    return { kind: 'attach', handle: next, ...(notice === undefined ? {} : { notice }) };
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#pushed.close();
    await this.#watching;
    await this.#stopWatching?.();
    await Promise.all(this.#beside);
    const state = await this.state().catch(() => undefined);
    await this.#handle.close();
    if (state) this.#noteWhatItTaught(state);
  }

  /** What the end of the last session remembered, so that the person can take it back. */
  async #showRemembered({ memory }: Composition): Promise<void> {
    const entries = (await memory?.takeUnseen()) ?? [];
    if (entries.length === 0) return;
    const { entriesText } = await import('../memory/memory-text.ts');
    const text = `Remembered of the last session; \`/memory delete\` takes an entry out:\n${entriesText(entries)}`;
    this.notify({ level: 'info', text });
  }

  /** Once nothing else begins any more. */
  async #deleteOldThreads({ settings, home }: Composition): Promise<void> {
    const keepDays = settings.values.threads.keep_days;
    if (keepDays === undefined || this.flags.session === false) return;
    await systemClock.wait(tidyAfterMs, { signal: this.signal }).catch(() => undefined);
    if (this.signal.aborted) return;
    const { deleteOldThreads } = await import('#engine/thread/keep-threads.ts');
    const count = await deleteOldThreads(home, { keepDays, clock: systemClock });
    if (count === 0) return;
    const text = `${count === 1 ? '1 conversation was' : `${count} conversations were`} not used for ${keepDays} days and deleted (\`threads.keep_days\`); archived ones are kept.`;
    this.notify({ level: 'info', text });
  }

  /** A helper does it: a model may take its time, and the person wants to leave. */
  #noteWhatItTaught(state: ThreadState): void {
    const composition = this.#composition;
    if (!composition?.memory || this.flags.session === false || composition.vcr.isOn) return;
    if (composition.settings.values.memory.consolidate === 'off') return;
    if (promptsOf(state) < promptsWorthNoting || state.model?.provider === 'demo') return;
    const argv = ['memory', 'consolidate', '--unasked', '--thread', state.threadId, '--cwd', composition.cwd];
    this.host.startHelper?.(argv, { cwd: composition.cwd });
  }

  /** False when there is nothing to come back to: the log was never written, or somebody deleted it. */
  async isKept(): Promise<boolean> {
    const { findLog } = await loadSessionWork();
    return findLog(this.home, this.#handle.threadId).then(
      () => true,
      () => false,
    );
  }

  async #openFirst(): Promise<EngineHandle> {
    const { openFirstThread } = await loadSessionWork();
    const { handle, composition, needsModel, notices } = await openFirstThread(this.host, {
      flags: this.flags,
      signal: this.signal,
    });
    this.#composition = composition;
    this.#cwd = composition.cwd;
    for (const notice of notices) this.notify(notice);
    this.runBeside(this.#showRemembered(composition));
    this.runBeside(this.#deleteOldThreads(composition));
    if (composition.vcr.isDriven) this.#follow(composition.vcr);
    this.#settleNeed(needsModel);
    this.#sayKeyProblems();
    this.#watchAgain();
    // The first frame knew neither the project's themes nor where to report one that is broken.
    if (composition.settings.values.theme !== 'auto') this.#wearTheme(composition);
    return handle;
  }

  /** What the person did in a recorded session happens by itself. */
  #follow(vcr: Vcr): void {
    void vcr.begin().then(async ({ isWhole, text }) => {
      await systemClock.wait(settleMs); // A notice overtakes events that the screen has not taken yet.
      this.notify({ level: isWhole ? 'info' : 'warning', text });
    });
  }

  #settleNeed(needsModel: boolean): void {
    if (this.#isNeedKnown) {
      // It could not be known at the start because the thread did not open.
      if (needsModel) this.push({ kind: 'dialog', dialog: 'first-run' });
      return;
    }
    this.#isNeedKnown = true;
    this.#needsModel.resolve(needsModel);
  }

  /** Follows the settings of the present composition; nothing waits for it but the next call and the end. */
  #watchAgain(): void {
    const before = this.#watching;
    this.#watching = before.then(() => this.#watch());
  }

  async #watch(): Promise<void> {
    try {
      await this.#stopWatching?.();
      this.#stopWatching = undefined;
      const { watchFiles, watchSettings, watchThemes } = await import('../settings/watch-settings.ts');
      const { watchInstructions } = await import('../memory/watch-instructions.ts');
      const composition = this.#composition;
      if (!composition || this.signal.aborted) return;
      const stopSettings = watchSettings(composition, {
        onChange: (changed) => this.#settingsChanged(composition, changed),
        onError: (error) => this.notify({ level: 'error', text: errorText(error) }),
      });
      const { project } = composition.settings;
      const stopThemes = watchThemes([ownThemeFolder(this.home), projectThemeFolder(project)], (id) => {
        if (isWorn(id, composition.settings.values.theme)) this.#wearTheme(composition);
      });
      const stopKeys = watchFiles(this.keyFiles.files, () => this.#keysChanged());
      const stopInstructions = watchInstructions(composition, (text) => this.notify({ level: 'info', text }));
      this.#stopWatching = async () => {
        await Promise.all([stopSettings(), stopThemes(), stopKeys(), stopInstructions()]);
      };
    } catch (error) {
      log('settings are not watched:', error); // The session works without it.
    }
  }

  #keysChanged(): void {
    const before = JSON.stringify(this.keyFiles.current());
    const keys = this.keyFiles.reload();
    if (JSON.stringify(keys) === before) return;
    this.push({ kind: 'keys', keys });
    this.notify({ level: 'info', text: 'Keys were read again.' });
    this.#sayKeyProblems();
  }

  #sayKeyProblems(): void {
    const text = keyProblemText(this.keyFiles.current());
    if (text !== '') this.notify({ level: 'warning', text });
  }

  #trustedProject(): string | undefined {
    const settings = this.#composition?.settings;
    return settings?.trust.state === 'trusted' ? settings.project : undefined;
  }

  #wearTheme({ settings }: Composition): void {
    this.push({ kind: 'theme', theme: settings.values.theme });
  }

  #settingsChanged({ settings }: Composition, changed: readonly string[]): void {
    if (changed.includes('theme')) this.push({ kind: 'theme', theme: settings.values.theme });
    if (changed.includes('mouse')) this.push({ kind: 'mouse', mouse: settings.values.mouse });
    if (changed.includes('editor_mode'))
      this.push({ kind: 'editor-mode', mode: settings.values.editor_mode });
    this.notify({ level: 'info', text: `Settings were read again: ${changed.join(', ')}.` });
    for (const text of settings.notices) this.notify({ level: 'warning', text });
  }
}

/** Whether a theme file is what the setting puts on the screen; `auto` is one of two. */
function isWorn(id: string, setting: string): boolean {
  return id === setting || (setting === 'auto' && (id === 'dark' || id === 'light'));
}

import type { CommandOutcome, CommandSpec, EditorMode, MouseUse } from './command.ts';
import type { EngineHandle } from './engine-handle.ts';
import type { KeyBindings } from './key-bindings.ts';
import type { ModelPreflight } from './model-preflight.ts';
import type { ModelChoice, ModelMarks, ModelRef, SilentProvider } from './model-ref.ts';
import type { PermissionMode } from './permission.ts';
import type { PermissionOverview } from './permission-overview.ts';
import type { RewindPreview } from './rewind.ts';
import type { FoundThread, ThreadPreview, ThreadSummary } from './thread-entry.ts';

/** Prompts of earlier sessions. */
export type PastPrompts = {
  /** Oldest first. */
  readonly texts: readonly string[];
  /** Those that were said in other projects only. */
  readonly elsewhere?: ReadonlySet<string>;
};

export interface PromptHistory {
  load(): Promise<PastPrompts>;
  /** Never throws: a history that cannot be written is no reason to stop. */
  add(text: string): void;
}

/** A provider that the person typed in on the first-run screen. */
export type ProviderDraft = { id: string; baseUrl: string; model: string; apiKeyEnv: string };

/** Everything that the screen gets from the composition root. Nothing here may delay the first frame. */
export interface ScreenPort {
  readonly version: string;
  /** What the person types to start the program; `llmcode` when it is not said. */
  readonly startCommand?: string;
  readonly cwd: string;
  /** The folder as the status line shows it. */
  readonly cwdLabel: string;
  readonly startMode: PermissionMode;
  /** The thread; it may still be opening, so actions and events queue behind it. */
  readonly handle: EngineHandle;
  /** True when no model is configured or could be chosen: the screen starts with the first-run dialog. */
  readonly needsModel: Promise<boolean>;
  readonly commands: readonly CommandSpec[];
  readonly history: PromptHistory;
  /** A prompt from the command line, sent at once. */
  readonly firstPrompt: string | undefined;
  /** How the prompt is edited; as in readline when it is not said. */
  readonly editorMode?: EditorMode;
  /** What the person's key files say; the program's own keys when it is not said. */
  readonly keyBindings?: KeyBindings;
  /** Whether we get the mouse, or the terminal keeps it for its own selection; on when it is not said. */
  readonly mouse?: MouseUse;
  readonly themeId: string;
  /** The theme's JSON text by id; undefined when there is no such theme. */
  loadTheme(id: string): string | undefined;
  readonly themeIds: readonly string[];
  /** `line` begins with `/`. */
  runCommand(line: string): Promise<CommandOutcome>;
  /** Each value is the whole list so far; ends when every server has answered or run out of time. */
  modelChoices(
    signal: AbortSignal,
    onSilent?: (silent: SilentProvider) => void,
  ): AsyncIterable<readonly ModelChoice[]>;
  modelMarks(): Promise<ModelMarks>;
  markFavourite(ref: ModelRef, options: { isFavourite: boolean }): Promise<void>;
  /** What switching the thread to this model means. Rejects when there is no such model. */
  preflight(ref: ModelRef): Promise<ModelPreflight>;
  /** Switches to the model, after a compaction if so wanted; the first choice of a person is remembered. */
  chooseModel(ref: ModelRef, options?: { compactFirst: boolean }): Promise<CommandOutcome>;
  /** Names of the models that a server lists which is not in the config yet; rejects with why it does not. */
  providerModels(draft: Omit<ProviderDraft, 'model'>, signal: AbortSignal): Promise<readonly string[]>;
  /** Writes a provider into the user's config after the person said yes, and switches to its model. */
  addProvider(draft: ProviderDraft): Promise<CommandOutcome>;
  /** The file that `addProvider` would change, and the text that it would put there. Changes nothing. */
  previewProvider?(draft: ProviderDraft): { file: string; text: string };
  startDemo(): Promise<CommandOutcome>;
  /** Threads of this project or of all, newest first; archived ones are among them. */
  threads(options?: { isEverywhere: boolean }): Promise<readonly ThreadSummary[]>;
  /** Threads in which these words were said. `isWhole` false: older ones are still being read. */
  searchThreads?(
    words: string,
    options: { isEverywhere: boolean },
  ): Promise<{ threads: readonly FoundThread[]; isWhole: boolean }>;
  threadPreview?(threadId: string): Promise<ThreadPreview>;
  /** `words` are then looked for in it. */
  openThread(threadId: string, words?: string): Promise<CommandOutcome>;
  saveTheme(id: string): Promise<void>;
  /** Files for `@` completion, relative to `cwd`, `/` as separator, folders end in `/`. */
  files(signal: AbortSignal): Promise<readonly string[]>;
  /** Branch name and number of changed files; null outside a repository. */
  branch(): Promise<{ name: string; changed: number } | null>;
  /** True when a working sandbox holds the commands of the model. */
  isSandboxed?(): Promise<boolean>;
  /** The rows of `/config`: key, value, where it came from. */
  settings(): Promise<readonly { key: string; value: string; origin: string }[]>;
  /** What `/permissions` shows. */
  permissions?(): Promise<PermissionOverview>;
  /** What going back to before this message would do to files. */
  rewindPreview?(promptId: string): Promise<RewindPreview>;
  /**
   * What the program does of its own accord, e.g. another theme because a config file changed. One reader, from
   * the first frame on; acted on like the outcome of a command.
   */
  readonly pushed?: AsyncIterable<CommandOutcome>;
  /** The person's editor (`$VISUAL`, `$EDITOR`) with its arguments. */
  readonly editorCommand: readonly string[];
  /** The person's pager (`$PAGER`) with its arguments; none when it is not set. */
  readonly pagerCommand?: readonly string[];
}

import type { CopyPoint } from '#engine/thread/cut-events.ts';
import type { Hook } from '#hooks/hook.ts';
import type { HookRun } from '#hooks/hook-runs.ts';
import { codeName } from '#lib/quote.ts';
import type { CommandOutcome, CommandSpec, EditorMode, MouseUse } from '#protocol/command.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import type { MemoryCommands } from '../memory/memory-desk.ts';
import type { PermissionCommands } from '../permissions/permission-commands.ts';
import type { KeyFiles } from '../settings/key-files.ts';
import type { ExportFormat } from '../threads/export-format.ts';
import type { ConsultCommands } from './consult-commands.ts';

/** What a slash command may ask of the session that it is typed in. Nothing here is loaded before it is needed. */
export interface CommandContext {
  readonly commands: readonly CommandSpec[];
  readonly cwd: string;
  readonly themeIds: readonly string[];
  /** The thread as it is now. */
  state(): Promise<ThreadState>;
  /** Rejects with an `LlmcodeError` that names the nearest known model. */
  resolveModel(text: string): Promise<ModelRef>;
  /** What switching to it means. Rejects when there is no such model. */
  preflight(ref: ModelRef): Promise<ModelPreflight>;
  chooseModel(ref: ModelRef): Promise<CommandOutcome>;
  /** All that is known of a model. */
  modelInfo(ref: ModelRef): Promise<ModelInfo>;
  /** A new thread in the same folder. */
  newThread(): Promise<CommandOutcome>;
  /** By id, name or the beginning of either. */
  openThread(text: string): Promise<CommandOutcome>;
  /** Goes on in a copy: of all of the thread, or of what came before a point of it. */
  forkThread(upTo?: CopyPoint): Promise<CommandOutcome>;
  /** Writes the conversation into a new file; resolves with the file. */
  saveExport(options: { file: string; format: ExportFormat | undefined }): Promise<string>;
  getSetting(key: string): Promise<string>;
  /** Into the user's own config file; resolves with a line that says what is true now. */
  setSetting(key: string, value: string): Promise<string>;
  saveTheme(id: string): Promise<void>;
  /** How the prompt is edited by the settings. */
  editorMode(): Promise<EditorMode>;
  saveEditorMode(mode: EditorMode): Promise<void>;
  readonly keyFiles: KeyFiles;
  /** Who gets the mouse by the settings. */
  mouse(): Promise<MouseUse>;
  saveMouse(mouse: MouseUse): Promise<void>;
  /** Trusts the project's own config from now on; resolves with what takes effect by that. */
  trustProject(): Promise<string>;
  /** The hooks of the settings, and what they have done since the start. */
  hooks(): Promise<{ hooks: readonly Hook[]; runs: readonly HookRun[] }>;
  /** Once confirmed, full_access is not asked about again. */
  confirmFullAccess(options: { isConfirmed: boolean }): Promise<boolean>;
  /** US dollars that all sessions have spent today. */
  spentToday(): Promise<number>;
  /** Begins to record, into this file or one named by the time; resolves with what to tell the person. */
  startRecording(file: string): Promise<string>;
  stopRecording(): Promise<string>;
  recordingStatus(): Promise<string>;
  /** All of this conversation as Markdown. */
  transcript(): Promise<string>;
  /** Writes it into a new file; resolves with what to tell the person. */
  saveTranscript(file: string): Promise<string>;
  /** Changes in the working folder as a diff; null when it is no repository. */
  workingDiff(): Promise<string | null>;
  /** What this thread changed with its last prompts that changed anything. */
  threadDiff(prompts: number): Promise<{ views: DiffView[]; others: string[] }>;
  /** What commands of the model are held in, tried now, as Markdown. */
  sandbox(): Promise<string>;
  /** Sets its mode in the user's own config file; resolves with a line that says what is true now. */
  setSandbox(mode: string): Promise<string>;
  /** What the newest request was taken for and what that means, as Markdown. */
  hida(): Promise<string>;
  /** A name for this thread that a model finds. */
  askTitle(): Promise<string>;
  /** What is found on this machine, as Markdown. */
  doctor(): Promise<string>;
  readonly consult: ConsultCommands;
  readonly permissions: PermissionCommands;
  readonly memory: MemoryCommands;
}

export type Command = CommandSpec & {
  /** `argument` is what follows the name, trimmed; '' when there is nothing. */
  run(argument: string, context: CommandContext): CommandOutcome | Promise<CommandOutcome>;
};

export function defineCommand(
  command: Omit<Command, 'aliases' | 'args'> & Partial<Pick<Command, 'aliases' | 'args'>>,
): Command {
  const { name, args = '' } = command;
  return {
    aliases: [],
    ...command,
    args,
    run: (argument, context) =>
      args === '' && argument !== ''
        ? warn(`\`/${name}\` takes nothing after its name: ${codeName(argument)} was not understood.`)
        : command.run(argument, context),
  };
}

export function inform(text: string): CommandOutcome {
  return { kind: 'notice', level: 'info', text };
}

export function warn(text: string): CommandOutcome {
  return { kind: 'notice', level: 'warning', text };
}

import type { z } from 'zod';
import type { WriteFollower } from './languages.ts';
import type { ThreadMemory } from './memory.ts';
import type { ToolResult } from './message.ts';
import type { EditTool } from './model-ref.ts';
import type { Resource, ToolEffect } from './permission.ts';
import type { Question, QuestionAnswer } from './question.ts';
import type { CommandPlace } from './sandbox.ts';
import type { ShellService } from './shells.ts';
import type { Todo } from './todo.ts';
import type { ToolView } from './tool-view.ts';

/** What the files looked like when the model last read or wrote them in this thread. Keys are real paths. */
export interface FileLedger {
  /** SHA-256 in hex of what the model saw; null = it removed the file; undefined = it never saw it. */
  seen(path: string): string | null | undefined;
}

/** Higher services that a tool may need; `app` fills them in. */
export interface ToolServices {
  /** Waits for the person. null = they would not answer, or nobody can be asked. */
  askPerson(questions: Question[], options: { callId: string; signal: AbortSignal }): Promise<QuestionAnswer>;
  setTodos(todos: Todo[]): void;
  /** Replaces the working notes of the thread. */
  setNotes(notes: string): void;
  /** Asks other models; absent where that cannot be done. */
  consult?: PeerService;
  /** The model of this thread, `provider/model`; null while it has none. */
  ownModel?(): string | null;
  /** True for a file that holds keys, tokens or passwords by its name. `file` is absolute. */
  isSecretFile(file: string): boolean;
  /** Looks among the tools that are not offered yet; absent where all of them are. */
  toolSearch?: ToolSearch;
  /** Looks into the whole thread, also at what no longer reaches the model as it was. */
  recall: Recall;
  /** Commands of the thread; without it each runs by itself. */
  shells?: ShellService;
  /** Looks at files that a tool has written. */
  writes?: WriteFollower;
  /** Finds instructions that count only for the files of a call. */
  instructions?: InstructionFinder;
  /** What is remembered of the project; absent where nothing is. */
  memory?: ThreadMemory;
}

/** Each text is handed out once. Never rejects. */
export interface InstructionFinder {
  forPaths(
    paths: readonly string[],
  ): Promise<{ blocks: readonly string[]; files: readonly { file: string; scope: 'user' | 'project' }[] }>;
}

export interface ToolSearch {
  /** Tools for a task or by their names, best first; all of them for an empty query. */
  find(query: string): ToolSchema[];
}

/** What has been said, called and answered in a thread, found again. */
export interface Recall {
  /** Best first; `total` counts all that fit. */
  search(query: string, options: { limit: number }): Promise<{ finds: RecallFind[]; total: number }>;
  /** The whole text of one message or tool result; undefined when there is none with this id. */
  fetch(id: string): Promise<{ source: string; text: string } | undefined>;
}

/** `source` says whose it is, e.g. `result of read_file src/a.ts`. */
export type RecallFind = { id: string; source: string; excerpt: string };

/** `peer` begins a thread with that model, `thread` goes on with one. `files` are absolute paths. */
export type PeerQuestion = {
  peer?: string | undefined;
  thread?: string | undefined;
  prompt: string;
  files: readonly string[];
};

/** Both reject with an `LlmcodeError` when the question may not or cannot be sent, e.g. because it holds secrets. */
export interface PeerService {
  /** What would be sent: to whom, how much, for what price, and the text itself. */
  review(question: PeerQuestion): Promise<string>;
  /** Sends it and waits for the answer; rejects also when there is none. */
  ask(question: PeerQuestion, options: { signal: AbortSignal }): Promise<PeerAnswer>;
}

/** `text` is in the peer's own words; `facts` says what it took, in one line; `costUsd` null = price unknown. */
export type PeerAnswer = {
  peer: string;
  thread: string;
  round: number;
  text: string;
  facts: string;
  costUsd: number | null;
};

export interface ToolContext {
  callId: string;
  /** The thread's working folder, absolute. */
  cwd: string;
  /** Where a command of this call starts, as it was judged; `cwd` when it is not said. */
  shellCwd?: string | undefined;
  /** The PATH of a command of this call, as it was judged; that of `childEnv` when it is not said. */
  shellPath?: string | undefined;
  /** Real paths of the folders that count as workspace; the first is the main one. */
  roots: readonly string[];
  /** Folder for whole outputs and other files of this thread; made on first use by the one who writes there. */
  filesDir: string;
  signal: AbortSignal;
  ledger: FileLedger;
  services: ToolServices;
  /** Environment for child processes, already free of secrets. */
  childEnv: Readonly<Record<string, string>>;
  /** Says where a command with the permission of this call runs; without it, outside of any sandbox. */
  placeFor?(cwd: string, how: { isTerminal: boolean }): Promise<CommandPlace>;
  /** Where the paths of this call led when it was allowed, by their absolute names. */
  decidedPaths?: ReadonlyMap<string, string> | undefined;
  /** Names of the tools that the model is told of; a text for it should name no other. */
  offered?: readonly string[];
  /** False lifts the read-before-edit rule. */
  requireRead: boolean;
  /** Characters of a result that reach the model; the middle of a longer one is cut out. */
  maxResultChars: number;
  progress(view: ToolView): void;
}

export type ToolScope = {
  cwd: string;
  roots: readonly string[];
  /** Where the next command starts; `cwd` when it is not said. */
  shellCwd?: string | undefined;
  /** The PATH that an earlier command left for the next one. */
  shellPath?: string | undefined;
};

/**
 * One tool. `run` may throw: the pipeline turns it into an `error` result. It must stop soon after
 * `ctx.signal` aborts and must leave no process behind.
 */
export interface ToolDef<Input = unknown> {
  name: string;
  /** Names that models and hooks of other agents use, e.g. `Bash`. */
  aliases?: readonly string[];
  /** Other agents' parameter names, e.g. `{file_path: 'path'}`; renamed before validation. */
  inputAliases?: Readonly<Record<string, string>>;
  /** The description that the model reads. */
  prose: string;
  input: z.ZodType<Input>;
  effect: ToolEffect;
  /** It is of no use where no person can answer, and is not offered there. */
  needsPerson?: boolean;
  /** It is one way of two to change files: offered only to models that do best with it. */
  editTool?: EditTool;
  /** Rarely needed: where there are many tools it is offered once `tool_search` has found it. */
  isDeferred?: boolean;
  /** It is about what the model no longer gets as it was, and is offered from the first compaction on. */
  needsShortenedHistory?: boolean;
  /** Everything that this call would read, write, run or reach. */
  touches(input: Input, scope: ToolScope): Resource[];
  /** The short argument shown beside the tool's name, one line. */
  title(input: Input, scope: ToolScope): string;
  /**
   * What the call would change, computed without changing anything; for the permission dialog. A result is the
   * error that the call would end with.
   */
  preview?(input: Input, ctx: ToolContext): Promise<ToolView | ToolResult | undefined>;
  run(input: Input, ctx: ToolContext): Promise<ToolResult>;
}

/** Keeps the input type while the tool is written; everywhere else tools are `ToolDef<unknown>`. */
export function defineTool<Input>(tool: ToolDef<Input>): ToolDef {
  return tool as ToolDef;
}

/** A tool as a model call carries it. `parameters` is a JSON Schema object. */
export type ToolSchema = { name: string; description: string; parameters: Record<string, unknown> };

import { z } from 'zod';

/** A command that runs beside the conversation, or ran there a moment ago. All text of it is untrusted. */
export const backgroundShellSchema = z.object({
  id: z.string(),
  command: z.string(),
  /** What the model says that it is for. */
  description: z.string().optional(),
  /** `lost`: the llmcode that ran it was killed; how it ended is not known. */
  state: z.enum(['running', 'exited', 'killed', 'lost']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  lines: z.number().int(),
  /** The newest output, a few screens at most. */
  tail: z.string(),
  /** It goes on when llmcode ends. */
  isKept: z.boolean(),
  /** It was kept by an earlier session. */
  isEarlier: z.boolean().optional(),
});
export type BackgroundShell = z.infer<typeof backgroundShellSchema>;

/** How a command ended. `not-started`: `error` says why. */
export type ShellEnd = {
  cause: 'exited' | 'timeout' | 'aborted' | 'not-started';
  exitCode: number | null;
  signal: string | null;
  hadLeftovers: boolean;
  error?: string;
  /** What has to be said of the folder and the variables that later commands start with. */
  notes: readonly string[];
};

/** What a command is run in so that it reaches only a part of the machine; see `runProcess`. */
export type ShellConfinement = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  ownsProcesses: boolean;
  filterFile?: string | undefined;
  helper?: readonly string[] | undefined;
};

export type ShellStart = {
  callId: string;
  command: string;
  description?: string | undefined;
  /** Absolute. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** The PATH that it was judged with; that of `env` when it is not said. */
  searchPath?: string | undefined;
  /** In a terminal of its own. */
  isTerminal: boolean;
  isBackground: boolean;
  /** undefined: as long as it takes. Counts only until it moves to the background. */
  timeoutMs?: number | undefined;
  confinement?: ShellConfinement | undefined;
  /** Called when it has ended, with what is then to be said of it as result. Must not reject. */
  settle?: ((how: { isBackground: boolean }) => Promise<readonly string[]>) | undefined;
  /** Of what the person ends with Esc: it counts while the command runs in the foreground. */
  signal: AbortSignal;
  output: ShellOutput;
  /** Something came. Must not throw. */
  onOutput(): void;
};

/** Where the output of one command gathers. Closed when it has ended. */
export interface ShellOutput {
  push(chunk: Uint8Array): void;
  lineCount(): number;
  /** The newest of it, and the file with all of it if there is one. */
  tail(): { output: string; outputPath?: string };
  close(): void;
}

export interface RunningShell {
  /** Never rejects. */
  readonly ended: Promise<ShellEnd>;
  /** Resolves with its id when the person moves it to the background; otherwise never. */
  readonly moved: Promise<string>;
  /** null while it is in the foreground. */
  id(): string | null;
}

/** Output that has not been read yet. */
export type ShellReading = {
  shell: BackgroundShell;
  text: string;
  droppedChars: number;
  /** Holds all of the output, when that is much. */
  outputPath?: string;
};

/** Runs the commands of one thread; what the bash tools see of it. */
export interface ShellService {
  /** Where the next command starts. */
  readonly cwd: string;
  /** The PATH that earlier commands left for the next one, if they changed it. */
  readonly searchPath: string | undefined;
  /** Why no more may be started in the background; undefined when one may. */
  readonly backgroundProblem: string | undefined;
  start(options: ShellStart): RunningShell;
  /** Waits up to `waitMs` for something new. undefined: there is no such shell. */
  read(id: string, options: { waitMs: number; signal: AbortSignal }): Promise<ShellReading | undefined>;
  /** Ends it with everything that it started; undefined: there is no such shell. */
  kill(id: string, by: 'model' | 'person'): Promise<BackgroundShell | undefined>;
  list(): readonly BackgroundShell[];
}

/** `list`: one came, ended or was kept. `output`: one has said something. `notice`: for the person. */
export type ShellUpdate =
  | { kind: 'list'; shells: BackgroundShell[] }
  | { kind: 'output'; id: string; lines: number; tail: string }
  | { kind: 'notice'; level: 'info' | 'warning'; text: string };

/** The same for the engine, which shows it to the person and tells the model. */
export interface ShellDesk extends ShellService {
  watch(listener: (update: ShellUpdate) => void): void;
  /** The newest foreground command when no call is named; undefined when none runs. */
  toBackground(callId?: string): string | undefined;
  /** It goes on after llmcode; undefined when it is not running. Throws with why it cannot be kept. */
  keep(id: string): BackgroundShell | undefined;
  /** Looks how commands are doing that an earlier session kept. */
  look(): void;
  /** What the model has to be told since the last time. */
  takeNotes(): string[];
  /** Ends what is not kept. */
  close(): Promise<void>;
}

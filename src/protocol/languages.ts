import type { FileState } from './message.ts';

/** Lines and columns count from 1; a column counts UTF-16 units, as editors show it. */
export type CodePlace = { file: string; line: number; column: number };

export type CodeSymbol = CodePlace & { name: string; kind: string; container?: string | undefined };

export type CodeProblem = {
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'info' | 'hint';
  text: string;
  /** Who says it, with its number, e.g. `typescript 2322`. */
  source: string;
};

/** Something named in a file. Models count columns badly, so the name and its line do as well. */
export type CodeTarget = {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
  symbol?: string | undefined;
};

/** What language servers know. All of it rejects with an `LlmcodeError` that says what to do. */
export interface LanguageService {
  /** A server for a language of the workspace is installed. */
  isUseful(): boolean;
  /**
   * The command that a question about this file would start and that nobody has agreed to yet; undefined when the
   * server runs, when the folder is trusted, and when there is none. A server runs code of the project.
   */
  wouldStart(file: string): string | undefined;
  /** The same for any file of the workspace, one command a server. */
  wouldStartAny(): string[];
  definition(target: CodeTarget, options: { signal: AbortSignal }): Promise<CodePlace[]>;
  references(target: CodeTarget, options: { signal: AbortSignal }): Promise<CodePlace[]>;
  /** Of one file, in the order of its lines. */
  symbols(file: string, options: { signal: AbortSignal }): Promise<CodeSymbol[]>;
  /** By name, in the whole workspace; `file` says in which language. */
  findSymbols(query: string, options: { file: string; signal: AbortSignal }): Promise<CodeSymbol[]>;
  /** `isComplete` is false when the server has not said all in time. */
  problems(
    file: string,
    options: { signal: AbortSignal },
  ): Promise<{ problems: CodeProblem[]; isComplete: boolean }>;
}

/** What follows a write of the model: formatters, then what is wrong in the files now. Never rejects. */
export interface WriteFollower {
  afterWrite(
    files: readonly string[],
    options: { cwd: string; signal: AbortSignal },
  ): Promise<{ notes: string[]; fileStates: FileState[] }>;
}

/** What the command line asks of a session. An absent key was not given. */
export type SessionFlags = {
  prompt?: string;
  print?: boolean;
  outputFormat?: OutputFormat;
  model?: string;
  permissionMode?: string;
  iKnow?: boolean;
  continue?: boolean;
  /** true = asked for without saying which. */
  resume?: string | true;
  fork?: boolean;
  maxTurns?: number;
  maxBudgetUsd?: number;
  /** Seconds. */
  timeout?: number;
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  appendSystemPrompt?: string;
  jsonSchema?: string;
  addDir?: readonly string[];
  cwd?: string;
  /** False with `--no-session`. */
  session?: boolean;
  demo?: boolean;
  failOnDeny?: boolean;
  verbose?: boolean;
  /** A recording to replay. */
  replay?: string;
  /** Of a replay; 0 = as fast as possible. */
  speed?: number;
};

export const outputFormats = ['text', 'json', 'stream-json', 'events'] as const;
export type OutputFormat = (typeof outputFormats)[number];

const marker = Symbol.for('llmcode.error');

/**
 * A failure with a message that a person can act on: what failed, on what, what to do. Everything that is not
 * one of these is a bug. `code` is stable, e.g. `config-invalid`; `exitCode` is what a script sees.
 */
export class LlmcodeError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, options: { cause?: unknown; exitCode?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LlmcodeError';
    this.code = code;
    this.exitCode = options.exitCode ?? 1;
  }

  /** Also true for an instance of another copy of this class. */
  static isInstance(value: unknown): value is LlmcodeError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

/** The text of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error such as ENOENT. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

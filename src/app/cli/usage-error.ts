import { LlmcodeError } from '#lib/errors.ts';

/** The command line cannot be understood; exit code 2. */
export function usageError(message: string): LlmcodeError {
  return new LlmcodeError('usage', message, { exitCode: 2 });
}

import { LlmcodeError } from '#lib/errors.ts';

/** Words that scripts may rely on. */
export type ConsultCode =
  | 'invalid_request'
  | 'input_too_large'
  | 'model_not_found'
  | 'permission_denied'
  | 'secrets_found'
  | 'thread_exists'
  | 'thread_not_found'
  | 'thread_busy'
  | 'not_resumable'
  | 'provider_error'
  | 'chat_cancelled'
  | 'timeout';

export function consultError(code: ConsultCode, message: string, cause?: unknown): LlmcodeError {
  return new LlmcodeError(code, message, cause === undefined ? {} : { cause });
}

export function threadBusy(thread: string, cause?: unknown): LlmcodeError {
  return consultError('thread_busy', `Thread ${thread} is being asked already; wait for its answer.`, cause);
}

import { LlmcodeError } from '#lib/errors.ts';

export type LspErrorCode =
  | 'lsp_off'
  | 'lsp_no_server'
  | 'lsp_failed'
  | 'lsp_timeout'
  | 'lsp_aborted'
  | 'lsp_not_found';

/** Every failure of a language server, in words that say what to do. */
export function lspError(code: LspErrorCode, text: string, cause?: unknown): LlmcodeError {
  return new LlmcodeError(code, text, cause === undefined ? {} : { cause });
}

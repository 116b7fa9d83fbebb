import type { ToolResult } from '#protocol/message.ts';

/** An `error` result: `code` for scripts, `text` tells the model what is wrong and what to do. */
export function toolError(code: string, text: string): ToolResult {
  return {
    status: 'error',
    code,
    forModel: [{ kind: 'text', text }],
    summary: `${code.replaceAll('_', ' ')}`,
  };
}

export function aborted(text: string): ToolResult {
  return { status: 'aborted', forModel: [{ kind: 'text', text }], summary: 'stopped' };
}

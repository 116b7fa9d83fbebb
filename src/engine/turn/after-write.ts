import type { ToolResult } from '#protocol/message.ts';
import type { ToolCallDeps, ToolCallOptions } from './tool-call.ts';
import type { ReadyCall } from './tool-input.ts';

/** Adds to a result what followed the write: that a formatter changed the file, and problems that are new. */
export async function followWrite(
  { services, cwd }: ToolCallDeps,
  { ready, result, options }: { ready: ReadyCall; result: ToolResult; options: ToolCallOptions },
): Promise<ToolResult> {
  const isWrite = ready.tool.effect === 'write' && result.status === 'ok' && !options.signal.aborted;
  const files = (result.fileStates ?? []).filter(({ sha256 }) => sha256 !== null).map(({ path }) => path);
  if (!isWrite || files.length === 0 || !services.writes) return result;
  const { notes, fileStates } = await services.writes.afterWrite(files, { cwd, signal: options.signal });
  return {
    ...result,
    forModel: [...result.forModel, ...notes.map((text) => ({ kind: 'text' as const, text }))],
    fileStates: [...(result.fileStates ?? []), ...fileStates],
  };
}

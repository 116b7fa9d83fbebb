import { z } from 'zod';
import { LlmcodeError } from '#lib/errors.ts';
import { displayPath } from '#lib/paths.ts';
import type { CodeTarget, LanguageService } from '#protocol/languages.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { Resource } from '#protocol/permission.ts';
import type { ToolScope } from '#protocol/tool.ts';
import { absolutePath, toolPath } from '../files/tool-path.ts';
import { looseInput } from '../result/loose-input.ts';
import { aborted, toolError } from '../result/tool-error.ts';
import { oneLine } from '../result/words.ts';

export type TargetInput = {
  path: string;
  symbol?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
};

const position = z.number().int().min(1).optional();

export const targetInput = looseInput({
  path: toolPath,
  symbol: z.string().optional(),
  line: position,
  column: position,
});

export const codeInputAliases = {
  file_path: 'path',
  file: 'path',
  name: 'symbol',
  character: 'column',
} as const;

/**
 * Reading, but for the server that answers: its start runs what the project configures, so where nobody has agreed to
 * that it is judged like the command that it is.
 */
export function touchesCode(
  languages: LanguageService,
  { path }: { path: string },
  { cwd }: ToolScope,
): Resource[] {
  const file = absolutePath(path, cwd);
  const command = languages.wouldStart(file);
  return [
    { kind: 'path', path: file, access: 'read' },
    ...(command === undefined ? [] : [{ kind: 'command' as const, command, cwd }]),
  ];
}

export function targetTitle({ path, symbol, line, column }: TargetInput, { cwd }: ToolScope): string {
  const place = [displayPath(absolutePath(path, cwd), cwd), line, column].filter(
    (part) => part !== undefined,
  );
  return oneLine(`${symbol === undefined ? '' : `${symbol} in `}${place.join(':')}`);
}

export function targetOf({ path, symbol, line, column }: TargetInput, cwd: string): CodeTarget {
  return { file: absolutePath(path, cwd), symbol, line, column };
}

/** What a language server could not do, as a result that says what to do instead. */
export async function answering(ask: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await ask();
  } catch (error) {
    if (!LlmcodeError.isInstance(error)) throw error;
    return error.code === 'lsp_aborted' ? aborted(error.message) : toolError(error.code, error.message);
  }
}

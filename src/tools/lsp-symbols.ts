import { z } from 'zod';
import { displayPath } from '#lib/paths.ts';
import type { CodeSymbol, LanguageService } from '#protocol/languages.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolDef } from '#protocol/tool.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import { answering, codeInputAliases, touchesCode } from './languages/code-input.ts';
import prose from './lsp-symbols.md';
import { looseInput } from './result/loose-input.ts';
import { count, nameOnOneLine, oneLine } from './result/words.ts';

type Input = { path: string; query?: string | undefined };

const maxShown = 300;

export function lspSymbols(languages: LanguageService): ToolDef {
  return defineTool<Input>({
    name: 'lsp_symbols',
    inputAliases: codeInputAliases,
    prose,
    input: looseInput({ path: toolPath, query: z.string().optional() }),
    effect: 'read',
    isDeferred: true,
    touches: (input, scope) => touchesCode(languages, input, scope),
    title: ({ path, query }, { cwd }) => oneLine(query ?? displayPath(absolutePath(path, cwd), cwd)),
    run: ({ path, query = '' }, { cwd, signal }) =>
      answering(async () => {
        const file = absolutePath(path, cwd);
        if (query.trim() === '') return listed(await languages.symbols(file, { signal }), undefined);
        return listed(await languages.findSymbols(query.trim(), { file, signal }), cwd);
      }),
  });
}

/** Without `cwd` all are of one file, which needs no name. */
function listed(symbols: readonly CodeSymbol[], cwd: string | undefined): ToolResult {
  const lines = symbols.slice(0, maxShown).map(({ file, line, name, kind, container }) => {
    const place = cwd === undefined ? `${line}` : `${nameOnOneLine(displayPath(file, cwd))}:${line}`;
    return oneLine(`${place} ${kind} ${name}${container ? ` in ${container}` : ''}`);
  });
  if (symbols.length > maxShown) lines.push(`[The first ${maxShown} of ${symbols.length}.]`);
  const text = lines.length === 0 ? 'The language server knows no such symbols.' : lines.join('\n');
  return { status: 'ok', forModel: [{ kind: 'text', text }], summary: count(symbols.length, 'symbol') };
}

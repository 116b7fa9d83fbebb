import { displayPath } from '#lib/paths.ts';
import type { CodeProblem, LanguageService } from '#protocol/languages.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolDef } from '#protocol/tool.ts';
import { absolutePath, toolPath } from './files/tool-path.ts';
import { answering, codeInputAliases, touchesCode } from './languages/code-input.ts';
import prose from './lsp-diagnostics.md';
import { looseInput } from './result/loose-input.ts';
import { count } from './result/words.ts';

type Input = { path: string };

const maxShown = 100;
const order = ['error', 'warning', 'info', 'hint'];

export function lspDiagnostics(languages: LanguageService): ToolDef {
  return defineTool<Input>({
    name: 'lsp_diagnostics',
    inputAliases: codeInputAliases,
    prose,
    input: looseInput({ path: toolPath }),
    effect: 'read',
    isDeferred: true,
    touches: (input, scope) => touchesCode(languages, input, scope),
    title: ({ path }, { cwd }) => displayPath(absolutePath(path, cwd), cwd),
    run: ({ path }, { cwd, signal }) =>
      answering(async () => shown(await languages.problems(absolutePath(path, cwd), { signal }))),
  });
}

function shown({ problems, isComplete }: { problems: CodeProblem[]; isComplete: boolean }): ToolResult {
  const ordered = problems.toSorted(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || a.line - b.line,
  );
  const lines = ordered
    .slice(0, maxShown)
    .map(
      ({ line, column, severity, text, source }) =>
        `${line}:${column} ${severity}: ${text}${source === '' ? '' : ` (${source})`}`,
    );
  if (ordered.length > maxShown) lines.push(`[The first ${maxShown} of ${ordered.length}.]`);
  if (lines.length === 0 && isComplete) lines.push('No problems.');
  if (!isComplete) lines.push('[The language server has not finished; ask again for the rest.]');
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: lines.join('\n') }],
    summary: count(problems.length, 'problem'),
  };
}

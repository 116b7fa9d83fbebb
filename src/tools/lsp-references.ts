import type { LanguageService } from '#protocol/languages.ts';
import { defineTool, type ToolDef } from '#protocol/tool.ts';
import {
  answering,
  codeInputAliases,
  type TargetInput,
  targetInput,
  targetOf,
  targetTitle,
  touchesCode,
} from './languages/code-input.ts';
import { placeList } from './languages/place-list.ts';
import prose from './lsp-references.md';

export function lspReferences(languages: LanguageService): ToolDef {
  return defineTool<TargetInput>({
    name: 'lsp_references',
    inputAliases: codeInputAliases,
    prose,
    input: targetInput,
    effect: 'read',
    isDeferred: true,
    touches: (input, scope) => touchesCode(languages, input, scope),
    title: targetTitle,
    run: (input, { cwd, signal }) =>
      answering(async () =>
        placeList(await languages.references(targetOf(input, cwd), { signal }), cwd, 'reference'),
      ),
  });
}

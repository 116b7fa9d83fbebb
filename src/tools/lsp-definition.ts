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
import prose from './lsp-definition.md';

export function lspDefinition(languages: LanguageService): ToolDef {
  return defineTool<TargetInput>({
    name: 'lsp_definition',
    inputAliases: codeInputAliases,
    prose,
    input: targetInput,
    effect: 'read',
    isDeferred: true,
    touches: (input, scope) => touchesCode(languages, input, scope),
    title: targetTitle,
    run: (input, { cwd, signal }) =>
      answering(async () =>
        placeList(await languages.definition(targetOf(input, cwd), { signal }), cwd, 'definition'),
      ),
  });
}

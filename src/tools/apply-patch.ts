import { z } from 'zod';
import { displayPath } from '#lib/paths.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { Resource } from '#protocol/permission.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './apply-patch.md';
import { absolutePath, toolPath } from './files/tool-path.ts';
import { parsePatch } from './patch/parse-patch.ts';
import { patchView } from './patch/patch-view.ts';
import { type PlannedFile, planPatch } from './patch/plan-patch.ts';
import { writePatch } from './patch/write-patch.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';

type Input = { patch: string };

export const applyPatch = defineTool<Input>({
  name: 'apply_patch',
  inputAliases: { input: 'patch', diff: 'patch', patch_text: 'patch' },
  prose,
  input: looseInput({ patch: z.string() }),
  effect: 'write',
  editTool: 'apply_patch',
  touches: ({ patch }, { cwd }) =>
    pathsOf(patch).map(
      (path): Resource => ({ kind: 'path', path: absolutePath(path, cwd), access: 'write' }),
    ),
  title: ({ patch }, { cwd }) => {
    const [first, ...rest] = pathsOf(patch);
    if (first === undefined) return 'no file';
    const name = displayPath(absolutePath(first, cwd), cwd);
    return rest.length === 0 ? name : `${name} and ${count(rest.length, 'other file')}`;
  },
  async preview(input, ctx) {
    const planned = await plan(input, ctx);
    return 'status' in planned ? planned : patchView(planned);
  },
  async run(input, ctx) {
    const planned = await plan(input, ctx);
    return 'status' in planned ? planned : writePatch(planned, ctx);
  },
});

function pathsOf(patch: string): string[] {
  const parsed = parsePatch(patch);
  if ('problem' in parsed) return [];
  const paths = parsed.files.flatMap((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
  return [...new Set(paths)];
}

async function plan({ patch }: Input, ctx: ToolContext): Promise<PlannedFile[] | ToolResult> {
  const parsed = parsePatch(patch);
  if ('problem' in parsed)
    return toolError(
      'invalid_argument',
      `The patch could not be read, and nothing was changed. ${parsed.problem}`,
    );
  for (const path of pathsOf(patch)) {
    const problem = toolPath.safeParse(path).error?.issues[0]?.message;
    if (problem !== undefined) return toolError('invalid_argument', `The path ${path} ${problem}.`);
  }
  return planPatch(parsed.files, ctx);
}

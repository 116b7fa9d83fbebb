import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import { planEdits, type TextEdit } from './files/plan-edits.ts';
import { planPreview } from './files/plan-preview.ts';
import { changesPath, toolPath } from './files/tool-path.ts';
import { writeChange } from './files/write-change.ts';
import prose from './multi-edit.md';
import { looseInput } from './result/loose-input.ts';

type Input = { path: string; edits: TextEdit[] };

const maxEdits = 100;

export const multiEdit = defineTool<Input>({
  name: 'multi_edit',
  aliases: ['MultiEdit'],
  inputAliases: { file_path: 'path', filename: 'path', changes: 'edits' },
  prose,
  input: looseInput({
    path: toolPath,
    edits: z
      .array(
        z.object({
          old_string: z.string(),
          new_string: z.string(),
          replace_all: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(maxEdits),
  }),
  effect: 'write',
  editTool: 'edit_file',
  ...changesPath,
  preview: async (input, ctx) => planPreview(await planEdits(input, ctx)),
  async run(input, ctx) {
    const planned = await planEdits(input, ctx);
    return 'status' in planned ? planned : writeChange(planned, ctx.signal);
  },
});

import { z } from 'zod';
import { defineTool } from '#protocol/tool.ts';
import prose from './edit-file.md';
import { planEdits, type TextEdit } from './files/plan-edits.ts';
import { planPreview } from './files/plan-preview.ts';
import { changesPath, toolPath } from './files/tool-path.ts';
import { writeChange } from './files/write-change.ts';
import { looseInput } from './result/loose-input.ts';

type Input = TextEdit & { path: string };

export const editFile = defineTool<Input>({
  name: 'edit_file',
  aliases: ['Edit'],
  inputAliases: {
    file_path: 'path',
    filename: 'path',
    old: 'old_string',
    new: 'new_string',
    old_str: 'old_string',
    new_str: 'new_string',
    old_text: 'old_string',
    new_text: 'new_string',
  },
  prose,
  input: looseInput({
    path: toolPath,
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  effect: 'write',
  editTool: 'edit_file',
  ...changesPath,
  preview: async ({ path, ...edit }, ctx) => planPreview(await planEdits({ path, edits: [edit] }, ctx)),
  async run({ path, ...edit }, ctx) {
    const planned = await planEdits({ path, edits: [edit] }, ctx);
    return 'status' in planned ? planned : writeChange(planned, ctx.signal);
  },
});

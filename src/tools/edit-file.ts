import { z } from 'zod';
import { encodeText } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './edit-file.md';
import { changeTarget } from './files/change-target.ts';
import { diffView } from './files/diff-view.ts';
import { nearestLines } from './files/nearest-lines.ts';
import { planPreview } from './files/plan-preview.ts';
import { type ReplaceOutcome, replaceText } from './files/replace-text.ts';
import { absolutePath, changesPath, problemResult, toolPath } from './files/tool-path.ts';
import { type PlannedChange, writeChange } from './files/write-change.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';

type Input = { path: string; old_string: string; new_string: string; replace_all?: boolean | undefined };

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
  ...changesPath,
  preview: async (input, ctx) => planPreview(await plan(input, ctx)),
  async run(input, ctx) {
    const planned = await plan(input, ctx);
    return 'status' in planned ? planned : writeChange(planned, ctx.signal);
  },
});

async function plan(input: Input, ctx: ToolContext): Promise<PlannedChange | ToolResult> {
  if (input.old_string === '') return emptyOld;
  const target = await changeTarget(input.path, ctx, { mustBeRead: true });
  if ('status' in target) return target;
  const { shown, current } = target;
  if (!current)
    return problemResult(
      { kind: 'missing' },
      { file: absolutePath(input.path, ctx.cwd), cwd: ctx.cwd, use: 'changed' },
    );
  if (current.decoded.kind !== 'text')
    return toolError(
      'not_text',
      `${shown} is not plain text in an encoding that can be kept; edit it with a program through bash.`,
    );
  const { text, format } = current.decoded;
  const outcome = replaceText({
    text,
    eol: format.eol,
    hasBom: format.hasBom,
    oldText: input.old_string,
    newText: input.new_string,
    replaceAll: input.replace_all ?? false,
  });
  if (outcome.kind !== 'replaced') return failure(outcome, { shown, text, oldText: input.old_string });
  const bytes = encodeText(outcome.text, format);
  if (!bytes)
    return toolError(
      'invalid_argument',
      `new_string holds characters that ${shown} cannot (${format.encoding}); nothing was changed.`,
    );
  return {
    target,
    bytes,
    view: diffView({ path: shown, before: text, after: outcome.text }),
    text: `Edited ${shown}: ${count(outcome.places, 'replacement')}, ${outcome.places === 1 ? 'at' : 'first at'} line ${outcome.firstLine}.`,
  };
}

const emptyOld = toolError(
  'empty_old',
  'old_string is empty. Give the text to replace; to create or fill a file use write_file.',
);

type Failure = Exclude<ReplaceOutcome, { kind: 'replaced' }>;

function failure(
  outcome: Failure,
  { shown, text, oldText }: { shown: string; text: string; oldText: string },
): ToolResult {
  switch (outcome.kind) {
    case 'empty_old':
      return emptyOld;
    case 'no_change':
      return toolError('no_change', 'old_string and new_string are the same; nothing was changed.');
    case 'not_unique':
      return toolError(
        'not_unique',
        `old_string is not unique in ${shown}: it stands at lines ${outcome.lines.join(', ')}${outcome.isMore ? ' and more' : ''}. Add lines around it until it fits one place, or set replace_all.`,
      );
    case 'not_found':
      return toolError('not_found', `old_string was not found in ${shown}.${advice(text, oldText)}`);
  }
}

function advice(text: string, oldText: string): string {
  if (oldText.split('\n', 20).every((line) => /^\s*\d+\t/.test(line)))
    return ' It seems to hold the line numbers of read_file; leave them out.';
  const near = nearestLines(text, oldText);
  if (near.length === 0) return ' Read the file again and copy the text exactly, white space included.';
  const lines = near.map((line) => `${line.number}\t${line.text}`).join('\n');
  return ` White space and every character count. Nearest lines:\n${lines}`;
}

import { z } from 'zod';
import { encodeText, newFileFormat, withLineEnds } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import { type ChangeTarget, changeTarget } from './files/change-target.ts';
import { diffView } from './files/diff-view.ts';
import { planPreview } from './files/plan-preview.ts';
import { markRefusal } from './files/secret-marks.ts';
import { changesPath, toolPath } from './files/tool-path.ts';
import { type PlannedChange, writeChange } from './files/write-change.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { count } from './result/words.ts';
import prose from './write-file.md';

type Input = { path: string; content: string };

export const writeFile = defineTool<Input>({
  name: 'write_file',
  aliases: ['Write'],
  inputAliases: { file_path: 'path', filename: 'path', text: 'content', contents: 'content' },
  prose,
  input: looseInput({ path: toolPath, content: z.string() }),
  effect: 'write',
  ...changesPath,
  preview: async (input, ctx) => planPreview(await plan(input, ctx)),
  async run(input, ctx) {
    const planned = await plan(input, ctx);
    return 'status' in planned ? planned : writeChange(planned, ctx.signal);
  },
});

async function plan({ path, content }: Input, ctx: ToolContext): Promise<PlannedChange | ToolResult> {
  const target = await changeTarget(path, ctx, { mustBeRead: true });
  if ('status' in target) return target;
  if (!content.isWellFormed())
    return toolError('invalid_argument', 'content holds half of a character pair (a lone surrogate).');
  const refusal = markRefusal(target, content, ctx);
  if (refusal) return refusal;
  const { text, bytes, note } = encodeFor(target, content);
  const decoded = target.current?.decoded;
  const before = decoded && 'text' in decoded ? decoded.text : '';
  return {
    target,
    bytes,
    view: diffView({ path: target.shown, before: target.current ? before : null, after: text }),
    text: `${target.current ? 'Overwrote' : 'Created'} ${target.shown} (${count(lineCount(text), 'line')}).${note}`,
  };
}

/** A file that is overwritten keeps its encoding, BOM and CRLF, as far as it can. */
function encodeFor({ current }: ChangeTarget, content: string) {
  const format = current?.decoded.kind === 'text' ? current.decoded.format : newFileFormat;
  const plain = content.startsWith('\ufeff') && format.hasBom ? content.slice(1) : content;
  const text = plain.includes('\r\n') ? plain : withLineEnds(plain, format.eol);
  const bytes = encodeText(text, format);
  const wasForeign = current?.decoded.kind === 'foreign';
  if (bytes) return { text, bytes, note: wasForeign ? ' It was in another encoding and is UTF-8 now.' : '' };
  return {
    text,
    bytes: Buffer.from(text, 'utf8'),
    note: ` The file was ${format.encoding}, which lacks some of these characters; it is UTF-8 now.`,
  };
}

function lineCount(text: string): number {
  if (text === '') return 0;
  let number = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) number += 1;
  return number;
}

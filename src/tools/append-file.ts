import { z } from 'zod';
import { encodeText, newFileFormat, withLineEnds } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext } from '#protocol/tool.ts';
import prose from './append-file.md';
import { changeTarget } from './files/change-target.ts';
import { diffView } from './files/diff-view.ts';
import { notText } from './files/not-text.ts';
import { planPreview } from './files/plan-preview.ts';
import { markRefusal } from './files/secret-marks.ts';
import { changesPath, toolPath } from './files/tool-path.ts';
import { type PlannedChange, writeChange } from './files/write-change.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';

type Input = { path: string; content: string };

export const appendFile = defineTool<Input>({
  name: 'append_file',
  inputAliases: { file_path: 'path', filename: 'path', text: 'content' },
  prose,
  input: looseInput({ path: toolPath, content: z.string() }),
  effect: 'write',
  ...changesPath,
  preview: async (input, ctx) => planPreview(await plan(input, ctx)),
  async run(input, ctx) {
    const planned = await plan(input, ctx);
    if ('status' in planned) return planned;
    const result = await writeChange(planned, ctx.signal);
    return withLedgerRule(result, planned, ctx);
  },
});

async function plan({ path, content }: Input, ctx: ToolContext): Promise<PlannedChange | ToolResult> {
  const target = await changeTarget(path, ctx, { mustBeRead: false });
  if ('status' in target) return target;
  const { shown, current } = target;
  if (current && current.decoded.kind !== 'text') return notText(shown, current.decoded);
  const format = current?.decoded.kind === 'text' ? current.decoded.format : newFileFormat;
  const before = current?.decoded.kind === 'text' ? current.decoded.text : '';
  const after = before + withLineEnds(content, format.eol);
  const refusal = markRefusal(target, after, ctx);
  if (refusal) return refusal;
  const bytes = encodeText(after, format);
  if (!bytes)
    return toolError(
      'invalid_argument',
      `content holds characters that ${shown} cannot (${format.encoding}); nothing was appended.`,
    );
  const joins = before !== '' && !before.endsWith('\n');
  return {
    target,
    bytes,
    view: diffView({ path: shown, before: current ? before : null, after }),
    text: current
      ? `Appended to ${shown}.${joins ? ' The file did not end with a newline, so the text continues its last line.' : ''}`
      : `Created ${shown}.`,
  };
}

/** Appending to a file that the model has not seen does not make it known: the rest of it still is not. */
function withLedgerRule(result: ToolResult, { target }: PlannedChange, ctx: ToolContext): ToolResult {
  const isKnown = !target.current || ctx.ledger.seen(target.real) === target.current.sha256;
  if (isKnown) return result;
  const { fileStates: _unknown, ...rest } = result;
  return rest;
}

import path from 'node:path';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { log } from '#lib/log.ts';
import type { ToolContent, ToolResult } from '#protocol/message.ts';
import { lineAfter, lineBefore } from '../context/line-ends.ts';

export type ResultLimit = { maxChars: number; filesDir: string; callId: string };

/**
 * The one place where what a tool says is cut for the model. The whole goes to a file beside the thread, and the
 * model is told what is missing and how to get it. Text that is no valid Unicode is mended on the way.
 */
export async function limitResult(result: ToolResult, limit: ResultLimit): Promise<ToolResult> {
  const forModel = result.forModel.map((content) =>
    content.kind === 'text' ? { ...content, text: content.text.toWellFormed() } : content,
  );
  const total = forModel.reduce(
    (sum, content) => sum + (content.kind === 'text' ? content.text.length : 0),
    0,
  );
  if (total <= limit.maxChars) return { ...result, forModel };
  const whole = forModel.flatMap((content) => (content.kind === 'text' ? [content.text] : [])).join('\n');
  const file = await store(whole, limit);
  const images = forModel.filter((content): content is ToolContent => content.kind !== 'text');
  return { ...result, forModel: [{ kind: 'text', text: cut(whole, { limit, file }) }, ...images] };
}

async function store(text: string, { filesDir, callId }: ResultLimit): Promise<string | undefined> {
  const file = path.join(filesDir, `${callId}.txt`);
  try {
    await writePrivateFile(file, text);
    return file;
  } catch (error) {
    log('a whole tool result could not be stored:', error);
    return undefined;
  }
}

/** Two thirds from the start, one third from the end, where errors and sums stand. */
function cut(text: string, { limit, file }: { limit: ResultLimit; file: string | undefined }): string {
  const headEnd = lineBefore(text, Math.floor((limit.maxChars * 2) / 3));
  const tailStart = lineAfter(text, text.length - Math.floor(limit.maxChars / 3));
  const head = text.slice(0, headEnd).toWellFormed();
  const tail = text.slice(tailStart).toWellFormed();
  const middle = text.slice(headEnd, tailStart);
  const lines = middle.split('\n').length - 1;
  const size = lines > 1 ? `${lines} lines (${middle.length} characters)` : `${middle.length} characters`;
  const pointer = file
    ? `The whole output is in ${file}: read parts of it with read_file and offset, or search it with grep_search.`
    : 'The whole output could not be stored. Narrow the call down to get the rest.';
  return `${head}\n\n[… ${size} left out here. ${pointer}]\n\n${tail}`;
}

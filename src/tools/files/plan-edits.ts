import { encodeText } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { toolError } from '../result/tool-error.ts';
import { count } from '../result/words.ts';
import { changeTarget } from './change-target.ts';
import { diffView } from './diff-view.ts';
import type { Tolerance } from './loose-match.ts';
import { nearestLines } from './nearest-lines.ts';
import { notText } from './not-text.ts';
import { problemResult } from './problem-result.ts';
import { type ReplaceOutcome, replaceText } from './replace-text.ts';
import { markAdvice, markRefusal } from './secret-marks.ts';
import { absolutePath } from './tool-path.ts';
import type { PlannedChange } from './write-change.ts';

export type TextEdit = { old_string: string; new_string: string; replace_all?: boolean | undefined };

/** Replacements in one file, one after the other in memory; the first that fails is the result. */
export async function planEdits(
  { path, edits }: { path: string; edits: readonly TextEdit[] },
  ctx: ToolContext,
): Promise<PlannedChange | ToolResult> {
  const empty = edits.findIndex((edit) => edit.old_string === '');
  if (empty !== -1) return inEdit(emptyOld, { edits, index: empty });
  const target = await changeTarget(path, ctx, { mustBeRead: true });
  if ('status' in target) return target;
  const { shown, current } = target;
  if (!current)
    return problemResult({ kind: 'missing' }, { file: absolutePath(path, ctx.cwd), ctx, use: 'changed' });
  if (current.decoded.kind !== 'text') return notText(shown, current.decoded);
  const { text: before, format } = current.decoded;
  let text = before;
  const done: Extract<ReplaceOutcome, { kind: 'replaced' }>[] = [];
  for (const [index, { old_string: oldText, new_string: newText, replace_all }] of edits.entries()) {
    const { eol, hasBom } = format;
    const outcome = replaceText({ text, eol, hasBom, oldText, newText, replaceAll: replace_all ?? false });
    if (outcome.kind !== 'replaced')
      return inEdit(failure(outcome, { shown, text, oldText }), { edits, index });
    text = outcome.text;
    done.push(outcome);
  }
  const refusal = markRefusal(target, text, ctx);
  if (refusal) return refusal;
  const bytes = encodeText(text, format);
  if (!bytes)
    return toolError(
      'invalid_argument',
      `new_string holds characters that ${shown} cannot (${format.encoding}); nothing was changed.`,
    );
  return {
    target,
    bytes,
    view: diffView({ path: shown, before, after: text, same: done.length === 1 ? done[0]?.same : undefined }),
    text: done.length === 1 && done[0] ? oneText(shown, done[0]) : manyText(shown, done),
  };
}

type Replaced = Extract<ReplaceOutcome, { kind: 'replaced' }>;

function oneText(shown: string, { places, firstLine, tolerance }: Replaced): string {
  const where = places === 1 ? 'at' : 'first at';
  return `Edited ${shown}: ${count(places, 'replacement')}, ${where} line ${firstLine}.${toleranceNote(tolerance)}`;
}

function manyText(shown: string, done: readonly Replaced[]): string {
  const places = done.reduce((sum, outcome) => sum + outcome.places, 0);
  const notes = done.flatMap(({ tolerance }, index) =>
    tolerance ? [` Edit ${index + 1}:${toleranceNote(tolerance)}`] : [],
  );
  return `Edited ${shown}: ${count(done.length, 'edit')}, ${count(places, 'replacement')}.${notes.join('')}`;
}

/** The model shall know that what it remembers of the file was not quite right. */
export function toleranceNote(tolerance: Tolerance | undefined): string {
  switch (tolerance) {
    case undefined:
      return '';
    case 'indentation':
      return ' The old text fitted but for its indentation; the new text got that of the file.';
    default:
      return ` The old text fitted but for ${tolerance}; around the change that of the file was kept.`;
  }
}

const emptyOld = toolError(
  'empty_old',
  'old_string is empty. Give the text to replace; to create or fill a file use write_file.',
);

/** Of several edits the model must know which one it was, and that the others were not made either. */
function inEdit(
  result: ToolResult,
  { edits, index }: { edits: readonly TextEdit[]; index: number },
): ToolResult {
  if (edits.length === 1) return result;
  const [first] = result.forModel;
  const why = first?.kind === 'text' ? first.text : '';
  const text = `Edit ${index + 1} of ${edits.length} failed, and none was made. ${why}`;
  return { ...result, forModel: [{ kind: 'text', text }] };
}

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
    case 'not_unique': {
      const where = `at lines ${outcome.lines.join(', ')}${outcome.isMore ? ' and more' : ''}`;
      const text = outcome.isLoose
        ? `old_string is not in ${shown} exactly; what is alike stands ${where}. Copy the text of one place exactly, with lines around it.`
        : `old_string is not unique in ${shown}: it stands ${where}. Add lines around it until it fits one place, or set replace_all.`;
      return toolError('not_unique', text);
    }
    case 'not_found':
      return toolError('not_found', `old_string was not found in ${shown}.${advice(text, oldText)}`);
  }
}

function advice(text: string, oldText: string): string {
  if (oldText.split('\n', 20).every((line) => /^\s*\d+\t/.test(line)))
    return ' It seems to hold the line numbers of read_file; leave them out.';
  const marks = markAdvice(oldText);
  if (marks !== '') return marks;
  const near = nearestLines(text, oldText);
  if (near.length === 0) return ' Read the file again and copy the text exactly, white space included.';
  const lines = near.map((line) => `${line.number}\t${line.text}`).join('\n');
  return ` White space and every character count. Nearest lines:\n${lines}`;
}

import { lstat } from 'node:fs/promises';
import { encodeText, newFileFormat, withLineEnds } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import type { ToolContext } from '#protocol/tool.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { type ChangeTarget, changeTarget } from '../files/change-target.ts';
import { diffView } from '../files/diff-view.ts';
import type { Tolerance } from '../files/loose-match.ts';
import { nearestLines } from '../files/nearest-lines.ts';
import { notText } from '../files/not-text.ts';
import { problemResult } from '../files/problem-result.ts';
import { markAdvice, markRefusal } from '../files/secret-marks.ts';
import { absolutePath } from '../files/tool-path.ts';
import { toolError } from '../result/tool-error.ts';
import { applyChunks } from './apply-chunks.ts';
import type { FilePatch } from './patch.ts';

/** One file as it will be: `bytes` null = it goes. */
export type PlannedFile = {
  target: ChangeTarget;
  bytes: Buffer | null;
  view: DiffView;
  tolerances: Tolerance[];
};

/** All changes of a patch worked out in memory; the first that cannot be made is the result. */
export async function planPatch(
  files: readonly FilePatch[],
  ctx: ToolContext,
): Promise<PlannedFile[] | ToolResult> {
  const planned: PlannedFile[] = [];
  for (const file of files) {
    const plan = await planFile(file, ctx);
    if ('status' in plan) return files.length === 1 ? plan : asOneOf(plan, files.length);
    planned.push(...plan);
  }
  const real = planned.map(({ target }) => target.real);
  const twice = planned.find(({ target }, index) => real.indexOf(target.real) !== index);
  if (twice)
    return toolError(
      'invalid_argument',
      `${twice.target.shown} is changed twice in this patch; nothing was changed.`,
    );
  return planned;
}

function asOneOf(result: ToolResult, files: number): ToolResult {
  const [first] = result.forModel;
  const why = first?.kind === 'text' ? first.text : '';
  return { ...result, forModel: [{ kind: 'text', text: `${why} None of the ${files} files was changed.` }] };
}

async function planFile(file: FilePatch, ctx: ToolContext): Promise<PlannedFile[] | ToolResult> {
  // The lines of a patch show that the model knows what it changes.
  const target = await changeTarget(file.path, ctx, { mustBeRead: false });
  if ('status' in target) return target;
  if (file.kind === 'add') return planAdd(target, file.text);
  const { shown, current } = target;
  const absolute = absolutePath(file.path, ctx.cwd);
  if (!current) return problemResult({ kind: 'missing' }, { file: absolute, ctx, use: 'changed' });
  if (file.kind === 'delete' || file.moveTo !== undefined) {
    if ((await lstat(absolute)).isSymbolicLink())
      return toolError('not_a_file', `${shown} is a symbolic link; remove or move it with bash.`);
  }
  const before = 'text' in current.decoded ? current.decoded.text : '';
  const removed = { target, bytes: null, view: removal(shown, before), tolerances: [] };
  if (file.kind === 'delete') return [removed];
  if (current.decoded.kind !== 'text') return notText(shown, current.decoded);
  const { format } = current.decoded;
  const applied = applyChunks(before, { chunks: file.chunks, eol: format.eol });
  if ('problem' in applied) return notApplied(shown, { problem: applied.problem, before });
  const refusal = markRefusal(target, applied.text, ctx);
  if (refusal) return refusal;
  const bytes = encodeText(applied.text, format);
  if (!bytes)
    return toolError(
      'invalid_argument',
      `The patch holds characters that ${shown} cannot (${format.encoding}).`,
    );
  const { tolerances } = applied;
  const changed = (place: ChangeTarget): PlannedFile => ({
    target: place,
    bytes,
    view: diffView({ path: place.shown, before, after: applied.text }),
    tolerances,
  });
  if (file.moveTo === undefined)
    return applied.text === before
      ? toolError('no_change', `The patch leaves ${shown} as it is.`)
      : [changed(target)];
  const place = await changeTarget(file.moveTo, ctx, { mustBeRead: false });
  if ('status' in place) return place;
  if (place.current)
    return toolError('invalid_argument', `${place.shown} exists already; nothing was moved there.`);
  return [
    { ...changed(place), view: { ...changed(place).view, path: `${shown} -> ${place.shown}` } },
    { ...removed, view: { ...removed.view, hunks: [], added: 0, removed: 0 } },
  ];
}

function planAdd(target: ChangeTarget, text: string): PlannedFile[] | ToolResult {
  if (target.current)
    return toolError('invalid_argument', `${target.shown} exists already; change it with "*** Update File".`);
  const bytes = encodeText(withLineEnds(text, '\n'), newFileFormat);
  if (!bytes)
    return toolError('invalid_argument', 'The patch holds half of a character pair (a lone surrogate).');
  return [
    { target, bytes, view: diffView({ path: target.shown, before: null, after: text }), tolerances: [] },
  ];
}

function removal(shown: string, before: string): DiffView {
  return { ...diffView({ path: shown, before, after: '' }), change: 'delete' };
}

function notApplied(shown: string, { problem, before }: { problem: string; before: string }): ToolResult {
  const isMissing = problem.includes('not in the file');
  const marks = isMissing ? markAdvice(problem) : '';
  if (marks !== '')
    return toolError('not_found', `The patch does not fit ${shown}: ${problem}\n${marks.trim()}`);
  const near = isMissing ? nearestLines(before, problem.slice(problem.indexOf('\n') + 1)) : [];
  const lines = near.map((line) => `${line.number}\t${line.text}`).join('\n');
  const advice = near.length > 0 ? `\nNearest lines:\n${lines}` : isMissing ? '\nRead the file again.' : '.';
  const code = problem.includes('several places') ? 'not_unique' : 'not_found';
  return toolError(code, `The patch does not fit ${shown}: ${problem}${advice}`);
}

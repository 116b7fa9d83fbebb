import path from 'node:path';
import { displayPath } from '#lib/paths.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import { wrapRuns } from '#lib/wrap.ts';
import type { DecisionReason, PermissionRequest } from '#protocol/permission.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { type Span, span } from '../../theme/span.ts';
import { paragraph, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { commandEditor } from './command-editor.ts';
import {
  editableCommand,
  type PermissionDialog,
  type PermissionTask,
  ruleProblem,
} from './permission-dialog.ts';
import { requestRows } from './request-rows.ts';

/** With less than this, words are saved. */
const wideCells = 56;
/** A folder with a longer name gets a row of its own. */
const placeCells = 32;

/** What a permission dialog needs besides its own state. */
export type PermissionScene = ViewScene & {
  /** The folder of the session, and how the person knows it. */
  readonly cwd: string;
  readonly cwdLabel: string;
  /** Requests that wait, with this one. */
  readonly asks: number;
  /** Calls that come after them and may ask too. */
  readonly callsBehind: number;
};

export function permissionSheet(dialog: PermissionDialog, scene: PermissionScene): Sheet {
  const { request, task } = dialog;
  const isWide = scene.width >= wideCells;
  const place = `in ${placeText(request.cwd, scene)}`;
  const isPlaceInTitle = isWide && textWidth(place) <= placeCells;
  const queue = scene.asks > 1 ? `1 of ${scene.asks}` : '';
  const behind = scene.callsBehind === 0 ? '' : behindText(scene.callsBehind, isWide);
  const note = [isPlaceInTitle ? place : '', queue, behind].filter((part) => part !== '').join(' · ');
  const base = {
    frame: 'box' as const,
    title: titleOf(request, { room: scene.width - textWidth(note) - 6, scene }),
    note,
    head: [],
    body: { ...staticBody(requestRows(request, scene.width), dialog.scroll), counter: 'loud' as const },
  };
  const placeRows = isPlaceInTitle ? [] : paragraph(place, { width: scene.width, token: 'dim' });
  const reasons = [...reasonRows(request.reasons, scene.width), ...placeRows];
  switch (task.kind) {
    case 'ask':
      return { ...base, foot: reasons, keys: askKeys(request, isWide) };
    case 'always':
      return { ...base, foot: ruleRows(task, request, scene.width), keys: ruleKeys };
    case 'edit':
      return {
        ...base,
        head: [row(span('the command, as it should run instead', 'dim'))],
        body: commandEditor(task.command, scene.width),
        foot: [],
        keys: editKeys,
      };
    case 'reason':
      return { ...base, foot: [reasonField(task)], keys: reasonKeys };
  }
}

function behindText(calls: number, isWide: boolean): string {
  if (!isWide) return `+${calls}`;
  return calls === 1 ? '1 more call waits' : `${calls} more calls wait`;
}

function titleOf(
  { tool, command, view, cwd }: PermissionRequest,
  { room, scene }: { room: number; scene: PermissionScene },
): string {
  const name = cleanName(tool);
  if (command !== undefined) return `${name} wants to run`;
  if (view?.kind === 'diffs') return `${name} wants to change ${view.files.length} files`;
  if (view?.kind !== 'diff') return `${name} asks for permission`;
  const start =
    scene.width >= wideCells ? `${name} wants to ${verbs[view.change]} ` : `${verbs[view.change]} `;
  const shown = cleanName(displayPath(path.resolve(cwd, view.path), scene.cwd));
  return start + truncateStart(shown, Math.max(12, room - textWidth(start)));
}

const verbs: Readonly<Record<DiffView['change'], string>> = {
  create: 'create',
  modify: 'change',
  delete: 'delete',
};

function placeText(cwd: string, scene: PermissionScene): string {
  return cleanName(cwd === scene.cwd ? scene.cwdLabel : displayPath(cwd, scene.cwd));
}

function askKeys(request: PermissionRequest, isWide: boolean): readonly KeyHint[] {
  const rule = request.suggestedRule;
  const always = isWide && rule !== undefined ? `always: ${cleanName(rule)} in this project` : 'always…';
  return [
    { key: 'y', does: 'once' },
    ...(rule === undefined ? [] : [{ key: 'a', does: always }]),
    ...(editableCommand(request) === undefined ? [] : [{ key: 'e', does: 'edit' }]),
    { key: 'n', does: 'no' },
    { key: 'd', does: isWide ? 'no, and say why' : 'no, because…' },
    { key: 'Esc', does: isWide ? 'no, and stop' : 'stop' },
  ];
}

const ruleKeys: readonly KeyHint[] = [
  { key: 'Enter', does: 'add the rule and go ahead' },
  { key: 'Tab', does: 'where it holds' },
  { key: 'Esc', does: 'back' },
];
const editKeys: readonly KeyHint[] = [
  { key: 'Enter', does: 'run this instead' },
  { key: 'Alt+Enter', does: 'new line' },
  { key: 'Esc', does: 'back' },
];
const reasonKeys: readonly KeyHint[] = [
  { key: 'Enter', does: 'say no' },
  { key: 'Esc', does: 'back' },
];

/** Why it is asked, the check's id behind each reason so that it can be looked up and talked about. */
function reasonRows(reasons: readonly DecisionReason[], width: number): readonly SheetRow[] {
  const label = width >= wideCells ? 'asks because  ' : '';
  const room = Math.max(8, width - label.length);
  return reasons.flatMap((reason, index) =>
    wrapRuns(reasonSpans(reason), room).map((spans, part) =>
      row(span(index === 0 && part === 0 ? label : ' '.repeat(label.length), 'dim'), ...spans),
    ),
  );
}

function reasonSpans({ text, check, rule, source, line }: DecisionReason): readonly Span[] {
  const at = line === undefined ? '' : `:${line}`;
  const where = source === undefined ? '' : ` from ${cleanName(source)}${at}`;
  return [
    span(cleanName(text)),
    span(` (${cleanName(check)})`, 'dim'),
    ...(rule === undefined ? [] : [span(` rule ${cleanName(rule)}${where}`, 'dim')]),
  ];
}

function ruleRows(
  task: Extract<PermissionTask, { kind: 'always' }>,
  request: PermissionRequest,
  width: number,
): readonly SheetRow[] {
  const isWide = width >= wideCells;
  const place = isWide ? 'in this ' : '';
  const rule = task.rule.text.trim();
  const problem = ruleProblem(rule);
  const remark = problem ?? coverText(rule);
  return [
    {
      kind: 'field',
      label: [span(isWide ? 'always allow  ' : 'always ', 'dim')],
      field: task.rule,
      placeholder: 'Tool(pattern)',
      isFocused: true,
    },
    row(
      span(isWide ? 'holds         ' : 'in     ', 'dim'),
      ...scopeSpans(`${place}project`, task.scope === 'project'),
      span('   '),
      ...scopeSpans(`${place}session`, task.scope === 'session'),
    ),
    ...(remark === '' ? [] : paragraph(remark, { width, token: problem ? 'error' : 'warning' })),
    ...(rule === request.suggestedRule ? exampleRows(request, width) : []),
  ];
}

/** What the rule lets run from now on, and what is asked for as before. */
function exampleRows({ ruleExamples }: PermissionRequest, width: number): readonly SheetRow[] {
  const isWide = width >= wideCells;
  const line = (label: string, examples: readonly string[]) =>
    examples.length === 0
      ? []
      : [
          row(
            span(isWide ? label.padEnd(14) : `${label} `, 'dim'),
            span(
              truncateEnd(
                examples.map(cleanName).join(' · '),
                Math.max(8, width - (isWide ? 14 : label.length + 1)),
              ),
            ),
          ),
        ];
  return [...line('covers', ruleExamples?.covers ?? []), ...line('still asks', ruleExamples?.leaves ?? [])];
}

function scopeSpans(text: string, isChosen: boolean): readonly Span[] {
  return isChosen ? [span('● ', 'accent'), span(text)] : [span(`○ ${text}`, 'dim')];
}

/** What a rule without a pattern, or with one that begins with a wildcard, really lets through. */
function coverText(rule: string): string {
  const pattern = /^\w+\((.*)\)$/su.exec(rule)?.[1];
  if (pattern === undefined) return `covers every call of ${cleanName(rule)}`;
  return /^[*:]/.test(pattern) ? 'covers nearly everything that this tool can do' : '';
}

function reasonField(task: Extract<PermissionTask, { kind: 'reason' }>): SheetRow {
  return {
    kind: 'field',
    label: [span('no, because  ', 'dim')],
    field: task.reason,
    placeholder: 'what to do instead; the model reads it and goes on',
    isFocused: true,
  };
}

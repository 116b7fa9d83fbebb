import { cleanText } from '#lib/terminal-text.ts';
import type { JsonValue } from '#protocol/json.ts';
import type { PermissionAnswer, PermissionRequest } from '#protocol/permission.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type EditorState, emptyEditor } from '../../prompt/editor.ts';
import { type DialogEffect, type KeyScene, type Step, step } from '../dialog-step.ts';
import { scrollByKey } from '../scroll-keys.ts';
import { editField, editLines, emptyField, fieldOf, type TextField } from '../text-field.ts';

export type RuleScope = 'session' | 'project';

/** What the person is doing with a request: answering, or writing something that goes with the answer. */
export type PermissionTask =
  | { readonly kind: 'ask' }
  | { readonly kind: 'always'; readonly rule: TextField; readonly scope: RuleScope }
  | { readonly kind: 'edit'; readonly command: EditorState }
  | { readonly kind: 'reason'; readonly reason: TextField };

export type PermissionDialog = {
  readonly kind: 'permission';
  readonly request: PermissionRequest;
  readonly task: PermissionTask;
  /** First row in view of what would be run or written. */
  readonly scroll: number;
};

export function openPermission(request: PermissionRequest): PermissionDialog {
  return { kind: 'permission', request, task: { kind: 'ask' }, scroll: 0 };
}

export function reducePermission(
  dialog: PermissionDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<PermissionDialog> | undefined {
  switch (dialog.task.kind) {
    case 'ask':
      return reduceAsk(dialog, key, scene);
    case 'always':
      return reduceAlways(dialog, dialog.task, { key, scene });
    case 'edit':
      return reduceEdit(dialog, dialog.task, { key, scene });
    case 'reason':
      return reduceReason(dialog, dialog.task, { key, scene });
  }
}

/**
 * The command as the person may rewrite it; undefined when the call runs none or names it otherwise. Free of
 * everything that one would not see: what is sent back is what was on the screen.
 */
export function editableCommand({ command, input }: PermissionRequest): string | undefined {
  if (command === undefined || !isRecord(input)) return undefined;
  return typeof input['command'] === 'string' ? cleanText(input['command']) : undefined;
}

/** What keeps a text from being a rule; undefined when it can be one. */
export function ruleProblem(rule: string): string | undefined {
  if (/^[A-Za-z_]\w*(\(.+\))?$/su.test(rule.trim())) return undefined;
  return 'a rule is written Tool or Tool(pattern)';
}

type AskKey = 'once' | 'always' | 'edit' | 'no' | 'reason' | 'stop';
const askKeys: Readonly<Partial<Record<string, AskKey>>> = {
  y: 'once',
  a: 'always',
  e: 'edit',
  n: 'no',
  d: 'reason',
  escape: 'stop',
};

function reduceAsk(
  dialog: PermissionDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<PermissionDialog> | undefined {
  switch (askKeys[keyName(key)]) {
    case 'once':
      return answer(dialog, { kind: 'once' });
    case 'no':
      return answer(dialog, { kind: 'reject' });
    case 'stop':
      return answer(dialog, { kind: 'reject' }, { kind: 'submit', action: { kind: 'interrupt' } });
    case 'reason':
      return withTask(dialog, { kind: 'reason', reason: emptyField });
    case 'always': {
      const rule = dialog.request.suggestedRule;
      if (rule === undefined) return step(dialog);
      return withTask(dialog, { kind: 'always', rule: fieldOf(rule), scope: 'project' });
    }
    case 'edit': {
      const command = editableCommand(dialog.request);
      if (command === undefined) return withTask(dialog, { kind: 'reason', reason: emptyField });
      return withTask(dialog, {
        kind: 'edit',
        command: { ...emptyEditor, text: command, cursor: command.length },
      });
    }
    case undefined: {
      const scroll = scrollByKey(dialog.scroll, key, { scene, arrows: true });
      return scroll === undefined ? undefined : step({ ...dialog, scroll });
    }
  }
}

type KeyAt = { key: KeyPress; scene: KeyScene };

function reduceAlways(
  dialog: PermissionDialog,
  task: Extract<PermissionTask, { kind: 'always' }>,
  { key, scene }: KeyAt,
): Step<PermissionDialog> | undefined {
  switch (keyName(key)) {
    case 'escape':
      return withTask(dialog, { kind: 'ask' });
    case 'tab':
    case 'shift+tab':
      return withTask(dialog, { ...task, scope: task.scope === 'project' ? 'session' : 'project' });
    case 'enter': {
      const rule = task.rule.text.trim();
      return ruleProblem(rule) ? step(dialog) : answer(dialog, { kind: 'always', rule, scope: task.scope });
    }
  }
  const rule = editField(task.rule, key, scene.keymap);
  return rule ? withTask(dialog, { ...task, rule }) : scrollBeside(dialog, { key, scene });
}

function reduceEdit(
  dialog: PermissionDialog,
  task: Extract<PermissionTask, { kind: 'edit' }>,
  { key, scene }: KeyAt,
): Step<PermissionDialog> | undefined {
  const { request } = dialog;
  switch (keyName(key)) {
    case 'escape':
      return withTask(dialog, { kind: 'ask' });
    case 'enter': {
      const command = task.command.text;
      // An untouched command is not an answer: the person may have looked at it only.
      const isSame = command.trim() === '' || command === editableCommand(request);
      if (isSame || !isRecord(request.input)) return withTask(dialog, { kind: 'ask' });
      return answer(dialog, { kind: 'edit', input: { ...request.input, command } });
    }
  }
  const command = editLines(task.command, key, scene);
  return command ? withTask(dialog, { ...task, command }) : scrollBeside(dialog, { key, scene });
}

function reduceReason(
  dialog: PermissionDialog,
  task: Extract<PermissionTask, { kind: 'reason' }>,
  { key, scene }: KeyAt,
): Step<PermissionDialog> | undefined {
  switch (keyName(key)) {
    case 'escape':
      return withTask(dialog, { kind: 'ask' });
    case 'enter': {
      const feedback = task.reason.text.trim();
      return answer(dialog, feedback === '' ? { kind: 'reject' } : { kind: 'reject', feedback });
    }
  }
  const reason = editField(task.reason, key, scene.keymap);
  return reason ? withTask(dialog, { ...task, reason }) : scrollBeside(dialog, { key, scene });
}

/** Beside a field only the keys scroll that no field uses. */
function scrollBeside(dialog: PermissionDialog, { key, scene }: KeyAt): Step<PermissionDialog> | undefined {
  const scroll = scrollByKey(dialog.scroll, key, { scene, arrows: false });
  return scroll === undefined ? undefined : step({ ...dialog, scroll });
}

function withTask(dialog: PermissionDialog, task: PermissionTask): Step<PermissionDialog> {
  return step({ ...dialog, task });
}

function answer(
  dialog: PermissionDialog,
  given: PermissionAnswer,
  ...more: DialogEffect[]
): Step<PermissionDialog> {
  const requestId = dialog.request.id;
  return step(
    dialog,
    { kind: 'submit', action: { kind: 'answer-permission', requestId, answer: given } },
    ...more,
  );
}

function isRecord(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

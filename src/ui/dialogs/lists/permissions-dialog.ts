import { cleanName } from '#lib/terminal-text.ts';
import type { DecisionRow, PermissionOverview, RuleRow } from '#protocol/permission-overview.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import { editField, emptyField, type TextField } from '../text-field.ts';

export const ruleActions = ['allow', 'ask', 'deny'] as const;
export const ruleScopes = ['project', 'session', 'user', 'shared'] as const;

type PermissionsTask =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'add';
      readonly rule: TextField;
      readonly action: (typeof ruleActions)[number];
      readonly scope: (typeof ruleScopes)[number];
    }
  | { readonly kind: 'remove'; readonly row: RuleRow };

/** The rules in force and what they decided lately. */
export type PermissionsDialog = {
  readonly kind: 'permissions';
  /** null until it is looked up. */
  readonly overview: PermissionOverview | null;
  readonly failure: string | null;
  readonly view: 'rules' | 'decisions';
  readonly picker: Picker;
  readonly task: PermissionsTask;
};

export const openPermissions: PermissionsDialog = {
  kind: 'permissions',
  overview: null,
  failure: null,
  view: 'rules',
  picker: emptyPicker,
  task: { kind: 'list' },
};

/** The row that adds a rule; it stands above the rules. */
export const addRowId = 'add';

export function withOverview(dialog: PermissionsDialog, overview: PermissionOverview): PermissionsDialog {
  return selectFirst({ ...dialog, overview });
}

export type PermissionsRow =
  | { readonly kind: 'add'; readonly id: typeof addRowId }
  | { readonly kind: 'rule'; readonly id: string; readonly rule: RuleRow }
  | { readonly kind: 'decision'; readonly id: string; readonly decision: DecisionRow };

export function shownRows({ overview, picker, view }: PermissionsDialog): readonly PermissionsRow[] {
  const filter = picker.filter.text;
  if (overview === null) return [];
  if (view === 'decisions')
    return matching(filter, overview.decisions, (row) => `${row.tool} ${row.what} ${row.outcome}`).map(
      (decision) => ({ kind: 'decision', id: decision.id, decision }),
    );
  const rules = matching(filter, overview.rules, (row) => `${row.action} ${row.rule} ${row.place}`);
  return [
    ...(filter === '' ? [{ kind: 'add', id: addRowId } as const] : []),
    ...rules.map((rule) => ({ kind: 'rule', id: rule.id, rule }) as const),
  ];
}

export function reducePermissions(
  dialog: PermissionsDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<PermissionsDialog> | undefined {
  switch (dialog.task.kind) {
    case 'add':
      return reduceAdd(dialog, dialog.task, { key, scene });
    case 'remove':
      return reduceRemove(dialog, dialog.task, key);
    case 'list':
      return reduceList(dialog, key, scene);
  }
}

function reduceList(
  dialog: PermissionsDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<PermissionsDialog> | undefined {
  if (keyName(key) === 'tab' || keyName(key) === 'shift+tab') {
    const view = dialog.view === 'rules' ? 'decisions' : 'rules';
    return step(selectFirst({ ...dialog, view, picker: emptyPicker }));
  }
  const rows = shownRows(dialog);
  const read = readPickerKey(dialog.picker, key, { ids: rows.map(({ id }) => id), scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter':
      return step(selectFirst({ ...dialog, picker: { ...dialog.picker, filter: read.filter } }));
    case 'choose': {
      const row = rows.find(({ id }) => id === dialog.picker.list.selected);
      if (row?.kind === 'add')
        return withTask(dialog, { kind: 'add', rule: emptyField, action: 'allow', scope: 'project' });
      return row?.kind === 'rule' && row.rule.isOwn
        ? withTask(dialog, { kind: 'remove', row: row.rule })
        : step(dialog);
    }
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

function reduceAdd(
  dialog: PermissionsDialog,
  task: Extract<PermissionsTask, { kind: 'add' }>,
  { key, scene }: { key: KeyPress; scene: KeyScene },
): Step<PermissionsDialog> | undefined {
  switch (keyName(key)) {
    case 'escape':
    case 'ctrl+c':
      return withTask(dialog, { kind: 'list' });
    case 'tab':
      return withTask(dialog, { ...task, action: after(ruleActions, task.action) });
    case 'shift+tab':
      return withTask(dialog, { ...task, scope: after(ruleScopes, task.scope) });
    case 'enter': {
      const rule = task.rule.text.trim();
      if (rule === '') return step(dialog);
      const line = `/permissions ${task.action} ${rule} --${task.scope}`;
      return step(dialog, { kind: 'close' }, { kind: 'run-command', line });
    }
  }
  const rule = editField(task.rule, key, scene.keymap);
  return rule ? withTask(dialog, { ...task, rule }) : undefined;
}

function reduceRemove(
  dialog: PermissionsDialog,
  { row }: Extract<PermissionsTask, { kind: 'remove' }>,
  key: KeyPress,
): Step<PermissionsDialog> | undefined {
  switch (keyName(key)) {
    case 'y':
      return step(
        dialog,
        { kind: 'close' },
        { kind: 'run-command', line: `/permissions remove ${row.action} ${cleanName(row.rule)}` },
      );
    case 'n':
    case 'escape':
    case 'ctrl+c':
      return withTask(dialog, { kind: 'list' });
    default:
      return undefined;
  }
}

function after<Name extends string>(names: readonly Name[], name: Name): Name {
  return names[(names.indexOf(name) + 1) % names.length] ?? name;
}

function withTask(dialog: PermissionsDialog, task: PermissionsTask): Step<PermissionsDialog> {
  return step({ ...dialog, task });
}

function selectFirst(dialog: PermissionsDialog): PermissionsDialog {
  const [first] = shownRows(dialog);
  return { ...dialog, picker: { ...dialog.picker, list: { selected: first?.id, top: 0 } } };
}

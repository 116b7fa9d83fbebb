import { cleanName } from '#lib/terminal-text.ts';
import { wrapText } from '#lib/wrap.ts';
import type { DecisionRow, RuleRow } from '#protocol/permission-overview.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { cell, columnWidth } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import {
  blankRow,
  paragraph,
  row,
  type Sheet,
  type SheetRow,
  staticBody,
  type ViewScene,
} from '../sheet/sheet.ts';
import { emptyText } from './config-view.ts';
import {
  type PermissionsDialog,
  type PermissionsRow,
  ruleActions,
  ruleScopes,
  shownRows,
} from './permissions-dialog.ts';

/** Always as many rows under the list: it must not jump while one moves through it. */
const footRows = 4;

const actionTokens: Readonly<Record<RuleRow['action'], ThemeToken>> = {
  allow: 'success',
  ask: 'warning',
  deny: 'error',
};

export function permissionsSheet(dialog: PermissionsDialog, { width }: ViewScene): Sheet {
  const { overview, failure, picker, task, view } = dialog;
  const mode = overview === null ? '' : `mode ${overview.mode}`;
  const rows = shownRows(dialog);
  const ids = rows.map(({ id }) => id);
  const base = {
    frame: 'box' as const,
    title: view === 'rules' ? 'permission rules' : 'what was decided',
    note: [mode, task.kind === 'list' ? listNote(picker.list, ids) : ''].filter(Boolean).join(' · '),
  };
  if (task.kind === 'add')
    return {
      ...base,
      title: 'a new rule',
      head: [
        {
          kind: 'field',
          label: [span('rule   ', 'dim')],
          field: task.rule,
          placeholder: 'Bash(npm run build:*)',
          isFocused: true,
        },
        row(span('does   ', 'dim'), ...choices(ruleActions, task.action)),
        row(span('holds  ', 'dim'), ...choices(ruleScopes, task.scope)),
      ],
      body: staticBody([blankRow, ...paragraph(scopeTexts[task.scope], { width, token: 'dim' })]),
      foot: [],
      keys: [
        { key: 'Enter', does: 'add' },
        { key: 'Tab', does: 'what it does' },
        { key: 'Shift+Tab', does: 'where it holds' },
        { key: 'Esc', does: 'back' },
      ],
    };
  if (task.kind === 'remove')
    return {
      ...base,
      title: 'take this rule out?',
      head: [],
      body: staticBody([
        row(
          span(`${task.row.action} `, actionTokens[task.row.action]),
          span(cleanName(task.row.rule), 'code'),
        ),
        ...paragraph(`from ${cleanName(task.row.place)}`, { width, token: 'dim' }),
      ]),
      foot: [],
      keys: [
        { key: 'y', does: 'take it out' },
        { key: 'n', does: 'keep it' },
      ],
    };
  const selected = rows.find(({ id }) => id === picker.list.selected);
  return {
    ...base,
    head: [filterRow(picker.filter)],
    body: {
      ...(rows.length === 0
        ? staticBody([row(span(noRowsText(dialog), failure === null ? 'dim' : 'error'))])
        : listBody(picker.list, rows, { idOf: ({ id }) => id, draw: drawRow(rows, width) })),
      reserve: Math.min(8, (overview?.rules.length ?? 0) + 1),
    },
    foot: footOf(selected, width),
    keys: listKeys(dialog, selected),
  };
}

const scopeTexts: Readonly<Record<(typeof ruleScopes)[number], string>> = {
  project: 'In this project, for you; kept with you and not in the project.',
  session: 'Until this session ends.',
  user: 'In every project, for you: in your config file.',
  shared: 'In the config file of the project, for everybody; it can ask and deny, never allow.',
};

function choices<Name extends string>(names: readonly Name[], chosen: Name): Span[] {
  return names.flatMap((name) =>
    name === chosen ? [span('● ', 'accent'), span(`${name}  `)] : [span(`○ ${name}  `, 'dim')],
  );
}

function noRowsText({ overview, failure, picker, view }: PermissionsDialog): string {
  const isNone = overview !== null && failure === null && picker.filter.text === '';
  return isNone && view === 'decisions'
    ? 'nothing was decided in this project yet'
    : emptyText(overview === null ? null : [], failure);
}

function drawRow(rows: readonly PermissionsRow[], width: number): (item: PermissionsRow) => Span[] {
  const places = rows.flatMap((each) => (each.kind === 'rule' ? [cleanName(each.rule.place)] : []));
  const placeWidth = columnWidth(places, { min: 8, max: Math.floor(width * 0.4) });
  return (item) => {
    switch (item.kind) {
      case 'add':
        return [span('+ add a rule', 'accent')];
      case 'rule': {
        const { action, rule, place, problem } = item.rule;
        const room = Math.max(8, width - 2 - 6 - 2 - placeWidth - 2);
        const mark = problem === undefined ? span('  ') : span('! ', 'warning');
        return [
          cell(action, 6, actionTokens[action]),
          mark,
          cell(cleanName(rule), room, 'code'),
          span('  '),
          cell(cleanName(place), placeWidth, 'dim'),
        ];
      }
      case 'decision': {
        const { when, what, tool, outcome } = item.decision;
        const outcomeWidth = Math.min(24, Math.floor(width / 3));
        const room = Math.max(8, width - 2 - 9 - outcomeWidth - 2);
        const name = tool === 'bash' ? '' : `${cleanName(tool)} `;
        return [
          cell(when.slice(-8), 9, 'dim'),
          cell(`${name}${cleanName(what)}`, room, 'code'),
          span('  '),
          cell(outcome, outcomeWidth),
        ];
      }
    }
  };
}

function footOf(selected: PermissionsRow | undefined, width: number): readonly SheetRow[] {
  const rows = footLines(selected, width).slice(0, footRows);
  return [...rows, ...Array.from({ length: footRows - rows.length }, () => blankRow)];
}

function footLines(selected: PermissionsRow | undefined, width: number): SheetRow[] {
  switch (selected?.kind) {
    case 'rule':
      return ruleLines(selected.rule, width);
    case 'decision':
      return decisionLines(selected.decision, width);
    case 'add':
      return paragraph(
        'Deny rules come first, then ask, then allow; what none of them is about, the mode decides.',
        {
          width,
          token: 'dim',
        },
      );
    case undefined:
      return [];
  }
}

function ruleLines({ action, rule, place, problem }: RuleRow, width: number): SheetRow[] {
  return [
    ...wrapText(`${action} ${cleanName(rule)}`, width)
      .slice(0, 2)
      .map((line) => row(span(line))),
    ...(problem === undefined
      ? paragraph(`from ${cleanName(place)}`, { width, token: 'dim' })
      : paragraph(`! ${cleanName(problem)}`, { width, token: 'warning' })),
  ];
}

function decisionLines({ when, what, outcome, why }: DecisionRow, width: number): SheetRow[] {
  const [call = ''] = wrapText(cleanName(what), width);
  return [
    row(span(call, 'code')),
    ...paragraph(`${when}  ${outcome}`, { width, token: 'text' }),
    ...why.flatMap((reason) => paragraph(cleanName(reason), { width, token: 'dim' })),
  ];
}

function listKeys({ picker, view }: PermissionsDialog, selected: PermissionsRow | undefined): KeyHint[] {
  const enter =
    selected?.kind === 'add'
      ? 'new rule'
      : selected?.kind === 'rule' && selected.rule.isOwn
        ? 'take out'
        : '';
  return [
    { key: '↑↓', does: 'move' },
    ...(enter === '' ? [] : [{ key: 'Enter', does: enter }]),
    { key: 'Tab', does: view === 'rules' ? 'decisions' : 'rules' },
    { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
  ];
}

import { cleanName } from '#lib/terminal-text.ts';
import { wrapRuns } from '#lib/wrap.ts';
import type { CommandSpec } from '#protocol/command.ts';
import type { Keymap } from '../../input/keymap.ts';
import { type Span, span } from '../../theme/span.ts';
import { matching } from '../matching.ts';
import { cell, columnWidth } from '../sheet/columns.ts';
import { filterRow } from '../sheet/list-rows.ts';
import { row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type HelpDialog, helpTabs } from './help-dialog.ts';
import { keyHelp } from './key-help.ts';

/** What there is to tell of. */
export type HelpScene = ViewScene & { readonly commands: readonly CommandSpec[]; readonly keymap: Keymap };

export function helpSheet(dialog: HelpDialog, scene: HelpScene): Sheet {
  const rowsOf = dialog.tab === 'keys' ? keyRows : commandRows;
  const rows = rowsOf(dialog.filter.text, scene);
  const hasTabs = scene.width >= 56;
  return {
    frame: 'box',
    title: hasTabs ? 'help' : `help: ${dialog.tab}`,
    note: '',
    head: [...(hasTabs ? [row(...tabs(dialog))] : []), filterRow(dialog.filter)],
    body: {
      ...staticBody(rows.length > 0 ? rows : [row(span('nothing matches', 'dim'))], dialog.scroll),
      reserve: rowsOf('', scene).length,
    },
    foot: [],
    keys: [
      { key: '←→', does: dialog.tab === 'keys' ? 'commands' : 'keys' },
      { key: '↑↓', does: 'scroll' },
      { key: 'Esc', does: dialog.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

function tabs({ tab }: HelpDialog): readonly Span[] {
  return helpTabs.flatMap((each) => [
    each === tab ? span(` ${each} `, 'accent', 'inverse') : span(` ${each} `, 'dim'),
    span(' '),
  ]);
}

function keyRows(filter: string, scene: HelpScene): SheetRow[] {
  const all = [...extraKeys, ...keyHelp(scene.keymap)];
  const shown = matching(filter, all, ({ keys, does, section }) => `${keys} ${does} ${section}`);
  const width = columnWidth(
    shown.map(({ keys }) => keys),
    { min: 8, max: Math.min(32, Math.floor(scene.width * 0.45)) },
  );
  return shown.flatMap(({ section, keys, does }, index) => {
    const isFirst = filter === '' && section !== shown[index - 1]?.section;
    const title = isFirst ? [...(index === 0 ? [] : [row(span(''))]), row(span(section, 'heading'))] : [];
    return [...title, ...explained(cell(keys, width, 'accent'), [span(does)], { width, room: scene.width })];
  });
}

const gap = 2;

/** What stands on the left, and beside it as many rows as its explanation needs. */
function explained(
  left: Span,
  explanation: readonly Span[],
  { width, room }: { width: number; room: number },
): SheetRow[] {
  return wrapRuns(explanation, room - width - gap).map((spans, index) =>
    row(index === 0 ? left : span(' '.repeat(width)), span(' '.repeat(gap)), ...spans),
  );
}

/** What no table of keys knows: marks that a prompt begins with. */
const extraKeys = [
  { section: 'a prompt that begins with', keys: '/', does: 'runs a command of llmcode' },
  {
    section: 'a prompt that begins with',
    keys: '!',
    does: 'runs a shell command; the model sees its output',
  },
  { section: 'a prompt that begins with', keys: '# ', does: 'is remembered for later sessions' },
  { section: 'a prompt that begins with', keys: '@', does: 'names a file, also further on in the text' },
];

function commandRows(filter: string, scene: HelpScene): SheetRow[] {
  const shown = matching(filter, scene.commands, ({ name, aliases, summary }) =>
    [name, ...aliases, summary].join(' '),
  );
  const usages = new Map(shown.map((command) => [command, usageText(command)]));
  const width = columnWidth([...usages.values()], {
    min: 8,
    max: Math.min(32, Math.floor(scene.width * 0.45)),
  });
  return shown.flatMap((command) => {
    const others = command.aliases.map((alias) => `/${cleanName(alias)}`).join(' ');
    const explanation = [
      span(cleanName(command.summary)),
      ...(others === '' ? [] : [span(`  also ${others}`, 'dim')]),
    ];
    const usage = cell(usages.get(command) ?? '', width, 'accent');
    return explained(usage, explanation, { width, room: scene.width });
  });
}

function usageText({ name, args }: CommandSpec): string {
  return cleanName(`/${name}${args === '' ? '' : ` ${args}`}`);
}

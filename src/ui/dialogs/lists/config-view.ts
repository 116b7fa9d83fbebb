import { cleanName } from '#lib/terminal-text.ts';
import { textWidth } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import { span } from '../../theme/span.ts';
import { cell, columnWidth } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { blankRow, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type ConfigDialog, matchingSettings, type SettingRow } from './config-dialog.ts';

const valueRows = 2;

export function configSheet(dialog: ConfigDialog, { width }: ViewScene): Sheet {
  const { rows, failure, picker } = dialog;
  const shown = matchingSettings(dialog);
  const texts = shown.map(cleanRow);
  const keyWidth = columnWidth(
    texts.map(({ key }) => key),
    { min: 8, max: Math.floor(width / 3) },
  );
  const originWidth = columnWidth(
    texts.map(({ origin }) => origin),
    { min: 6, max: Math.floor(width / 4) },
  );
  const valueWidth = Math.max(4, width - 2 - keyWidth - originWidth - 4);
  const selected = texts.find((_row, index) => shown[index]?.key === picker.list.selected);
  return {
    frame: 'box',
    title: 'settings',
    note: listNote(
      picker.list,
      shown.map(({ key }) => key),
    ),
    head: [filterRow(picker.filter)],
    body: {
      ...(shown.length === 0
        ? staticBody([row(span(emptyText(rows, failure), failure === null ? 'dim' : 'error'))])
        : listBody(picker.list, shown, {
            idOf: ({ key }) => key,
            draw: (setting, { isSelected }) => {
              const { key, value, origin } = cleanRow(setting);
              return [
                cell(key, keyWidth, isSelected ? 'accent' : 'text'),
                span('  '),
                cell(value, valueWidth, 'code'),
                span('  '),
                cell(origin, originWidth, 'dim'),
              ];
            },
          })),
      reserve: rows?.length ?? 0,
    },
    foot: wholeSetting(selected, width),
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

export function emptyText(rows: readonly unknown[] | null, failure: string | null): string {
  if (failure !== null) return cleanName(failure);
  return rows === null ? 'reading…' : 'nothing matches';
}

function cleanRow({ key, value, origin }: SettingRow): SettingRow {
  return { key: cleanName(key), value: cleanName(value), origin: cleanName(origin) };
}

/** Always as many rows: the list must not jump while one moves through it. */
function wholeSetting(setting: SettingRow | undefined, width: number): readonly SheetRow[] {
  const lines = setting ? wrapText(`${setting.key} = ${setting.value}`, width).slice(0, valueRows) : [];
  const rows = lines.map((line) => row(span(line)));
  const blanks = Array.from({ length: valueRows - rows.length }, () => blankRow);
  return [...rows, ...blanks, row(span(setting ? originText(setting, width) : '', 'dim'))];
}

/** Where it came from and, where there is room, how to change it. */
function originText({ key, origin }: SettingRow, width: number): string {
  const from = `from ${origin}`;
  const whole = `${from} · change it: /config set ${key} …`;
  return textWidth(whole) <= width ? whole : from;
}

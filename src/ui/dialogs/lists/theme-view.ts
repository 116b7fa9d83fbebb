import { cleanName } from '#lib/terminal-text.ts';
import { span } from '../../theme/span.ts';
import { listBody } from '../sheet/list-rows.ts';
import { row, type Sheet } from '../sheet/sheet.ts';
import type { ThemeDialog } from './theme-dialog.ts';

export function themeSheet(dialog: ThemeDialog): Sheet {
  return {
    frame: 'box',
    title: 'theme',
    note: '',
    head: [],
    body: listBody(dialog.list, dialog.ids, {
      idOf: (id) => id,
      draw: (id, { isSelected }) => [
        span(id === dialog.before ? '● ' : '  ', 'accent'),
        span(cleanName(id), isSelected ? 'accent' : 'text'),
        ...(id === 'auto' ? [span('   dark or light, as the terminal is', 'dim')] : []),
      ],
    }),
    foot: [
      row(
        span('accent ', 'accent'),
        span('done ', 'success'),
        span('careful ', 'warning'),
        span('failed ', 'error'),
        span('+added ', 'diffAdded'),
        span('−removed ', 'diffRemoved'),
        span('code', 'code'),
      ),
    ],
    keys: [
      { key: '↑↓', does: 'try' },
      { key: 'Enter', does: 'keep' },
      { key: 'Esc', does: 'back to what it was' },
    ],
  };
}

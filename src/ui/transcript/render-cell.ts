import { paintSpans, span } from '../theme/span.ts';
import type { Cell } from './cell.ts';
import { type CellContext, type CellRows, columnsOf } from './cell-context.ts';
import { assistantRows } from './cells/assistant-text.ts';
import { consultRows } from './cells/consult.ts';
import { compactionRows, cutRows, noticeRows, turnEndRows } from './cells/marks.ts';
import { reasoningRows } from './cells/reasoning.ts';
import { shellRows } from './cells/shell.ts';
import { toolRows } from './cells/tool.ts';
import { toolGroupRows } from './cells/tool-group.ts';
import { imageSpan, userRows } from './cells/user.ts';
import type { Row } from './row.ts';

/** A cell as finished rows. Pure: the same cell in the same context has the same rows. */
export function renderCell(cell: Cell, context: CellContext): CellRows<Row> {
  switch (cell.kind) {
    case 'user':
      return userRows(cell, context);
    case 'text':
      return assistantRows(cell, context);
    case 'reasoning':
      return reasoningRows(cell, context);
    case 'tool':
      return toolRows(cell, context);
    case 'tool-group':
      return toolGroupRows(cell, context);
    case 'shell':
      return shellRows(cell, context);
    case 'image': {
      const indent = span(' '.repeat(columnsOf(context.width).text));
      const image = imageSpan({ name: cell.name, mediaType: '' });
      return { rows: [paintSpans(context.theme, [indent, image])], canExpand: false };
    }
    case 'notice':
      return noticeRows(cell, context);
    case 'consult':
      return consultRows(cell, context);
    case 'cut':
      return cutRows(cell, context);
    case 'turn-end':
      return turnEndRows(cell, context);
    case 'compaction':
      return compactionRows(cell, context);
  }
}

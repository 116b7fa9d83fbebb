// Free of React, like all that the boot stage draws with.
import { cleanName } from '#lib/terminal-text.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { cursorPosition, type EditorState, layoutOf } from '../prompt/editor.ts';
import { promptCells, promptCursorColumn, promptRow, purposeOf } from '../prompt/prompt-rows.ts';
import { keyHints } from '../status/hints.ts';
import { statusRow } from '../status/status-line.ts';
import { paintSpans, type Span, span } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';
import { welcomeHints, welcomeRows } from '../transcript/welcome.ts';
import { layoutFrame, sideMargin } from './frame.ts';
import { ruleSpans } from './rule-spans.ts';

/** What is known before anything but the user's own settings was read. */
export type FirstScene = {
  readonly theme: Theme;
  readonly version: string;
  readonly cwdLabel: string;
  readonly mode: PermissionMode;
  /** The prompt is edited as in Vim. */
  readonly isVim: boolean;
};

type Cell = { readonly x: number; readonly y: number };

/** The rows that the screen has while its thread is being opened, put together from what it draws with itself. */
export function firstFrame(
  { theme, version, cwdLabel, mode, isVim }: FirstScene,
  { columns, rows, draft }: { columns: number; rows: number; draft: EditorState },
): { readonly rows: readonly string[]; readonly cursor: Cell } {
  const margin = sideMargin(columns);
  const place = { width: columns, margin };
  const cells = promptCells(columns, margin);
  const { rows: draftRows } = layoutOf(draft, cells);
  const frame = layoutFrame({ ...resting, rows, prompt: draftRows.length });
  const paint = (spans: readonly Span[]) => paintSpans(theme, spans);
  const folder = cleanName(cwdLabel);
  const welcome = welcomeRows(
    { version, cwdLabel: folder, model: '', hints: welcomeHints },
    { width: columns, theme },
  ).slice(0, frame.transcript);
  const above = [
    ...welcome,
    ...Array.from({ length: frame.transcript - welcome.length }, () => ''),
    ...(frame.topRule > 0 ? [paint(ruleSpans({ use: purposeOf(draft.text), ...place }))] : []),
  ];
  const left = span(' '.repeat(margin));
  const prompt = draftRows
    .slice(0, frame.prompt)
    .map((row, index) => paint([left, ...promptRow(draft, { row, index, cells, isBusy: false })]));
  const vim = isVim ? vimStart : '';
  const status = statusRow({ ...unknown, mode, vim, folder, hints: hintsFor(draft) }, place);
  const cursor = cursorPosition(draft, cells);
  return {
    rows: [
      ...above,
      ...prompt,
      ...(frame.bottomRule > 0 ? [paint(ruleSpans({ use: 'message', ...place }))] : []),
      paint(status),
    ],
    cursor: { x: promptCursorColumn(draft, { cursor, margin }), y: above.length + cursor.row },
  };
}

/** Vim's keys begin in the mode that types; all of them is too much to load for its name. */
const vimStart = 'INSERT';

const resting = { popup: 0, pending: 0, isBusy: false, hasTodos: false, dialog: 0 };

const unknown = {
  model: '',
  provider: '',
  isStandIn: false,
  aside: '',
  contextShare: null,
  tokens: '',
  cost: '',
  branch: '',
};

function hintsFor({ text }: EditorState) {
  return keyHints({
    isLeaving: false,
    hasDialog: false,
    isSearching: false,
    hasCompletion: false,
    isBusy: false,
    isFollowing: true,
    draft: text.trim() === '' ? 'empty' : 'text',
    canGoOn: false,
  });
}

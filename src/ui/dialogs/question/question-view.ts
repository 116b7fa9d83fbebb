import { cleanText } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { span } from '../../theme/span.ts';
import { marker } from '../sheet/list-rows.ts';
import {
  blankRow,
  paragraph,
  row,
  type Sheet,
  type SheetRow,
  staticBody,
  type ViewScene,
} from '../sheet/sheet.ts';
import { type QuestionDialog, whereIn } from './question-dialog.ts';

export function questionSheet(dialog: QuestionDialog, { width }: ViewScene): Sheet {
  const at = whereIn(dialog);
  const answers = answerRows(dialog, width);
  const text = expandTabs(cleanText(at?.question.question ?? '').trim());
  const asked = paragraph(text, { width, token: 'text' });
  // A very long question scrolls with its answers.
  const isLong = asked.length > headRows;
  const rows = isLong ? [...asked, blankRow, ...answers.rows] : answers.rows;
  const reveal = answers.reveal + rows.length - answers.rows.length;
  const count = dialog.request.questions.length;
  return {
    frame: 'box',
    title: oneLine(at?.question.header ?? '') || 'a question for you',
    note: count > 1 ? `${dialog.index + 1} of ${count}` : '',
    head: isLong ? [] : asked,
    body: { ...staticBody(rows, dialog.scroll ?? 0), ...(dialog.scroll === null ? { reveal } : {}) },
    foot: [],
    keys: keysOf(dialog),
  };
}

const headRows = 12;

function answerRows(dialog: QuestionDialog, width: number): { rows: SheetRow[]; reveal: number } {
  const at = whereIn(dialog);
  if (!at) return { rows: [], reveal: 0 };
  const { question, draft, isOnText } = at;
  const rows: SheetRow[] = [];
  let reveal = 0;
  for (const [index, option] of question.options.entries()) {
    const isSelected = draft.row === index;
    if (isSelected) reveal = rows.length;
    const tick = question.multiSelect ? (draft.ticked.includes(index) ? '[x] ' : '[ ] ') : '';
    const number = `${index < 9 ? index + 1 : ' '} `;
    const indent = ' '.repeat(2 + number.length + tick.length);
    const room = Math.max(4, width - indent.length);
    for (const [part, line] of wrapText(oneLine(option.label), room).entries())
      rows.push(
        part === 0
          ? row(
              marker(isSelected),
              span(number, 'dim'),
              span(tick),
              span(line, isSelected ? 'accent' : 'text'),
            )
          : row(span(indent), span(line, isSelected ? 'accent' : 'text')),
      );
    if (option.description)
      for (const line of wrapText(oneLine(option.description), room))
        rows.push(row(span(indent), span(line, 'dim')));
  }
  if (isOnText) reveal = rows.length;
  rows.push({
    kind: 'field',
    label: [marker(isOnText)],
    field: draft.text,
    placeholder: question.options.length === 0 ? 'type your answer' : 'or type your own answer',
    isFocused: isOnText,
  });
  return { rows, reveal };
}

function keysOf(dialog: QuestionDialog): readonly KeyHint[] {
  const at = whereIn(dialog);
  const isLast = dialog.index === dialog.request.questions.length - 1;
  const hasOptions = (at?.question.options.length ?? 0) > 0;
  return [
    ...(hasOptions ? [{ key: '↑↓', does: 'move' }] : []),
    ...(at?.question.multiSelect && hasOptions ? [{ key: 'Space', does: 'tick' }] : []),
    { key: 'Enter', does: isLast ? 'answer' : 'next' },
    ...(dialog.index > 0 ? [{ key: 'Shift+Tab', does: 'back' }] : []),
    { key: 'Esc', does: at?.isOnText && at.draft.text.text !== '' ? 'clear' : 'decline' },
  ];
}

function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim();
}

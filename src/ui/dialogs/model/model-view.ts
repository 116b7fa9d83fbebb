import { formatWindow } from '#lib/amounts.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelChoice, ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { clipSpans, type Span, span } from '../../theme/span.ts';
import { cell, cellRight, columnWidth } from '../sheet/columns.ts';
import { filterRow, listBody, listNote, type RowPlace } from '../sheet/list-rows.ts';
import { blankRow, paragraph, row, type Sheet, type SheetRow, type ViewScene } from '../sheet/sheet.ts';
import type { ModelDialog } from './model-dialog.ts';
import { abilitiesText, factsText, priceText } from './model-facts.ts';
import {
  currentRowId,
  hasOffers,
  isAmong,
  type ModelRow,
  modelRows,
  refOf,
  rowIds,
  ways,
} from './model-rows.ts';
import { preflightSheet } from './preflight-view.ts';
import { providerFormSheet } from './provider-form-view.ts';
import { rowEffort, rowLevels, rowRef } from './row-effort.ts';

export function modelSheet(dialog: ModelDialog, scene: ViewScene): Sheet {
  if (dialog.card) return preflightSheet(dialog.card, { ...scene, isCardOnly: dialog.isCardOnly });
  if (dialog.form) return providerFormSheet(dialog.form, scene);
  const { picker, isFirstRun } = dialog;
  const rows = modelRows(dialog, picker.filter.text);
  const columns = columnsFor(dialog, { rows, width: scene.width - 2 });
  const selected = rows.find((item) => item.id === picker.list.selected);
  return {
    frame: isFirstRun ? 'bar' : 'box',
    title: isFirstRun ? 'Which model should work here?' : 'model',
    note: noteText(dialog, rows),
    head: [...problemRows(dialog, scene.width), filterRow(picker.filter)],
    body: {
      ...listBody(picker.list, rows, {
        idOf: (item) => item.id,
        draw: (item, place) => drawRow(item, { dialog, place, columns }),
      }),
      reserve: modelRows(dialog, '').length,
    },
    foot: selectedRows(dialog, selected, scene.width),
    keys: keysFor(dialog, selected),
  };
}

function noteText({ checking, isSearching, picker }: ModelDialog, rows: readonly ModelRow[]): string {
  if (checking) return `looking at ${cleanName(checking.model)}…`;
  return isSearching ? 'looking for servers…' : listNote(picker.list, rowIds(rows));
}

function keysFor(dialog: ModelDialog, selected: ModelRow | undefined): KeyHint[] {
  return [
    { key: '↑↓', does: 'move' },
    { key: 'Enter', does: 'choose' },
    ...(rowLevels(selected).length > 0 ? [{ key: '←→', does: 'effort' }] : []),
    ...(selected?.kind === 'choice' && !dialog.isFirstRun ? [{ key: 'Ctrl+F', does: '★' }] : []),
    { key: 'Ctrl+R', does: 'refresh' },
    { key: 'Esc', does: leaveText(dialog) },
  ];
}

function leaveText({ picker, isFirstRun }: ModelDialog): string {
  if (picker.filter.text !== '') return 'clear filter';
  return isFirstRun ? 'quit' : 'close';
}

/** What is missing: why, and what to do about it. */
function problemRows({ choices, silent, isSearching, failure }: ModelDialog, width: number): SheetRow[] {
  const lines: SheetRow[] = [];
  if (failure !== null) lines.push(...paragraph(cleanName(failure), { width, token: 'error' }));
  lines.push(...silentRows(silent, width));
  if (hasOffers(choices)) return lines;
  if (isSearching) return [...lines, row(span('looking on this machine and in the environment…', 'dim'))];
  if (silent.length > 0) return [...lines, row(span('Start it and press Ctrl+R.', 'dim'))];
  return [
    ...lines,
    ...paragraph('No server answers on this machine, and no API key is set in the environment.', {
      width,
      token: 'warning',
    }),
    ...paragraph(
      'Start Ollama, LM Studio, vLLM or llama.cpp and press Ctrl+R; or set a key such as ANTHROPIC_API_KEY, ' +
        'OPENAI_API_KEY or GEMINI_API_KEY and start llmcode again.',
      { width, token: 'dim' },
    ),
  ];
}

const shownSilent = 2;

/** A provider of the person that does not answer is named; the models of others are there all the same. */
function silentRows(silent: ModelDialog['silent'], width: number): SheetRow[] {
  const lines = silent
    .slice(0, shownSilent)
    .map(
      ({ provider, address, reason }) =>
        `${cleanName(provider)} does not answer: ${cleanName(reason)} (${cleanName(address)})`,
    );
  const more = silent.length - lines.length;
  if (more > 0) lines.push(`and ${more} more that do not answer`);
  return lines.map((line) => row(...clipSpans([span(line, 'warning')], width)));
}

type FactColumn = 'context' | 'can' | 'price';
type Columns = {
  readonly provider: number;
  readonly model: number;
  readonly facts: readonly FactColumn[];
  readonly can: number;
  readonly detail: number;
  readonly hasMarks: boolean;
};

const factWidths: Readonly<Record<FactColumn, number>> = { context: 5, can: 13, price: 10 };
/** With everything in it, where there is room. */
const wideCan = 19;
/** What goes first when the room is short. */
const dropOrder: readonly FactColumn[] = ['can', 'price', 'context'];
const gap = 2;
const markCells = 4;

function columnsFor(
  dialog: ModelDialog,
  { rows, width }: { rows: readonly ModelRow[]; width: number },
): Columns {
  const refs = rows.flatMap((item) => rowRef(dialog, item) ?? []);
  const { current, marks } = dialog;
  const provider = columnWidth(
    refs.map((ref) => cleanName(ref.provider)),
    { min: 6, max: width < 50 ? 9 : 14 },
  );
  const wanted = columnWidth(
    refs.map((ref) => modelText(ref)),
    { min: 16, max: 48 },
  );
  const hasMarks = current !== null || marks.recent.length > 0 || marks.favourites.length > 0;
  const room = width - provider - gap - (hasMarks ? markCells : 0);
  let facts: readonly FactColumn[] = ['context', 'can', 'price'];
  const factsWidth = () => facts.reduce((sum, fact) => sum + factWidths[fact] + gap, 0);
  for (const fact of dropOrder)
    if (room - factsWidth() < Math.min(wanted, 24)) facts = facts.filter((other) => other !== fact);
  const isWide = facts.includes('can') && room - factsWidth() - (wideCan - factWidths.can) >= wanted;
  const can = isWide ? wideCan : factWidths.can;
  const taken = factsWidth() + (isWide ? wideCan - factWidths.can : 0);
  const model = Math.max(1, Math.min(wanted, room - taken));
  const left = room - taken - model - gap;
  return { provider, model, facts, can, detail: left >= 20 ? left : 0, hasMarks };
}

function drawRow(
  item: ModelRow,
  { dialog, place, columns }: { dialog: ModelDialog; place: RowPlace<ModelRow>; columns: Columns },
): readonly Span[] {
  const name = place.isSelected ? 'accent' : 'text';
  const marks = columns.hasMarks ? markSpans(item, dialog) : [];
  const ref = rowRef(dialog, item);
  if (!ref) {
    const { label, detail } = item.kind === 'add' ? ways.add : ways.demo;
    return [...marks, cell(label, columns.provider + gap + 8, name), span(detail, 'dim')];
  }
  const isSameProvider = place.above !== undefined && refOf(place.above)?.provider === ref.provider;
  const choice = item.kind === 'choice' ? item.choice : undefined;
  return [
    ...marks,
    cell(isSameProvider ? '' : cleanName(ref.provider), columns.provider, 'dim'),
    span(' '.repeat(gap)),
    cell(modelText(ref), columns.model, name),
    ...columns.facts.flatMap((fact) => [span(' '.repeat(gap)), factCell(fact, choice?.info, columns.can)]),
    ...(columns.detail > 0 && choice ? [span(' '.repeat(gap)), span(detailText(choice), 'dim')] : []),
  ];
}

/** In use now or used lately; and whether the person marked it. */
function markSpans(item: ModelRow, dialog: ModelDialog): Span[] {
  const ref = refOf(item);
  if (!ref) return [span(' '.repeat(markCells))];
  const isCurrent = item.id === currentRowId(dialog);
  const isRecent = isAmong(dialog.marks.recent, ref);
  const use = isCurrent ? span('● ', 'accent') : span(isRecent ? '↺ ' : '  ', 'dim');
  return [use, span(isAmong(dialog.marks.favourites, ref) ? '★ ' : '  ', 'warning')];
}

function factCell(fact: FactColumn, info: ModelInfo | undefined, canCells: number): Span {
  const width = fact === 'can' ? canCells : factWidths[fact];
  if (!info) return cell('', width);
  switch (fact) {
    case 'context':
      return cellRight(formatWindow(info.contextWindow.value), width);
    case 'can':
      return cell(abilitiesText(info, width), width, toolCallingOf(info) === 'none' ? 'warning' : 'dim');
    case 'price':
      return cell(priceText(info), width, costsNothing(info) ? 'success' : 'dim');
  }
}

/** What there is to know of the selected row; always as many rows, so that the list does not jump. */
function selectedRows(dialog: ModelDialog, item: ModelRow | undefined, width: number): readonly SheetRow[] {
  const [title, more] = selectedTexts(dialog, item);
  const count = 2;
  const lines = paragraph(more, { width, token: 'dim' }).slice(0, count);
  const blanks = Array.from({ length: count - lines.length }, () => blankRow);
  return [row(span(title)), ...lines, ...blanks];
}

function selectedTexts(
  dialog: ModelDialog,
  item: ModelRow | undefined,
): readonly [title: string, more: string] {
  switch (item?.kind) {
    case 'choice': {
      const { info } = item.choice;
      const levels = ['default', ...rowLevels(item)];
      const present = rowEffort(dialog, item) ?? 'default';
      const shown = levels.map((level) => (level === present ? `‹${level}›` : level)).join(' ');
      const effort = levels.length > 1 ? `effort ${shown}   ` : '';
      return [effort + detailText(item.choice), info ? factsText(info) : 'nothing else is known of it'];
    }
    case 'typed':
      return ['not in the list of its provider', 'it is asked for as you typed it'];
    case 'add':
      return [
        'vLLM, a gateway, another vendor: whatever speaks the OpenAI protocol',
        'what will be written is shown first',
      ];
    case 'demo':
      return [
        'a scripted session on a copy of a small project',
        'to see how tools, questions and edits look, without a model',
      ];
    case undefined:
      return ['', ''];
  }
}

function detailText({ detail, label, ref }: ModelChoice): string {
  const name = label !== ref.model && label !== formatModelRef(ref) ? `${label} · ` : '';
  return cleanName(name + detail);
}

function modelText({ model, effort }: ModelRef): string {
  return cleanName(effort ? `${model}#${effort}` : model);
}

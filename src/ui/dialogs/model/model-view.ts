import { formatWindow } from '#lib/amounts.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { ModelChoice, ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight, columnWidth } from '../sheet/columns.ts';
import { filterRow, listBody, listNote, type RowPlace } from '../sheet/list-rows.ts';
import { blankRow, paragraph, row, type Sheet, type SheetRow, type ViewScene } from '../sheet/sheet.ts';
import type { ModelDialog } from './model-dialog.ts';
import { factsText, priceText } from './model-facts.ts';
import { currentRowId, hasOffers, type ModelRow, modelRows, rowIds, ways } from './model-rows.ts';
import { providerFormSheet } from './provider-form-view.ts';

export function modelSheet(dialog: ModelDialog, scene: ViewScene): Sheet {
  if (dialog.form) return providerFormSheet(dialog.form, scene);
  const { picker, isFirstRun, isSearching, current } = dialog;
  const rows = modelRows(dialog, picker.filter.text);
  const columns = columnsFor(rows, { width: scene.width - 2, hasCurrent: current !== null });
  const currentId = currentRowId(dialog);
  return {
    frame: isFirstRun ? 'bar' : 'box',
    title: isFirstRun ? 'Which model should work here?' : 'model',
    note: isSearching ? 'looking for servers…' : listNote(picker.list, rowIds(rows)),
    head: [...missingRows(dialog, scene.width), filterRow(picker.filter)],
    body: {
      ...listBody(picker.list, rows, {
        idOf: (item) => item.id,
        draw: (item, place) => drawRow(item, { place, columns, isCurrent: item.id === currentId }),
      }),
      reserve: modelRows(dialog, '').length,
    },
    foot: selectedRows(
      rows.find((item) => item.id === picker.list.selected),
      scene.width,
    ),
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'choose' },
      { key: 'Ctrl+R', does: 'look again' },
      { key: 'Esc', does: leaveText(dialog) },
    ],
  };
}

function leaveText({ picker, isFirstRun }: ModelDialog): string {
  if (picker.filter.text !== '') return 'clear filter';
  return isFirstRun ? 'quit' : 'close';
}

/** Nothing was found: why, and what to do about it. */
function missingRows({ choices, isSearching, failure }: ModelDialog, width: number): SheetRow[] {
  const lines: SheetRow[] = [];
  if (failure !== null)
    lines.push(...paragraph(`The search failed: ${cleanName(failure)}`, { width, token: 'error' }));
  if (hasOffers(choices)) return lines;
  if (isSearching) return [...lines, row(span('looking on this machine and in the environment…', 'dim'))];
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

type FactColumn = 'context' | 'tools' | 'images' | 'price';
type Columns = {
  readonly provider: number;
  readonly model: number;
  readonly facts: readonly FactColumn[];
  readonly detail: number;
  readonly hasCurrent: boolean;
};

const factWidths: Readonly<Record<FactColumn, number>> = { context: 5, tools: 8, images: 6, price: 10 };
/** What goes first when the room is short. */
const dropOrder: readonly FactColumn[] = ['images', 'price', 'tools', 'context'];
const gap = 2;

function columnsFor(
  rows: readonly ModelRow[],
  { width, hasCurrent }: { width: number; hasCurrent: boolean },
): Columns {
  const refs = rows.flatMap((item) => refOf(item) ?? []);
  const provider = columnWidth(
    refs.map((ref) => cleanName(ref.provider)),
    { min: 6, max: width < 50 ? 9 : 14 },
  );
  const wanted = columnWidth(
    refs.map((ref) => modelText(ref)),
    { min: 16, max: 48 },
  );
  const room = width - provider - gap - (hasCurrent ? 2 : 0);
  let facts: readonly FactColumn[] = ['context', 'tools', 'images', 'price'];
  const factsWidth = () => facts.reduce((sum, fact) => sum + factWidths[fact] + gap, 0);
  for (const fact of dropOrder)
    if (room - factsWidth() < Math.min(wanted, 24)) facts = facts.filter((other) => other !== fact);
  const model = Math.max(1, Math.min(wanted, room - factsWidth()));
  const left = room - factsWidth() - model - gap;
  return { provider, model, facts, detail: left >= 20 ? left : 0, hasCurrent };
}

function drawRow(
  item: ModelRow,
  { place, columns, isCurrent }: { place: RowPlace<ModelRow>; columns: Columns; isCurrent: boolean },
): readonly Span[] {
  const name = place.isSelected ? 'accent' : 'text';
  const currentMark = columns.hasCurrent ? [span(isCurrent ? '● ' : '  ', 'accent')] : [];
  const ref = refOf(item);
  if (!ref) {
    const { label, detail } = item.kind === 'add' ? ways.add : ways.demo;
    return [...currentMark, cell(label, columns.provider + gap + 8, name), span(detail, 'dim')];
  }
  const isSameProvider = place.above !== undefined && refOf(place.above)?.provider === ref.provider;
  const choice = item.kind === 'choice' ? item.choice : undefined;
  return [
    ...currentMark,
    cell(isSameProvider ? '' : cleanName(ref.provider), columns.provider, 'dim'),
    span(' '.repeat(gap)),
    cell(modelText(ref), columns.model, name),
    ...columns.facts.flatMap((fact) => [span(' '.repeat(gap)), factCell(fact, choice?.info)]),
    ...(columns.detail > 0 && choice ? [span(' '.repeat(gap)), span(detailText(choice), 'dim')] : []),
  ];
}

function factCell(fact: FactColumn, info: ModelInfo | undefined): Span {
  const width = factWidths[fact];
  if (!info) return cell('', width);
  switch (fact) {
    case 'context':
      return cellRight(formatWindow(info.contextWindow.value), width);
    case 'tools':
      return info.tools.value ? cell('tools', width, 'dim') : cell('no tools', width, 'warning');
    case 'images':
      return cell(info.images.value ? 'images' : '', width, 'dim');
    case 'price':
      return cell(priceText(info), width, costsNothing(info) ? 'success' : 'dim');
  }
}

/** What there is to know of the selected row; always as many rows, so that the list does not jump. */
function selectedRows(item: ModelRow | undefined, width: number): readonly SheetRow[] {
  const [title, more] = selectedTexts(item);
  const count = width >= 110 ? 1 : 2;
  const lines = paragraph(more, { width, token: 'dim' }).slice(0, count);
  const blanks = Array.from({ length: count - lines.length }, () => blankRow);
  return [row(span(title)), ...lines, ...blanks];
}

function selectedTexts(item: ModelRow | undefined): readonly [title: string, more: string] {
  switch (item?.kind) {
    case 'choice': {
      const { info } = item.choice;
      return [detailText(item.choice), info ? factsText(info) : 'nothing else is known of it'];
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

function refOf(item: ModelRow): ModelRef | undefined {
  if (item.kind === 'choice') return item.choice.ref;
  return item.kind === 'typed' ? item.ref : undefined;
}

function modelText({ model, effort }: ModelRef): string {
  return cleanName(effort ? `${model}#${effort}` : model);
}

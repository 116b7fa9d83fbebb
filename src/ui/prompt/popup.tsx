import { useSyncExternalStore } from 'react';
import { cleanName } from '#lib/terminal-text.ts';
import { padToWidth, textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import type { CommandSpec } from '#protocol/command.ts';
import { Rows } from '../frame/row.tsx';
import { type Span, span } from '../theme/span.ts';
import { type Completion, type CompletionItem, completionRows } from './completion.ts';
import type { PromptStore } from './prompt-store.ts';
import { searchRow } from './search-row.ts';

/** What stands above the prompt: a search, or what can be completed. */
export function Popup({ prompt, rows, width, margin }: PopupProps) {
  const { search, completion, wantsArgument } = useSyncExternalStore(prompt.subscribe, prompt.getState);
  const inside = width - margin * 2;
  const shown = search
    ? [searchRow(search, inside)]
    : completion
      ? completionLines(completion, { rows, width: inside })
      : wantsArgument
        ? [usageRow(wantsArgument, inside)]
        : [];
  return <Rows rows={shown.slice(0, rows)} margin={margin} />;
}

type PopupProps = {
  readonly prompt: PromptStore;
  readonly rows: number;
  readonly width: number;
  readonly margin: number;
};

/** A command cannot run yet: what it takes. */
function usageRow({ name, args, summary }: CommandSpec, width: number): readonly Span[] {
  const usage = truncateEnd(`/${cleanName(name)} ${cleanName(args)}`, width - 2);
  const room = width - 2 - textWidth(usage) - 3;
  return [
    span('  '),
    span(usage, 'warning'),
    ...(room >= 8 ? [span(`   ${truncateEnd(cleanName(summary), room)}`, 'dim')] : []),
  ];
}

/** Rows that the popup would like. */
export function popupRows(prompt: PromptStore): number {
  const { search, completion } = prompt.getState();
  if (search) return 1;
  if (prompt.getState().wantsArgument) return 1;
  if (!completion) return 0;
  return completion.isLoading ? 1 : Math.min(completion.items.length, completionRows);
}

/** A window of the list around the selected row. */
function completionLines(
  { items, selected, isLoading, target }: Completion,
  { rows, width }: { rows: number; width: number },
): readonly (readonly Span[])[] {
  if (isLoading) return [[span('  reading the list of files …', 'dim')]];
  const first = Math.max(0, Math.min(selected - rows + 1, items.length - rows));
  const shown = items.slice(first, first + rows);
  const labelCells = Math.min(
    Math.max(...shown.map((item) => textWidth(cleanName(item.label)))),
    Math.max(8, width - 4),
  );
  return shown.map((item, index) => {
    const isSelected = first + index === selected;
    const isLastOfMore = index === rows - 1 && first + rows < items.length;
    const more = isLastOfMore ? `↓ ${items.length - first - rows} more` : '';
    return itemSpans(item, { isSelected, labelCells, width, more, cutStart: target.kind === 'file' });
  });
}

function itemSpans(
  item: CompletionItem,
  options: { isSelected: boolean; labelCells: number; width: number; more: string; cutStart: boolean },
): readonly Span[] {
  const { isSelected, labelCells, width, more } = options;
  const name = cleanName(item.label);
  const label = options.cutStart ? truncateStart(name, labelCells) : truncateEnd(name, labelCells);
  const mark = isSelected ? span('❯ ', 'accent', 'bold') : span('  ');
  const text = isSelected
    ? span(padToWidth(label, labelCells), 'accent')
    : span(padToWidth(label, labelCells));
  const room = width - 2 - labelCells - 3 - (more === '' ? 0 : textWidth(more) + 2);
  const detail = room >= 8 ? truncateEnd(cleanName(item.detail), room) : '';
  const used = 2 + labelCells + 3 + textWidth(detail);
  const tail =
    more === '' ? [] : [span(' '.repeat(Math.max(1, width - used - textWidth(more)))), span(more, 'dim')];
  return [mark, text, span('   '), span(detail, 'dim'), ...tail];
}

import { type ContextUse, contextUse, type UseKind } from '#engine/context/context-use.ts';
import { formatCount } from '#lib/amounts.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { alignColumns } from './format.ts';

const labels: Readonly<Record<UseKind, string>> = {
  system: 'system prompt',
  tools: 'tools',
  instructions: 'instructions',
  summary: 'summary',
  files: 'files read',
  results: 'tool results',
  images: 'images',
  chat: 'conversation',
};

const barCells = 24;

/** What fills the window with the next request, as Markdown: a bar for each kind, and what is left. */
export function contextText(state: ThreadState): string {
  const { head, rows, notes } = describe(state);
  return [head, '```text', ...rows, '```', ...notes].join('\n');
}

/** The same as plain lines. */
export function contextLines(state: ThreadState): string[] {
  const { head, rows, notes } = describe(state);
  return [head, '', ...rows, '', ...notes.filter((note) => note !== '')];
}

function describe(state: ThreadState): { head: string; rows: string[]; notes: string[] } {
  const use = contextUse(state);
  const { used, window, usable } = use;
  const whole = window ?? used;
  const share = whole > 0 ? ` (${percent(used, whole)})` : '';
  const model = state.model ? ` of ${formatModelRef(state.model)}` : '';
  const limit = window ? ` of ${formatCount(window)}` : '';
  const parts = partsOf(use);
  const digits = Math.max(0, ...parts.map(([, tokens]) => formatCount(tokens).length));
  const rows = parts.map(([label, tokens]) => [
    bar(tokens, whole),
    label,
    formatCount(tokens).padStart(digits),
    whole > 0 ? percent(tokens, whole).padStart(5) : '',
  ]);
  const left =
    usable === null
      ? []
      : [`Room is made before it reaches ${formatCount(usable)}; the rest is for the answer.`];
  return {
    head: `The next request takes about ${formatCount(used)}${limit} tokens${model}${share}.`,
    rows: alignColumns(rows),
    notes: [...left, ...trimText(state)],
  };
}

function partsOf({ parts, used, window, usable }: ContextUse): [label: string, tokens: number][] {
  const shown = parts
    .filter(({ tokens }) => tokens > 0)
    .map(({ kind, tokens }): [string, number] => [labels[kind], tokens]);
  if (window === null || usable === null) return shown;
  return [...shown, ['free', Math.max(0, usable - used)], ['for the answer', window - usable]];
}

function trimText({ trims, compaction }: ThreadState): string[] {
  const shortened = Object.keys(trims).length;
  const texts = [
    compaction ? 'older messages are summarised' : '',
    shortened > 0 ? `${formatCount(shortened)} tool results are shortened` : '',
  ].filter((text) => text !== '');
  return texts.length === 0
    ? []
    : ['', `To save room ${texts.join(' and ')}; \`/compact undo\` takes the last step back.`];
}

function bar(tokens: number, whole: number): string {
  const filled = whole > 0 ? Math.min(barCells, Math.ceil((tokens / whole) * barCells)) : 0;
  return '▓'.repeat(filled) + '░'.repeat(barCells - filled);
}

function percent(tokens: number, whole: number): string {
  const share = (tokens / whole) * 100;
  return share > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`;
}

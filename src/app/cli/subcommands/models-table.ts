import { formatCount, formatUsd } from '#lib/amounts.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { Fact, ModelChoice, ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { CapabilityCard } from '#providers/self-test/card.ts';
import { alignColumns } from '../../format.ts';
import { cardLines } from './models-card.ts';

export type KnownModel = { choice: ModelChoice; info: ModelInfo | undefined };

/** Each value with where it comes from, so that a script can tell what is certain. */
export function jsonRow({ choice, info }: KnownModel, card: CapabilityCard | undefined): object {
  const { ref, label, source, detail } = choice;
  const facts = info && {
    family: info.family,
    local: info.local,
    context_window: info.contextWindow,
    output_limit: info.outputLimit,
    images: info.images,
    tools: info.tools,
    tool_calling: info.toolCalling ?? null,
    reasoning: info.reasoning,
    efforts: info.efforts ?? null,
    price: info.price ?? null,
    warning: info.warning ?? null,
  };
  return {
    ref: formatModelRef(ref),
    provider: ref.provider,
    model: ref.model,
    label,
    source,
    detail,
    ...facts,
    ...(card ? { card } : {}),
  };
}

/** One line a model. */
export function tableLines(known: readonly KnownModel[]): string[] {
  const rows = known.map(({ choice, info }) => [
    formatModelRef(choice.ref),
    ...(info
      ? [
          from(info.contextWindow, formatCount),
          from(info.tools, yesNo),
          from(info.images, yesNo),
          priceText(info),
        ]
      : ['', '', '', '']),
    choice.detail,
  ]);
  return alignColumns([['model', 'context', 'tools', 'images', 'price in/out', 'found'], ...rows]);
}

/** All that is known of one model, a line each. */
export function detailLines({ choice, info }: KnownModel, card: CapabilityCard | undefined): string[] {
  const facts: [string, string][] = info
    ? [
        ['name', info.name],
        ['context', `${from(info.contextWindow, formatCount)} tokens`],
        ['answer', `${from(info.outputLimit, formatCount)} tokens at most`],
        ['tools', from(info.tools, yesNo)],
        ...(info.toolCalling ? [['called', from(info.toolCalling, String)] as [string, string]] : []),
        ['images', from(info.images, yesNo)],
        ['reasoning', from(info.reasoning, yesNo)],
        ...(info.efforts
          ? [['efforts', from(info.efforts, (efforts) => efforts.join(', '))] as [string, string]]
          : []),
        ['price', priceDetail(info)],
        ...(info.warning === undefined ? [] : [['warning', info.warning] as [string, string]]),
      ]
    : [];
  const rows: [string, string][] = [
    ['model', formatModelRef(choice.ref)],
    ['found', choice.detail],
    ...facts,
  ];
  return [...alignColumns(rows), ...(card ? ['', ...cardLines(card)] : [])];
}

function from<T>({ value, origin }: Fact<T>, text: (value: T) => string): string {
  return `${text(value)} (${origin})`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function priceText(info: ModelInfo): string {
  if (costsNothing(info)) return 'free';
  if (!info.price) return 'unknown';
  const { input, output } = info.price.value;
  const text = input === 0 && output === 0 ? 'free' : `${formatUsd(input)}/${formatUsd(output)}`;
  return `${text} (${info.price.origin})`;
}

function priceDetail(info: ModelInfo): string {
  const { price } = info;
  if (!price) return priceText(info);
  const { input, output, cacheRead, cacheWrite } = price.value;
  const parts = [
    `${formatUsd(input)} in`,
    `${formatUsd(output)} out`,
    ...(cacheRead === undefined ? [] : [`${formatUsd(cacheRead)} from the cache`]),
    ...(cacheWrite === undefined ? [] : [`${formatUsd(cacheWrite)} into it`]),
  ];
  return `${parts.join(', ')} for a million tokens (${price.origin})`;
}

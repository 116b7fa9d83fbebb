import { formatUsd, formatWindow } from '#lib/amounts.ts';
import { costsNothing } from '#protocol/model-cost.ts';
import type { FactOrigin, ModelInfo } from '#protocol/model-ref.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';

/** US dollars for a million tokens in and out. A model of this machine costs nothing; an unknown price says so. */
export function priceText(info: ModelInfo): string {
  if (costsNothing(info)) return 'local';
  if (!info.price) return 'price ?';
  const { input, output } = info.price.value;
  return input === 0 && output === 0 ? 'free' : `${formatUsd(input)}/${formatUsd(output)}`;
}

/** What it can do in a few letters. Where room is short tools, which one expects, are named only when missing. */
export function abilitiesText(info: ModelInfo, room: number): string {
  const { images, reasoning } = info;
  const calling = toolCallingOf(info);
  if (calling === 'none') return 'no tools';
  const more = [...(images.value ? ['images'] : []), ...(reasoning.value ? ['thinks'] : [])];
  const all = [calling === 'native' ? 'tools' : 'text tools', ...more].join(' ');
  return all.length <= room ? all : more.join(' ');
}

/** Everything known of a model with where it is known from. */
export function factsText(info: ModelInfo): string {
  const { contextWindow, outputLimit, tools, images, reasoning, price } = info;
  const cost = price ? `${priceText(info)} per 1M tokens ${from(price.origin)}` : 'price unknown';
  return [
    `context ${formatWindow(contextWindow.value)} ${from(contextWindow.origin)}`,
    `${tools.value ? 'tools' : 'no tools'} ${from(tools.origin)}`,
    `${images.value ? 'images' : 'no images'} ${from(images.origin)}`,
    ...(reasoning.value ? [`thinks ${from(reasoning.origin)}`] : []),
    costsNothing(info) ? 'costs nothing' : cost,
    `answers up to ${formatWindow(outputLimit.value)} ${from(outputLimit.origin)}`,
  ].join(' · ');
}

const origins: Readonly<Record<FactOrigin, string>> = {
  config: '(your config)',
  server: '(server)',
  list: '(provider list)',
  catalogue: '(catalogue)',
  default: '(assumed)',
};

function from(origin: FactOrigin): string {
  return origins[origin];
}

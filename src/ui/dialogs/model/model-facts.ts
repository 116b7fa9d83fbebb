import type { Fact, FactOrigin, ModelInfo } from '#protocol/model-ref.ts';

/** `32k`, `1M`: tokens as a person says them. */
export function tokensText(tokens: number): string {
  if (tokens >= 1_000_000) return `${trimZero((tokens / 1_000_000).toFixed(1))}M`;
  if (tokens >= 1_000) return `${Math.round(tokens / (tokens % 1_024 === 0 ? 1_024 : 1_000))}k`;
  return String(tokens);
}

/** US dollars for a million tokens in and out. A model of this machine costs nothing; an unknown price says so. */
export function priceText(info: ModelInfo): string {
  if (info.local) return 'local';
  if (!info.price) return 'price ?';
  const { input, output } = info.price.value;
  return input === 0 && output === 0 ? 'free' : `$${dollars(input)}/$${dollars(output)}`;
}

/** Everything known of a model with where it is known from. */
export function factsText(info: ModelInfo): string {
  const yesNo = (fact: Fact<boolean>) => `${fact.value ? 'yes' : 'no'} ${from(fact.origin)}`;
  const price = info.price ? `${priceText(info)} per 1M tokens ${from(info.price.origin)}` : priceText(info);
  return [
    `context ${tokensText(info.contextWindow.value)} ${from(info.contextWindow.origin)}`,
    `tools ${yesNo(info.tools)}`,
    `images ${yesNo(info.images)}`,
    info.local ? 'costs nothing' : price,
    `output ${tokensText(info.outputLimit.value)} ${from(info.outputLimit.origin)}`,
  ].join(' · ');
}

const origins: Readonly<Record<FactOrigin, string>> = {
  config: '(your config)',
  server: '(server)',
  catalogue: '(catalogue)',
  default: '(assumed)',
};

function from(origin: FactOrigin): string {
  return origins[origin];
}

function dollars(amount: number): string {
  return trimZero(amount < 1 ? amount.toFixed(2) : amount.toFixed(1));
}

function trimZero(text: string): string {
  return text.replace(/\.?0+$/, '');
}

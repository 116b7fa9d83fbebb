import type { FactOrigin, ModelInfo } from '#protocol/model-ref.ts';

/** `32k`, `1M`: tokens as a person says them. */
export function tokensText(tokens: number): string {
  if (tokens >= 1_000_000) return `${trimZero((tokens / 1_000_000).toFixed(1))}M`;
  if (tokens >= 1_000) {
    const isBinary = tokens % 1_000 !== 0 && tokens % 1_024 === 0;
    return `${Math.round(tokens / (isBinary ? 1_024 : 1_000))}k`;
  }
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
  const { contextWindow, outputLimit, tools, images, price, local } = info;
  const cost = price ? `${priceText(info)} per 1M tokens ${from(price.origin)}` : 'price unknown';
  return [
    `context ${tokensText(contextWindow.value)} ${from(contextWindow.origin)}`,
    `${tools.value ? 'tools' : 'no tools'} ${from(tools.origin)}`,
    `${images.value ? 'images' : 'no images'} ${from(images.origin)}`,
    local ? 'costs nothing' : cost,
    `answers up to ${tokensText(outputLimit.value)} ${from(outputLimit.origin)}`,
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
  if (Number.isInteger(amount)) return String(amount);
  return amount < 0.1 ? String(Number(amount.toPrecision(2))) : amount.toFixed(2);
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}

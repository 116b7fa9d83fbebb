import { findSecrets, scrubSecrets, secretMark } from '#lib/secrets.ts';
import type { JsonValue } from '#protocol/json.ts';

/** Shorter ones stand in too much that is no secret. */
const minLength = 8;
const secretHeaders =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|api-key|x-api-key|x-goog-api-key|.*(?:token|secret|auth|api-?key).*)$/i;
const secretQuery = /^(?:key|api_?key|access_?token|token|sig(?:nature)?|auth|password|client_secret)$/i;
const secretField = /(?:^|[_-])(?:api_?key|key|token|secret|password|authorization)$/i;

/**
 * Takes secrets out of what is about to be written: those that are known (the keys of connections, the values of
 * secret variables) wherever they stand, and everything that looks like one. The same text always becomes the same.
 */
export class Scrubber {
  readonly #known = new Set<string>();

  /** Makes this value a secret from here on. */
  hide(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= minLength) this.#known.add(secret);
  }

  text(text: string): string {
    let clean = text;
    for (const secret of this.#known) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, secretMark('key'));
      // Inside of JSON that is a text itself.
      const escaped = JSON.stringify(secret).slice(1, -1);
      if (escaped !== secret && clean.includes(escaped)) clean = clean.replaceAll(escaped, secretMark('key'));
    }
    return scrubSecrets(clean);
  }

  /** Where secrets stand, with what takes their place; in order and without overlaps. */
  spans(text: string): { start: number; end: number; mark: string }[] {
    const known = [...this.#known].flatMap((secret) => {
      const found: { start: number; end: number; mark: string }[] = [];
      for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
        found.push({ start, end: start + secret.length, mark: secretMark('key') });
      return found;
    });
    const shaped = findSecrets(text)
      .map(({ kind, start, end }) => ({ start, end, mark: secretMark(kind) }))
      .filter(({ start, end }) => !known.some((other) => other.start < end && start < other.end));
    return [...known, ...shaped].sort((one, two) => one.start - two.start);
  }

  /** Every text in it, keys included. */
  value<Value extends JsonValue>(value: Value): Value {
    return this.#value(value) as Value;
  }

  /** As `value`; fields that hold a secret by their name are emptied whatever stands there. */
  settings(value: JsonValue, name = ''): JsonValue {
    if (typeof value === 'string')
      return name === 'headers' || (secretField.test(name) && !/_env$/.test(name))
        ? secretMark('key')
        : this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.settings(each, name));
    if (typeof value !== 'object' || value === null) return value;
    const below = (key: string) => (name === 'headers' ? 'headers' : key);
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.settings(each, below(key))]),
    );
  }

  url(text: string): string {
    if (!URL.canParse(text)) return this.text(text);
    const url = new URL(text);
    for (const [name] of [...url.searchParams])
      if (secretQuery.test(name)) url.searchParams.set(name, 'secret');
    if (url.password !== '') url.password = 'secret';
    return this.text(url.href);
  }

  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries(
      [...headers].map(([name, value]) => [
        name.toLowerCase(),
        secretHeaders.test(name) ? secretMark('key') : this.text(value),
      ]),
    );
  }

  #value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.#value(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.text(key), this.#value(each)]),
    );
  }
}

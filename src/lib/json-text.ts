/** What JSON leaves raw although it could steer a terminal, or does not show in one. */
const raw = /[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/g;

/** JSON on one line that is nothing but text for a terminal too; it reads back as the same value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(raw, (characters) =>
    characters
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

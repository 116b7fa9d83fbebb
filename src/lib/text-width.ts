import stringWidth from 'string-width';

const plainAscii = /^[\x20-\x7e]*$/;

/** Cells that `text` takes in a terminal, escape sequences not counted. */
export function textWidth(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

/**
 * What the screen may send to a terminal: styles, cursor moves and shapes, erasing, the modes that it gives back at its
 * end, the kitty keyboard, and the question for the background colour.
 */
const ownSequences = [
  /\x1b\[[\d;:]*m/,
  /\x1b\[\d*[ABCDEFG]/,
  /\x1b\[(?:\d+;\d+)?H/,
  /\x1b\[[0-2]?[JK]/,
  /\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1049|2004|2026)[hl]/,
  /\x1b\[(?:\?|<|>\d+)u/,
  /\x1b\[>4;0m/,
  /\x1b\[[0-6] q/,
  /\x1b\]11;\?(?:\x1b\\|\x07)/,
];
const own = new RegExp(ownSequences.map(({ source }) => source).join('|'), 'g');

/** Controls of both sets, and characters that override the reading direction or do not show. */
const strange =
  /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu;

/** Every place of an output where something stands that no program of ours writes, with what is around it. */
export function strangeOutput(raw: string): string[] {
  const rest = raw.replaceAll(own, '');
  return [...rest.matchAll(strange)].map(({ index }) =>
    JSON.stringify(rest.slice(Math.max(0, index - 20), index + 40)),
  );
}

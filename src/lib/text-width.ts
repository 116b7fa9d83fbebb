import stringWidth from 'string-width';
import { graphemeSegmenter, plainText } from './graphemes.ts';

/** Cells that `text` takes in a terminal, escape sequences not counted. */
export function textWidth(text: string): number {
  return plainText.test(text) ? text.length : stringWidth(text);
}

/** What a reader takes for one character each: letters with their marks, whole emoji. */
export function graphemes(text: string): string[] {
  if (plainText.test(text)) return text.split('');
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}

/** The longest beginning of `text` that fits into `width` cells. */
export function takeWidth(text: string, width: number): string {
  const most = Math.max(0, width);
  // Only the beginning is looked at: who breaks a long text into rows comes back for each of them.
  if (plainText.test(text.slice(0, most + 1))) return text.slice(0, most);
  const start = text.slice(0, most * 16 + 64);
  return takeFrom(start, most) ?? (start.length < text.length ? takeFrom(text, most) : undefined) ?? text;
}

/** undefined when all of `text` fits. */
function takeFrom(text: string, width: number): string | undefined {
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemeSegmenter.segment(text)) {
    used += textWidth(segment);
    if (used > width) return text.slice(0, end);
    end = index + segment.length;
  }
  return undefined;
}

/** One line cut to `width` cells; `…` stands for what is left out. */
export function truncateEnd(text: string, width: number): string {
  if (fits(text, width)) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1)}…`;
}

/** As `truncateEnd`, but the end stays: of a path the file name is what counts. */
export function truncateStart(text: string, width: number): string {
  if (fits(text, width)) return text;
  if (width < 1) return '';
  const characters = graphemes(text);
  let used = 1;
  let start = characters.length;
  while (start > 0) {
    const next = textWidth(characters[start - 1] ?? '');
    if (used + next > width) break;
    used += next;
    start -= 1;
  }
  return `…${characters.slice(start).join('')}`;
}

/** Blanks at the end up to `width` cells; a longer text stays as it is. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Tabs as blanks up to the next stop; each line has its own. `column` is where the text begins. */
export function expandTabs(
  text: string,
  { size = 4, column = 0 }: { size?: number; column?: number } = {},
): string {
  if (!text.includes('\t')) return text;
  let at = column;
  let expanded = '';
  for (const [index, piece] of text.split('\t').entries()) {
    if (index > 0) {
      const blanks = size - (at % size);
      expanded += ' '.repeat(blanks);
      at += blanks;
    }
    expanded += piece;
    const lineStart = piece.lastIndexOf('\n') + 1;
    at = lineStart === 0 ? at + textWidth(piece) : textWidth(piece.slice(lineStart));
  }
  return expanded;
}

/** A long text is not measured whole to learn that it is too long: a character is at most 4 units in one cell. */
function fits(text: string, width: number): boolean {
  if (text.length <= width && plainText.test(text)) return true;
  const isHuge = text.length > 4_096 && text.length > width * 16;
  return !isHuge && textWidth(text) <= width;
}

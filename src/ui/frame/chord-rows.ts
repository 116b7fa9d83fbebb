import { padToWidth, textWidth, truncateEnd } from '#lib/text-width.ts';
import type { ChordHint } from '../input/chords.ts';
import { type Span, span } from '../theme/span.ts';

const mostRows = 6;
const gap = 3;
const widestEntry = 44;
const narrowestEntry = 20;

/** The keys that can come next, in as many columns as there is room for. */
export function chordRows({ keys, next }: ChordHint, width: number): readonly (readonly Span[])[] {
  const keyWidth = Math.max(...next.map(({ key }) => textWidth(key)));
  const longest = Math.max(...next.map(({ does }) => textWidth(does)));
  const wanted = Math.min(width, widestEntry, keyWidth + 2 + longest);
  // As narrow as it takes to show all, as long as one can read it.
  const share = Math.floor((width + gap) / Math.ceil(next.length / mostRows)) - gap;
  const entryWidth = Math.min(wanted, Math.max(share, Math.min(width, narrowestEntry)));
  const columns = Math.max(1, Math.floor((width + gap) / (entryWidth + gap)));
  const rows = Math.min(mostRows, Math.ceil(next.length / columns));
  const shown = next.slice(0, rows * columns);
  const left = next.length - shown.length;
  const title = [
    span(keys, 'accent', 'bold'),
    span(' …', 'dim'),
    span(`   Esc leaves${left > 0 ? `   ${left} more in /keys` : ''}`, 'dim'),
  ];
  const lines = Array.from({ length: rows }, (_, index) =>
    shown
      .filter((_entry, at) => at % rows === index)
      .flatMap(({ key, does }) => {
        const text = truncateEnd(does, Math.max(1, entryWidth - keyWidth - 2));
        return [
          span(padToWidth(key, keyWidth), 'accent'),
          span('  '),
          span(padToWidth(text, entryWidth - keyWidth - 2), 'dim'),
          span(' '.repeat(gap)),
        ];
      }),
  );
  return [title, ...lines.map((spans) => withoutEnd(spans))];
}

/** The blanks behind the last column. */
function withoutEnd(spans: readonly Span[]): readonly Span[] {
  return spans.slice(0, -1);
}

const oneCellEach =
  '\\x20-\\x7e\\xa1-\\xa8\\xaa-\\xac\\xaf-\\u02ff\\u2010-\\u2027\\u2030-\\u203b\\u203d-\\u2048\\u204a-\\u205e\\u2190-\\u2193\\u219a-\\u21a8\\u21ab-\\u21ff\\u2200-\\u22ff\\u239b-\\u23ce\\u2500-\\u25a9\\u25ac-\\u25b5\\u25b7-\\u25bf\\u25c1-\\u25fa\\u2713\\u2717\\u2768-\\u2775\\u2800-\\u28ff';

/**
 * Texts of characters that make one grapheme and take one cell each, whatever stands beside them: letters without
 * marks, signs, arrows, frames, the dots of a spinner. Most rows of a screen have nothing else.
 */
export const plainText = new RegExp(`^[${oneCellEach}]*$`);
/** The same with what takes no cell: colours begin with Escape. */
const singles = new RegExp(`^[${oneCellEach}\\t\\n\\x1b]*$`);

type Segment = { segment: string; index: number };
type Segments = Iterable<Segment> & { containing(index: number): Segment | undefined };

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into what a reader takes for one character each: letters with their marks, whole emoji. As
 * `Intl.Segmenter` does, whose first use takes as long as the first frame; plain rows do without it.
 */
export const graphemeSegmenter = {
  segment(text: string): Segments {
    if (singles.test(text)) return singleSegments(text);
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    return segmenter.segment(text);
  },
};

function singleSegments(text: string): Segments {
  const at = (index: number) => ({ segment: text.charAt(index), index });
  return {
    [Symbol.iterator]: () => Array.from(text, (_, index) => at(index))[Symbol.iterator](),
    containing: (index) => (index < text.length ? at(index) : undefined),
  };
}

import type { Environment } from '#lib/paths.ts';

/** The shape that the person set up for the terminal. */
export const ownCursorShape = '\x1b[0 q';

type EditingMode = 'insert' | 'replace' | 'normal' | 'visual' | 'visual-line';

/** The sequence for the cursor that Vim's people know a mode by; empty without a mode. */
export function cursorShape(mode: EditingMode | undefined): string {
  switch (mode) {
    case undefined:
      return '';
    case 'insert':
      return '\x1b[6 q';
    case 'replace':
      return '\x1b[4 q';
    case 'normal':
    case 'visual':
    case 'visual-line':
      return '\x1b[2 q';
  }
}

/** The console of Linux and plain serial terminals would show the sequence or take it for something else. */
export function hasCursorShapes({ TERM: term = '' }: Environment): boolean {
  return !/^(?:linux|dumb|vt\d|ansi|cons)/.test(term);
}

import type { Clock } from '#lib/clock.ts';
import type { TapEvent } from '../terminal/tap-parser.ts';
import type { TranscriptActions } from '../transcript/actions.ts';

/** Rows come this fast while the mouse is held at an edge of the transcript. */
const edgeMs = 50;

type MouseEvents = Extract<TapEvent, { kind: 'mouse' | 'drag' }>;

/** What the left button does: a drag selects and copies, a click opens. */
export function createMouse(options: {
  transcript: TranscriptActions;
  clock: Clock;
  copy: (text: string) => void;
}): { on(event: MouseEvents): void; close(): void } {
  const { transcript, clock } = options;
  let pressedRow: number | undefined;
  let hasMoved = false;
  let cancelEdge = (): void => undefined;

  const dragTo = (place: { row: number; column: number }) => {
    cancelEdge();
    transcript.dragTo(place);
    const edge = transcript.edgeAt(place.row);
    // Along the row of the press the hand means that row.
    if (!edge || place.row === pressedRow || (edge === 'bottom' && transcript.isFollowing())) return;
    cancelEdge = clock.after(edgeMs, () => {
      transcript.scroll(edge === 'top' ? -1 : 1);
      dragTo(place);
    });
  };

  return {
    on(event) {
      // Reports count from 1.
      const place = { row: event.row - 1, column: event.column - 1 };
      if (event.kind === 'drag') {
        if (pressedRow === undefined) return;
        hasMoved = true;
        dragTo(place);
        return;
      }
      if (event.button !== 'left') return;
      cancelEdge();
      if (event.pressed) {
        pressedRow = place.row;
        hasMoved = false;
        transcript.press(place);
        return;
      }
      if (pressedRow === undefined) return;
      pressedRow = undefined;
      const text = hasMoved ? transcript.selectedText() : '';
      if (text.trim() !== '') options.copy(text);
      else if (!hasMoved) transcript.click(place);
    },
    close: () => cancelEdge(),
  };
}

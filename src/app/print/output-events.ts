import type { LineWriter } from './line-writer.ts';
import type { PrintOutput } from './print-output.ts';

/** The thread's own events, one a line, deltas included. */
export function createEventsOutput(out: LineWriter): PrintOutput {
  return {
    start: async () => undefined,
    event: (event) => out.line(event),
    end: async () => undefined,
  };
}

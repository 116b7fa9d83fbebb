import type { LineWriter } from './line-writer.ts';
import type { PrintOutput } from './print-output.ts';
import { resultLine } from './result-line.ts';

/** One result object, whatever happened. */
export function createJsonOutput(out: LineWriter): PrintOutput {
  return {
    start: async () => undefined,
    event: async () => undefined,
    end: (record, end) => out.line(resultLine(record, end)),
  };
}

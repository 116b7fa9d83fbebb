import { cleanText } from '#lib/terminal-text.ts';
import type { LineWriter } from './line-writer.ts';
import type { PrintOutput } from './print-output.ts';

/** Only the final answer, and only of a run that came to its end. */
export function createTextOutput(out: LineWriter, { isTerminal }: { isTerminal: boolean }): PrintOutput {
  return {
    start: async () => undefined,
    event: async () => undefined,
    end: async (record, { reason, structuredOutput }) => {
      if (reason !== 'done') return;
      const text =
        structuredOutput === undefined ? record.answer() : JSON.stringify(structuredOutput, null, 2);
      // A file gets the bytes as they are; a terminal must not obey what a model wrote.
      if (text !== '') await out.write(`${isTerminal ? cleanText(text) : text}\n`);
    },
  };
}

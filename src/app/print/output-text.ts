import { cleanText } from '#lib/terminal-text.ts';
import type { LineWriter } from './line-writer.ts';
import type { PrintOutput } from './print-output.ts';

/** The final answer of a run that came to its end, or the part of it that came before the model was lost, marked. */
export function createTextOutput(out: LineWriter, { isTerminal }: { isTerminal: boolean }): PrintOutput {
  return {
    start: async () => undefined,
    event: async () => undefined,
    end: async (record, { reason, structuredOutput }) => {
      const isPart = reason === 'error' && record.finish === 'lost';
      if (reason !== 'done' && !isPart) return;
      const text =
        structuredOutput === undefined ? record.answer() : JSON.stringify(structuredOutput, null, 2);
      // A file gets the bytes as they are; a terminal must not obey what a model wrote.
      if (text === '') return;
      const mark = isPart ? '\n[The answer broke off here; it is not whole.]\n' : '';
      await out.write(`${isTerminal ? cleanText(text) : text}\n${mark}`);
    },
  };
}

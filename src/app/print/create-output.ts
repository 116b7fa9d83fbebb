import type { OutputFormat } from '../cli/flags.ts';
import type { LineWriter } from './line-writer.ts';
import { createEventsOutput } from './output-events.ts';
import { createJsonOutput } from './output-json.ts';
import { createStreamJsonOutput } from './output-stream-json.ts';
import { createTextOutput } from './output-text.ts';
import type { PrintOutput } from './print-output.ts';

export function createOutput(
  format: OutputFormat,
  out: LineWriter,
  options: { isTerminal: boolean },
): PrintOutput {
  switch (format) {
    case 'text':
      return createTextOutput(out, options);
    case 'json':
      return createJsonOutput(out);
    case 'stream-json':
      return createStreamJsonOutput(out);
    case 'events':
      return createEventsOutput(out);
  }
}

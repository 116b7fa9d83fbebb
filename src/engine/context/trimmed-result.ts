import { formatCount } from '#lib/amounts.ts';
import type { ToolCallPart, ToolResultRecord } from '#protocol/message.ts';
import type { TrimLevel } from '#protocol/thread-state.ts';
import { lineAfter, lineBefore } from './line-ends.ts';

const headChars = 500;
const tailChars = 250;
const leastCut = 200;

/**
 * A tool result as the model gets it once it was trimmed. Depends on nothing but its arguments: a resumed thread must
 * send the same bytes.
 */
export function trimmedResult(part: ToolCallPart & { result: ToolResultRecord }, level: TrimLevel): string {
  const text = part.result.forModel
    .map((content) => (content.kind === 'text' ? content.text : '[image]'))
    .join('\n');
  const whole = `recall with id ${part.callId} has it whole`;
  switch (level) {
    case 'gone':
      return `[Left out to save room: ${formatCount(text.length)} characters; ${whole}.]`;
    case 'superseded':
      return `[Left out: this file was read or changed again later; ${whole}.]`;
    case 'preview': {
      if (text.length < headChars + tailChars + leastCut) return text;
      const headEnd = lineBefore(text, headChars);
      const tailStart = lineAfter(text, text.length - tailChars);
      const head = text.slice(0, headEnd).toWellFormed();
      const tail = text.slice(tailStart).toWellFormed();
      const cut = tailStart - headEnd;
      return `${head}\n[… ${formatCount(cut)} characters of an earlier result left out here; ${whole} …]\n${tail}`;
    }
  }
}

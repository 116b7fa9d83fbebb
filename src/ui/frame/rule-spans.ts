import { textWidth } from '#lib/text-width.ts';
import { type Span, span } from '../theme/span.ts';

const shellLabel = ' runs here, the model sees the output ';

/** A line above or below the prompt. */
export function ruleSpans({
  isShell,
  width,
  margin,
}: {
  isShell: boolean;
  width: number;
  margin: number;
}): readonly Span[] {
  const cells = width - margin * 2;
  const label = isShell && textWidth(shellLabel) + 6 <= cells ? shellLabel : '';
  const token = isShell ? 'warning' : 'border';
  const line = '─'.repeat(cells - textWidth(label) - (label === '' ? 0 : 2));
  return [
    span(' '.repeat(margin)),
    span(line, token),
    ...(label === '' ? [] : [span(label, 'warning'), span('──', token)]),
  ];
}

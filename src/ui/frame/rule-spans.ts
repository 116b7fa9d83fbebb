import { textWidth } from '#lib/text-width.ts';
import type { LineUse } from '../prompt/prompt-rows.ts';
import { type Span, span } from '../theme/span.ts';
import type { ThemeToken } from '../theme/tokens.ts';

const labels: Readonly<Record<LineUse, { text: string; token: ThemeToken }>> = {
  message: { text: '', token: 'border' },
  shell: { text: ' runs here, the model sees the output ', token: 'warning' },
  memory: { text: ' is remembered for this project ', token: 'success' },
};

/** A line above or below the prompt. */
export function ruleSpans({
  use,
  width,
  margin,
}: {
  use: LineUse;
  width: number;
  margin: number;
}): readonly Span[] {
  const cells = width - margin * 2;
  const { text, token } = labels[use];
  const label = textWidth(text) + 6 <= cells ? text : '';
  const line = '─'.repeat(cells - textWidth(label) - (label === '' ? 0 : 2));
  return [
    span(' '.repeat(margin)),
    span(line, token),
    ...(label === '' ? [] : [span(label, token), span('──', token)]),
  ];
}

import { cleanName } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import { clipSpans, paintSpans, type Span, span, spansWidth } from '../theme/span.ts';
import type { Theme } from '../theme/theme.ts';
import { columnsOf } from './cell-context.ts';

/** What an empty transcript says. */
export type WelcomeInput = {
  version: string;
  cwdLabel: string;
  /** `provider/model`, null when none is chosen, empty while that is not known. */
  model: string | null;
  /** Keys and what they do, most useful first. */
  hints: readonly { key: string; text: string }[];
};

export const welcomeHints: WelcomeInput['hints'] = [
  { key: '/', text: 'commands' },
  { key: '@', text: 'names a file' },
  { key: '!', text: 'runs a command here' },
  { key: '?', text: 'all keys' },
];

const mostHints = 4;

/** At most eight rows, none wider than the window. */
export function welcomeRows(
  input: WelcomeInput,
  { width, theme }: { width: number; theme: Theme },
): string[] {
  const { left } = columnsOf(width);
  const room = Math.max(1, Math.min(width - left, 100) - 2);
  const hints = input.hints.slice(0, mostHints);
  const keyWidth = Math.max(0, ...hints.map((hint) => textWidth(hint.key))) + 2;
  const lines: Span[][] = [
    headLine(input, room),
    [modelSpan(input.model, room)],
    ...(hints.length > 0 ? [[]] : []),
    ...hints.map(({ key, text }) => [
      span(truncateEnd(key, room).padEnd(keyWidth), 'accent'),
      span(truncateEnd(text, Math.max(0, room - keyWidth)), 'dim'),
    ]),
  ];
  const bar = `${' '.repeat(left)}▌`;
  return [
    '',
    ...lines.map((line) =>
      paintSpans(theme, [span(line.length === 0 ? bar : `${bar} `, 'accent'), ...clipSpans(line, room)]),
    ),
  ];
}

function headLine({ version, cwdLabel }: WelcomeInput, room: number): Span[] {
  const name = [span('llmcode', 'heading'), span(` ${version}`, 'dim')];
  const free = room - spansWidth(name) - 3;
  return free < 8 ? name : [...name, span(`   ${truncateStart(cleanName(cwdLabel), free)}`)];
}

function modelSpan(model: string | null, room: number): Span {
  if (model === null) return span(truncateEnd('no model yet', room), 'warning');
  return span(truncateEnd(cleanName(model), room), 'dim');
}

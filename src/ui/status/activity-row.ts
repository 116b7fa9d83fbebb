import { cleanName } from '#lib/terminal-text.ts';
import { textWidth, truncateEnd } from '#lib/text-width.ts';
import type { Todo } from '#protocol/todo.ts';
import { type Span, span, spansWidth } from '../theme/span.ts';
import type { Activity } from './activity.ts';
import { formatElapsed } from './format.ts';

const markCells = 2;
const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** One row: what is done on the left, for how long and how to stop it on the right. */
export function activityRow(
  activity: Activity,
  { width, frame, now }: { width: number; frame: number; now: number },
): readonly Span[] {
  const right = rightText(activity, now);
  const room = Math.max(1, width - markCells - textWidth(right) - 2);
  const candidates = leftTexts(activity, now);
  const text = candidates.find((candidate) => textWidth(candidate) <= room) ?? candidates.at(-1) ?? '';
  const left = [
    markOf(activity, frame),
    span(' '),
    span(
      truncateEnd(text, room),
      activity.kind === 'person' || activity.kind === 'retry' ? 'warning' : 'dim',
    ),
  ];
  const fill = Math.max(0, width - spansWidth(left) - textWidth(right));
  return [...left, span(' '.repeat(fill)), span(right, 'dim')];
}

/** The plan in one row: how far it is, what is being done, what comes next. */
export function todoRow(todos: readonly Todo[], width: number): readonly Span[] {
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const current = todos.filter((todo) => todo.status === 'in_progress');
  const next = todos.filter((todo) => todo.status === 'pending');
  const spans: Span[] = [span(`${done}/${todos.length}`, done === todos.length ? 'success' : 'dim')];
  for (const todo of [
    ...current,
    ...next,
    ...todos.filter((other) => other.status === 'completed').reverse(),
  ]) {
    const room = width - spansWidth(spans) - 5;
    if (room < 6) break;
    const text = truncateEnd(cleanName(todo.content.replaceAll(/\s+/g, ' ')), room);
    spans.push(span('   '), ...todoSpans(todo, text));
  }
  return spans;
}

function todoSpans({ status }: Todo, text: string): Span[] {
  switch (status) {
    case 'in_progress':
      return [span('▸ ', 'accent'), span(text)];
    case 'completed':
      return [span('☑ ', 'success'), span(text, 'dim')];
    case 'pending':
      return [span('☐ ', 'dim'), span(text, 'dim')];
  }
}

function markOf({ kind }: Activity, frame: number): Span {
  if (kind === 'person') return span('?', 'warning', 'bold');
  return span(spinner[frame % spinner.length] ?? '', kind === 'retry' ? 'warning' : 'accent');
}

/** The longest first. */
function leftTexts({ text, retry }: Activity, now: number): string[] {
  if (!retry) return [text];
  const seconds = `${Math.max(0, Math.ceil((retry.until - now) / 1_000))}s`;
  const wait = `${text} · again in ${seconds}`;
  return [`${wait} · try ${retry.attempt} of ${retry.maxAttempts}`, wait, `${text}, ${seconds}`];
}

function rightText({ kind, startedAt, retry }: Activity, now: number): string {
  // A countdown is time enough.
  const elapsed = startedAt === 0 || retry ? '' : formatElapsed(now - startedAt);
  const stops = stopText(kind);
  return [elapsed, stops].filter((text) => text !== '').join(' · ');
}

function stopText(kind: Activity['kind']): string {
  switch (kind) {
    case 'person':
      return '';
    case 'consulting':
      return '/consult stop';
    default:
      return 'esc stops';
  }
}

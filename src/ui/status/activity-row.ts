import { truncateEnd } from '#lib/text-width.ts';
import type { Todo } from '#protocol/todo.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { type Span, span, spansWidth } from '../theme/span.ts';
import type { Activity } from './activity.ts';
import { formatElapsed } from './format.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** One row: what is done on the left, for how long and how to stop it on the right. */
export function activityRow(
  activity: Activity,
  { width, frame, now }: { width: number; frame: number; now: number },
): readonly Span[] {
  const right = rightText(activity, now);
  const rightShown = right.length + 12 <= width ? right : '';
  const room = Math.max(1, width - 2 - (rightShown === '' ? 0 : rightShown.length + 2));
  const text = truncateEnd(leftText(activity, now), room);
  const left = [markOf(activity, frame), span(' '), span(text, activity.kind === 'working' ? 'dim' : 'warning')];
  const fill = Math.max(0, width - spansWidth(left) - rightShown.length);
  return [...left, span(' '.repeat(fill)), span(rightShown, 'dim')];
}

/** The plan in one row: how far it is, what is being done, what comes next. */
export function todoRow(todos: readonly Todo[], width: number): readonly Span[] {
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const current = todos.filter((todo) => todo.status === 'in_progress');
  const next = todos.filter((todo) => todo.status === 'pending');
  const spans: Span[] = [span(`${done}/${todos.length}`, done === todos.length ? 'success' : 'dim')];
  for (const todo of [...current, ...next, ...todos.filter((other) => other.status === 'completed').reverse()]) {
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

function leftText({ text, until }: Activity, now: number): string {
  if (until === null) return text;
  return `${text} · again in ${Math.max(0, Math.ceil((until - now) / 1_000))}s`;
}

function rightText({ kind, startedAt }: Activity, now: number): string {
  const elapsed = startedAt === 0 ? '' : formatElapsed(now - startedAt);
  const stops = kind === 'person' ? '' : 'esc stops';
  return [elapsed, stops].filter((text) => text !== '').join(' · ');
}

import type { Message } from '#protocol/message.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { defineCommand, inform } from './define-command.ts';

const maxLines = 400;

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'what changed in the working folder',
  async run(_argument, context) {
    const working = await context.workingDiff();
    const diff = working ?? threadDiff((await context.state()).messages);
    if (diff.trim() === '')
      return inform(
        working === null ? 'Nothing was changed in this thread.' : 'The working folder has no changes.',
      );
    return inform(fence(diff));
  },
});

/** Outside of a repository: what the tools of this thread wrote, oldest first. */
function threadDiff(messages: readonly Message[]): string {
  const views = messages.flatMap((message) =>
    message.parts.flatMap((part) =>
      part.kind === 'tool-call' && part.result?.status === 'ok' && part.result.view?.kind === 'diff'
        ? [part.result.view]
        : [],
    ),
  );
  return views.map(diffText).join('\n');
}

function diffText(view: DiffView): string {
  const hunks = view.hunks.map((hunk) => {
    const lines = hunk.lines.map((line) => `${line.op}${line.text}`);
    return [`@@ -${hunk.oldStart} +${hunk.newStart} @@`, ...lines].join('\n');
  });
  return [`--- ${view.path}`, `+++ ${view.path}`, ...hunks].join('\n');
}

function fence(diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const shown = lines.slice(0, maxLines).join('\n');
  const ticks = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const rest = lines.length - maxLines;
  const cut = rest > 0 ? '\n\nThe rest is not shown; `git diff` has all of it.' : '';
  return `${ticks}diff\n${shown}\n${ticks}${cut}`;
}

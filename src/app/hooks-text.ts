import { type Hook, hookLabel } from '#hooks/hook.ts';
import type { HookRun } from '#hooks/hook-runs.ts';
import { displayPath } from '#lib/paths.ts';
import { codeName } from '#lib/quote.ts';

const shownRuns = 3;

/** Every hook with where it is written, what it waits for, and its newest runs; markdown. */
export function hooksText({
  hooks,
  runs,
  cwd,
}: {
  hooks: readonly Hook[];
  runs: readonly HookRun[];
  cwd: string;
}): string {
  if (hooks.length === 0) return 'There are no hooks, neither in the settings nor in those of Claude Code.';
  const files = Map.groupBy(hooks, ({ file }) => file);
  return [...files]
    .map(([file, its]) =>
      [`**${displayPath(file, cwd)}**`, '', ...its.flatMap((hook) => hookLines(hook, runs))].join('\n'),
    )
    .join('\n\n');
}

function hookLines(hook: Hook, runs: readonly HookRun[]): string[] {
  const matcher = hook.matcher === '' ? '' : ` for ${codeName(hook.matcher)}`;
  const own = runs.filter((run) => run.file === hook.file && run.hook === hookLabel(hook));
  const newest = own.slice(-shownRuns).reverse();
  return [
    `- ${codeName(hook.event)}${matcher}: ${codeName(hookLabel(hook))}`,
    ...(newest.length > 0 ? newest.map((run) => `  - ${runText(run)}`) : ['  - has not run in this session']),
  ];
}

/** One run in a line. */
export function runText({ at, event, exitCode, durationMs, decision, text }: HookRun): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const end = exitCode === null ? '' : `, exit ${exitCode}`;
  const why = text === undefined ? '' : `: ${text.split('\n')[0]}`;
  return `${time} ${event}${end}, ${durationMs} ms, ${decision}${why}`;
}

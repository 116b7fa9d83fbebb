import type { CodeProblem } from '#protocol/languages.ts';

/**
 * Errors and warnings that were not there before. A change moves lines, so what is said counts and not where; of the
 * same thing said more often than before, the further ones are new.
 */
export function newProblems(before: readonly CodeProblem[], now: readonly CodeProblem[]): CodeProblem[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return now.filter((problem) => {
    if (problem.severity !== 'error' && problem.severity !== 'warning') return false;
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, source, text }: CodeProblem): string {
  return `${severity}\0${source}\0${text}`;
}

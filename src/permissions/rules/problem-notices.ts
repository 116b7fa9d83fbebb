import type { RuleProblem } from './rule-set.ts';

/** A file full of rules that do not count must not fill the screen. */
const maxPerFile = 5;

/** Which rules do not count and why, one line each, the rest of a file as a number. */
export function problemNotices(problems: readonly RuleProblem[]): string[] {
  return [...Map.groupBy(problems, ({ file }) => file)].flatMap(([file, found]) => {
    const lines = found
      .slice(0, maxPerFile)
      .map(
        ({ line, rule, text }) =>
          `${line === undefined ? file : `${file}:${line}`}: the rule ${shorten(rule)} does not count: ${text}`,
      );
    const rest = found.length - lines.length;
    return rest > 0 ? [...lines, `${file}: ${rest} more rules do not count.`] : lines;
  });
}

function shorten(rule: string): string {
  return rule.length > 200 ? `${rule.slice(0, 199)}…` : rule;
}

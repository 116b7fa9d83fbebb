/** What Node's test runner printed, in either of its formats. */
export type TestReport = {
  passed: number;
  failed: number;
  failures: string[];
  mismatch?: { actual: string; expected: string };
};

/** undefined when the output is no test report. */
export function readTestReport(output: string): TestReport | undefined {
  const count = (what: string) => new RegExp(`^[^\\w\\n]*${what} (\\d+)\\s*$`, 'm').exec(output)?.[1];
  const passed = count('pass');
  const failed = count('fail');
  if (passed === undefined || failed === undefined) return undefined;
  const names = [...output.matchAll(/^\s*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ ?ms\))?\s*$/gm)].map(
    ([, name]) => name ?? '',
  );
  const failures = [...new Set(names)].filter((name) => name !== 'failing tests:');
  const [, actual, expected] = /(-?\d+) !== (-?\d+)/.exec(output) ?? [];
  return {
    passed: Number(passed),
    failed: Number(failed),
    failures,
    ...(actual === undefined || expected === undefined ? {} : { mismatch: { actual, expected } }),
  };
}

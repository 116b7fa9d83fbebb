// Runs the test rings in order and sums them up. `node scripts/test.mjs [ring ...]`; without names: all but perf.
// `--counts FILE` writes {"passed","failed"} there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { leftoverProcesses } from './leftover-processes.mjs';

const root = path.resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const countsAt = args.indexOf('--counts');
const countsFile = countsAt >= 0 ? args.splice(countsAt, 2)[1] : undefined;
const rings = args.length > 0 ? args : ['arch', 'unit', 'engine', 'ui', 'e2e'];
// All that tests make lies here; its name is short because screens show it.
const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 't-')));
const totals = { passed: 0, failed: 0 };
const failures = [];

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--if-needed'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) fail('the build failed');

for (const ring of rings) {
  const report = path.join(scratch, `${ring}.json`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--project',
      ring,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TMPDIR: scratch } },
  );
  const counts = readCounts(report);
  totals.passed += counts.passed;
  // A ring that ends badly without a failed test (a crash, an unhandled error) is one failure.
  totals.failed += counts.failed || (run.status === 0 ? 0 : 1);
  failures.push(...counts.failures);
  if (run.status !== 0 && counts.failed === 0)
    failures.push(`${ring}: the ring ended with ${run.status ?? run.signal}`);
}

const leftover = leftoverProcesses(scratch);
for (const line of leftover) {
  failures.push(`a test left this process behind: ${line}`);
  totals.failed += 1;
}
rmSync(scratch, { recursive: true, force: true });
if (countsFile) writeFileSync(countsFile, JSON.stringify(totals));
// At the end, so that the tail of a long output names what failed, whichever ring it was in.
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests, failures: failuresIn(report) };
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}

/** One text a failed test: its file, its name, the start of what it said. */
function failuresIn(report) {
  return report.testResults.flatMap(({ name, assertionResults, message }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${file}\n${indented(message)}`];
    return failed.map((test) => `${file} > ${test.fullName}\n${indented(test.failureMessages.join('\n'))}`);
  });
}

function indented(text) {
  return stripVTControlCharacters(text)
    .split('\n')
    .slice(0, 30)
    .map((line) => `    ${line}`)
    .join('\n');
}

function fail(reason) {
  process.stdout.write(`${reason}\n0 passed, 1 failed\n`);
  process.exit(1);
}
